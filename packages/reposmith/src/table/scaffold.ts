// `reposmith repo scaffold`
import type { Command } from './command.ts'
import { APPLY } from './shared.ts'

export const scaffoldCommands = [
  {
    name: 'repo scaffold',
    summary: 'Fill a folder with a scaffolding tool',
    details: `Runs an external tool: \`cookiecutter\` with the Python command-line template that ships with reposmith, \`copier\`, \`uv\`, or your
own command, in which \`{path}\` stands for the folder and \`{name}\` for the value of \`--var name=value\`; no shell is started. A dry-run
shows the command line and runs nothing; \`--preview\` lets cookiecutter fill a temporary folder and shows which files would be new or differ.

If the folder already has files, the tool fills a new one beside it, and only new files are copied over. Files that differ are listed and
kept as they are, unless \`--overwrite\`. While the tool runs there is a folder \`.NAME.scaffold\` beside it: if it remains, the run was interrupted,
and the scaffold is incomplete. The tool has ten minutes, and gets none of your tokens.

The answers, and what each file was, are kept in \`.reposmith-answers.json\`. \`--update\` fills a temporary folder from the newer template, and
shows what it would change, as patches; with \`--apply\` they are applied. What only you have changed or removed stays. What both have
changed is merged three-way where the scaffold was committed as it was made; where that cannot be, the patch is yours to apply. A folder with
\`.copier-answers.yml\` is left to \`copier update\`.

Variables of the template: project_name, project_slug, module, description, author, email, license (MIT, Apache-2.0, BSD-3-Clause),
python_version, default_branch, repository and homepage (addresses), environment and test_environment (that the jobs publish from; empty for no such job).`,
    arguments: [{ name: 'path', description: 'the folder to fill', required: true, completes: 'files' }],
    options: [
      {
        name: 'lang',
        type: 'text',
        value: 'LANG',
        choices: ['python'],
        default: 'python',
        description: 'language of the template',
      },
      {
        name: 'with',
        type: 'text',
        value: 'TOOL',
        default: 'cookiecutter',
        description: 'cookiecutter, copier, uv, or a command in quotes',
      },
      {
        name: 'var',
        type: 'list',
        whole: true,
        value: 'NAME=VALUE',
        description: 'a variable of the template; may be repeated',
      },
      {
        name: 'preview',
        type: 'flag',
        description:
          'show the files that would be new or differ (cookiecutter only; runs it in a temporary folder)',
      },
      { name: 'overwrite', type: 'flag', description: 'replace files that differ' },
      {
        name: 'update',
        type: 'flag',
        description: 'bring what a newer template has into a folder that an earlier one has filled',
      },
      APPLY,
    ],
    changes: true,
    endpoints: [],
    examples: [
      { run: 'reposmith repo scaffold ./widget', shows: 'the command that would run' },
      {
        run: "reposmith repo scaffold ./widget --var author='Ada Lovelace' --preview",
        shows: 'the files that would be new, or differ',
      },
      {
        run: "reposmith repo scaffold ./widget --with 'uv init --lib {path}'",
        shows: 'your own command',
      },
    ],
    exits: {
      1: 'an argument is wrong, or something stands in the way',
      2: 'the tool is not installed, or a file cannot be read or written',
      4: 'the tool failed',
    },
  },
] as const satisfies readonly Command[]
