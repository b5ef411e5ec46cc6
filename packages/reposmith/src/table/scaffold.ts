// `reposmith repo scaffold`
import type { Command } from './command.ts'
import { APPLY } from './shared.ts'

export const scaffoldCommands = [
  {
    name: 'repo scaffold',
    summary: 'Fill a folder with a scaffolding tool',
    details: `Runs an external tool: \`cookiecutter\` with the Python command-line template that ships with reposmith, \`copier\`, \`uv\`, or any
command of yours, in which \`{path}\` stands for the folder. A dry-run shows the command line and runs nothing.`,
    arguments: [{ name: 'path', description: 'the folder to fill', required: true }],
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
      APPLY,
    ],
    changes: true,
    endpoints: [],
    examples: [
      { run: 'reposmith repo scaffold ./widget', shows: 'the command that would run' },
      {
        run: "reposmith repo scaffold ./widget --with 'npm init -y --prefix {path}'",
        shows: 'your own command',
      },
    ],
    exits: { 1: 'an argument is wrong', 2: 'the tool is not installed', 4: 'the tool failed' },
  },
] as const satisfies readonly Command[]
