// Commands that read repo.yaml, and `doctor`, which reads the workflow.
import type { Command, Option } from './command.ts'
import { APPLY, HOST_EXITS, HOST_OPTIONS, REPOSITORY_READS, REPOSITORY_WRITES } from './shared.ts'

const FILE = {
  name: 'file',
  short: 'f',
  type: 'text',
  value: 'FILE',
  notEmpty: true,
  completes: 'files',
  default: 'repo.yaml',
  description: 'the manifest; - is standard input',
} as const satisfies Option

const READS = [
  'GET /user',
  'GET /users/{username}',
  'GET /orgs/{org}/teams/{team_slug}',
  ...REPOSITORY_READS,
  'GET /repos/{owner}/{repo}/environments/{environment_name}',
  'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
] as const

export const manifestCommands = [
  {
    name: 'repo bootstrap',
    summary: 'Create, prepare and scaffold a repository from one manifest',
    details: `One plan: the repository, its permissions, the scaffold, its environments. Every step reads before it writes, so that running it
again continues where it stopped, without a state file. A dry-run reads too, which needs a token. See \`reposmith explain repo.yaml\`.`,
    arguments: [],
    options: [FILE, APPLY, ...HOST_OPTIONS],
    changes: true,
    endpoints: [
      ...READS,
      ...REPOSITORY_WRITES,
      'PUT /repos/{owner}/{repo}/environments/{environment_name}',
      'POST /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
    ],
    examples: [
      { run: 'reposmith repo bootstrap -f repo.yaml', shows: 'the whole plan' },
      { run: 'reposmith repo bootstrap -f repo.yaml --apply', shows: 'the applied plan' },
    ],
    exits: {
      ...HOST_EXITS,
      1: 'the manifest is wrong, or the host lacks what it asks for',
      2: 'the manifest cannot be read, a tool is not installed, or there is no token',
      4: 'the host refused or failed, a rate limit was hit, or it cannot be reached; or the scaffolding tool failed',
    },
  },
  {
    name: 'repo drift',
    summary: 'Show where a repository differs from its manifest',
    details: `Read-only. Compares only what the manifest names. Where an environment names branches or tags, or reviewers, others that
it has besides are listed too (\`to\` is null): bootstrap only adds, \`repo env --reset\` removes them. Of topics it lists those that are missing. Exits with 0 either way; \`--json\` has \`in_sync\` and each
difference with \`at\`, \`from\` (the current value) and \`to\` (the manifest's).`,
    arguments: [],
    options: [FILE, ...HOST_OPTIONS],
    changes: false,
    endpoints: READS,
    examples: [{ run: 'reposmith repo drift -f repo.yaml --json', shows: 'in_sync, and each difference' }],
    exits: {
      ...HOST_EXITS,
      1: 'the manifest is wrong',
      2: 'the manifest cannot be read, or there is no token',
    },
  },
  {
    name: 'doctor',
    summary: 'Check the setup for trusted publishing',
    details: `Reads the workflow in the folder: do the jobs that publish name an \`environment:\`, have \`id-token: write\`, and does something
trigger them? With a token and a repository (\`--repo\`, else the folder's origin) it also asks the host: is that its current name,
does each environment exist, and does its policy allow the branches and tags that trigger the job, according to \`on:\` and a plain
\`if:\`? If any may trigger it, one that is allowed is enough.`,
    arguments: [
      { name: 'path', description: 'the folder of the repository (.)', notEmpty: true, completes: 'files' },
    ],
    options: [
      {
        name: 'workflow',
        type: 'text',
        value: 'FILE',
        default: 'publish.yml',
        description: 'the workflow that releases, in .github/workflows',
      },
      {
        name: 'repo',
        type: 'text',
        value: 'OWNER/REPO',
        description: "the repository on the host (the folder's origin)",
      },
      ...HOST_OPTIONS,
    ],
    changes: false,
    endpoints: [
      'GET /repos/{owner}/{repo}',
      'GET /repos/{owner}/{repo}/environments/{environment_name}',
      'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
    ],
    examples: [{ run: 'reposmith doctor --repo octo/widget', shows: 'each check, and what to do' }],
    exits: {
      1: 'an argument is wrong',
      2: 'a check failed',
      3: 'the token is refused',
      4: 'the host failed',
    },
  },
] as const satisfies readonly Command[]
