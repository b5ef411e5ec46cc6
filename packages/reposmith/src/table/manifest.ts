// Commands that read repo.yaml, and `doctor`, which reads the workflow.
import type { Command, Option } from './command.ts'
import { APPLY, HOST_EXITS, OPEN, HOST_OPTIONS, REPOSITORY_READS, REPOSITORY_WRITES } from './shared.ts'

const FILE = {
  name: 'file',
  short: 'f',
  type: 'list',
  whole: true,
  value: 'FILE',
  completes: 'files',
  description: "the manifest (repo.yaml); - is standard input; many: 'repos/*.yaml' in quotes, or repeated",
} as const satisfies Option

const READS = [
  'GET /user',
  'GET /users/{username}',
  'GET /orgs/{org}/teams/{team_slug}',
  ...REPOSITORY_READS,
  'GET /repos/{owner}/{repo}/branches/{branch}',
  'GET /repos/{owner}/{repo}/labels',
  'GET /repos/{owner}/{repo}/actions/variables',
  'GET /repos/{owner}/{repo}/actions/secrets',
  'GET /repos/{owner}/{repo}/environments/{environment_name}',
  'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
  'GET /repos/{owner}/{repo}/rulesets',
  'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}',
] as const

/** Besides what it takes to create a repository. */
const WRITES = [
  'GET /repos/{owner}/{repo}/labels/{name}',
  'POST /repos/{owner}/{repo}/labels',
  'PATCH /repos/{owner}/{repo}/labels/{name}',
  'GET /repos/{owner}/{repo}/actions/variables/{name}',
  'POST /repos/{owner}/{repo}/actions/variables',
  'PATCH /repos/{owner}/{repo}/actions/variables/{name}',
  'GET /repos/{owner}/{repo}/actions/secrets/public-key',
  'PUT /repos/{owner}/{repo}/actions/secrets/{secret_name}',
  'PUT /repos/{owner}/{repo}/environments/{environment_name}',
  'POST /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
  'DELETE /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies/{branch_policy_id}',
  'POST /repos/{owner}/{repo}/rulesets',
  'PUT /repos/{owner}/{repo}/rulesets/{ruleset_id}',
] as const

const APPLIES = {
  ...HOST_EXITS,
  1: 'the manifest is wrong, or the host lacks what it asks for',
  2: 'the manifest cannot be read, a tool is not installed, or there is no token',
  4: 'the host refused or failed, a rate limit was hit, or it cannot be reached; or the scaffolding tool failed',
} as const

