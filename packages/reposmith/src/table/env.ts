// `reposmith repo env`
import type { Command } from './command.ts'
import { APPLY, HOST_EXITS, HOST_OPTIONS, OPEN, REFRESH } from './shared.ts'

/** `pypi` and `testpypi` are aliases of `index` and `testindex`. */
export const INDEX_NAMES = ['index', 'testindex', 'pypi', 'testpypi', 'npm'] as const

/** The host's limits. */
export const REVIEWERS_MAX = 6
export const WAIT_MINUTES_MAX = 43_200

export const envCommands = [
  {
    name: 'repo env',
    summary: 'Create or update the environment that a trusted release runs in',
    details: `Reviewers, the wait timer, policies, and whether administrators may bypass them stay as people set them by hand; \`--reset\` removes
what is not given here. No rule is sent that is neither asked for nor there: where the owner's plan has none for private repositories, an
environment without them works. A dry-run sends only \`GET /user\`, and only if no owner is given; \`--refresh\` reads the environment and shows
the differences, as \`--reset\` always does.

It ends with the fields to enter at the package index, and on which page: no index offers an API for that. Where the host is read, the index's
public JSON is asked whether the project is there: a new one gets a pending publisher, an old one has a page of its own settings. For npm there
is a command too, which needs an existing package. \`--open\` opens the page. The environment has
the name of the index (\`index\`, \`testindex\`, \`pypi\`, \`testpypi\`, \`npm\`) unless \`--name\` says otherwise. The old name of a renamed
repository is refused if the host is read: the index would accept no release from it.`,
    arguments: [{ name: 'repo', description: 'the repository, as name or owner/name', required: true }],
    options: [
      { name: 'owner', type: 'text', value: 'OWNER', description: "its owner (the token's own account)" },
      {
        name: 'index',
        type: 'text',
        value: 'INDEX',
        choices: INDEX_NAMES,
        description: 'the package index that trusts it (the one that --name names, else index)',
      },
      {
        name: 'name',
        type: 'text',
        value: 'NAME',
        description: 'name of the environment (that of the index)',
      },
      {
        name: 'branch',
        type: 'list',
        value: 'PATTERN',
        description: 'branches allowed to release; may be repeated',
      },
      {
        name: 'tag',
        type: 'list',
        value: 'PATTERN',
        description: 'tags allowed to release; may be repeated',
      },
      {
        name: 'reviewer',
        type: 'list',
        value: 'WHO',
        description: 'who must approve: a login, or org/team; may be repeated',
      },
      {
        name: 'waitMinutes',
        type: 'number',
        value: 'N',
        range: [0, WAIT_MINUTES_MAX],
        description: 'minutes to wait before a release',
      },
      {
        name: 'protectedBranches',
        type: 'flag',
        description: 'only protected branches may release; instead of --branch and --tag',
      },
      {
        name: 'preventSelfReview',
        type: 'flag',
        description: 'whoever starts a release may not approve it',
      },
      {
        name: 'forbidBypass',
        type: 'flag',
        description: 'administrators may not pass by these rules',
      },
      { name: 'reset', type: 'flag', description: 'remove what was set by hand and is not given here' },
      {
        name: 'workflow',
        type: 'text',
        value: 'FILE',
        default: 'publish.yml',
        description: 'the workflow that releases, for the fields at the index',
      },
      {
        name: 'project',
        type: 'text',
        value: 'NAME',
        notEmpty: true,
        description: 'name of the package, for the fields at the index (that of the repository)',
      },
      OPEN,
      APPLY,
      REFRESH,
      ...HOST_OPTIONS,
    ],
    changes: true,
    endpoints: [
      'GET /user',
      'GET /users/{username}',
      'GET /orgs/{org}/teams/{team_slug}',
      'GET /repos/{owner}/{repo}',
      'GET /repos/{owner}/{repo}/environments/{environment_name}',
      'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
      'PUT /repos/{owner}/{repo}/environments/{environment_name}',
      'POST /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
      'DELETE /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies/{branch_policy_id}',
    ],
    examples: [
      {
        run: "reposmith repo env widget --owner octo --index testindex --tag 'v*'",
        shows: 'what would be sent, and the fields for the index',
      },
      {
        run: 'reposmith repo env octo/widget --branch main --apply',
        shows: 'the created or updated environment',
      },
    ],
    exits: { 1: 'an argument is wrong, or the host has no environments', ...HOST_EXITS },
  },
] as const satisfies readonly Command[]