export const manifestCommands = [
  {
    name: 'repo bootstrap',
    summary: 'Create, prepare and scaffold repositories from manifests',
    details: `One plan for each: the repository, its permissions, labels, variables and secrets, the scaffold, its environments and rulesets. Every step
reads before it writes, so that running it again continues where it stopped. A dry-run reads too, which needs a token. See
\`reposmith explain repo.yaml\`.

A repository that is there gets what the manifest names, and is left otherwise. Its visibility, description and homepage, and topics, reviewers,
branches and tags that it has besides, are changed only by \`--enforce\`; to make it public takes \`--allow-public\` too. What nobody named gets
our defaults in a new repository alone, also if the run that created it was cut off.

Of many manifests eight are dealt with at once, with one rate limit for all, and a table sums them up. \`--plan-out FILE\` keeps the plans for
\`repo apply\`; \`reposmith explain pull-requests\` has a workflow with both.`,
    arguments: [],
    options: [
      FILE,
      { name: 'ssh', type: 'flag', description: 'push over SSH, not over HTTPS with the token' },
      OPEN,
      {
        name: 'enforce',
        type: 'flag',
        description: 'make existing repositories just what the manifest names',
      },
      {
        name: 'allowPublic',
        type: 'flag',
        description: 'with --enforce: a private repository may become public',
      },
      {
        name: 'planOut',
        type: 'text',
        value: 'FILE',
        notEmpty: true,
        completes: 'files',
        description: 'write the plans to this file, for repo apply',
      },
      APPLY,
      ...HOST_OPTIONS,
    ],
    changes: true,
    endpoints: [...READS, ...REPOSITORY_WRITES, ...WRITES],
    examples: [
      { run: 'reposmith repo bootstrap -f repo.yaml', shows: 'the whole plan' },
      { run: 'reposmith repo bootstrap -f repo.yaml --apply', shows: 'the applied plan' },
      { run: "reposmith repo bootstrap -f 'repos/*.yaml' --plan-out plan.json", shows: 'the plans of many' },
    ],
    exits: APPLIES,
  },
  {
    name: 'repo apply',
    summary: 'Apply plans that repo bootstrap --plan-out wrote',
    details: `Reads the host again, and refuses all of it if anything would be done now that the plan does not show (exit 1, \`details\` names each). What was done
already, by an earlier run that was cut off or by hand, is no matter. Without \`--apply\` it shows what is left to do.`,
    arguments: [{ name: 'plan', description: 'the file of --plan-out', required: true, completes: 'files' }],
    options: [APPLY, ...HOST_OPTIONS],
    changes: true,
    endpoints: [...READS, ...REPOSITORY_WRITES, ...WRITES],
    examples: [{ run: 'reposmith repo apply plan.json --apply', shows: 'the applied plans' }],
    exits: { ...APPLIES, 1: 'the file holds no plan, or the host has changed since' },
  },
  {
    name: 'repo drift',
    summary: 'Show where repositories differ from their manifests',
    details: `Read-only. Compares only what the manifest names, with what \`repo bootstrap --enforce\` would make of it: topics, reviewers, branches or tags that a
repository has besides are differences too where the manifest names any, and so is a repository that is missing. Of a secret it sees
whether it is there. Exits with 5 if something differs; \`--json\` has \`in_sync\` and each difference with \`at\`, \`from\` (the current value) and
\`to\` (the manifest's).`,
    arguments: [],
    options: [
      FILE,
      { name: 'exitZero', type: 'flag', description: 'exit with 0 also if something differs' },
      ...HOST_OPTIONS,
    ],
    changes: false,
    endpoints: READS,
    examples: [{ run: 'reposmith repo drift -f repo.yaml --json', shows: 'in_sync, and each difference' }],
    exits: {
      ...HOST_EXITS,
      1: 'the manifest is wrong',
      2: 'the manifest cannot be read, or there is no token',
      5: 'something differs',
    },
  },
  {
    name: 'repo import',
    summary: 'Write the manifest of a repository that is there',
    details: `Read-only. Prints YAML of all that a manifest can name: \`repo drift\` of it finds nothing. Of secrets it has the names, each with a variable of the
same name to take the value from. Rulesets of an organization are not the repository's own, and are left out.`,
    arguments: [{ name: 'repo', description: 'the repository, as owner/name', required: true }],
    options: HOST_OPTIONS,
    changes: false,
    endpoints: [...READS, 'GET /repos/{owner}/{repo}/environments'],
    examples: [{ run: 'reposmith repo import octo/widget > repo.yaml', shows: 'a manifest' }],
    exits: { 1: 'an argument is wrong, or the repository has another name now', ...HOST_EXITS },
  },
  {
    name: 'doctor',
    summary: 'Check the setup for trusted publishing',
    details: `Finds the steps that publish (pypa/gh-action-pypi-publish, uv publish, twine upload, npm publish and their like), also in
workflows that the named one calls, and follows their jobs: to their environment, to what their token may, to what starts them
according to \`on:\` and \`if:\`. A called workflow of another repository is read from the host, if there is a token that may. Checks that no password is given, that the package is called as the publisher is registered (\`repo.yaml\`,
else \`--project\`), and in all workflows of the folder pins, kept credentials, permissions, dangerous triggers and injected text.

With a token and a repository (\`--repo\`, else the folder's origin) it also asks the host: is that its current name, may these actions
run, does each environment exist, is it protected, and does its policy allow the branches and tags that start the job? If any
may start it, one that is allowed is enough; by hand it starts on the default branch.

Each finding has an id, a severity, its file and line, and the mend. \`--fix\` shows what mends it as a plan: files as a patch, in which an
action gets the hash that its name has on the host today, and requests for the host; \`--fix --apply\` does that, and checks again.`,
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
      {
        name: 'project',
        type: 'text',
        value: 'NAME',
        notEmpty: true,
        description: 'what the index calls the package (as in repo.yaml, else that of the repository)',
      },
      { name: 'fix', type: 'flag', description: 'what can be mended, as a plan; with --apply, mend it' },
      APPLY,
      ...HOST_OPTIONS,
    ],
    changes: true,
    endpoints: [
      'GET /repos/{owner}/{repo}',
      'GET /repos/{owner}/{repo}/actions/permissions',
      'GET /repos/{owner}/{repo}/actions/permissions/selected-actions',
      'GET /repos/{owner}/{repo}/contents/{path}',
      'GET /repos/{owner}/{repo}/commits/{ref}',
      'GET /repos/{owner}/{repo}/environments/{environment_name}',
      'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
      'PUT /repos/{owner}/{repo}/actions/permissions',
      'PUT /repos/{owner}/{repo}/actions/permissions/selected-actions',
      'PUT /repos/{owner}/{repo}/environments/{environment_name}',
      'POST /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
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
