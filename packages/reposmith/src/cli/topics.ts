// What `explain` covers besides the commands.
import { readFileSync } from 'node:fs'

interface Topic {
  readonly title: string
  /** Markdown. */
  readonly text: string
}

const READS =
  'Metadata: read, Administration: read, Actions: read; Issues, Variables and Secrets: read, where a manifest names labels, variables or secrets'
const WRITES =
  'Administration: write, Actions: read; Issues, Variables and Secrets: write, where a manifest names labels, variables or secrets; Contents and Workflows: write to push files'

/** By command that asks the host. */
export const PERMISSIONS: Readonly<Record<string, { readonly classic: string; readonly fine: string }>> = {
  whoami: { classic: 'none', fine: 'none' },
  'repo create': {
    classic: 'repo; admin:org for an organization',
    fine: 'Administration: write; Contents: read of a template',
  },
  'repo env': { classic: 'repo', fine: 'Administration: write, Actions: read' },
  'repo bootstrap': { classic: 'repo; admin:org for an organization', fine: WRITES },
  'repo apply': { classic: 'repo; admin:org for an organization', fine: WRITES },
  'repo drift': { classic: 'repo', fine: READS },
  'repo import': { classic: 'repo', fine: READS },
  doctor: {
    classic: 'repo',
    fine: 'Metadata: read, Actions: read, Administration: read; Contents: read of other repositories whose workflows are called, or actions pinned; Administration: write for --fix',
  },
}

export const topics: Readonly<Record<string, Topic>> = {
  'repo.yaml': {
    title: 'the manifest of bootstrap and drift, key by key',
    text: `# repo.yaml

Only \`repository.name\` is required. \`repo bootstrap\` applies it, \`repo drift\` compares what it names, \`repo import\` writes it.

    repository:
      name: widget
      org: octo                  # without it the token's own account
      visibility: private        # public, private, internal
      description: A small thing
      homepage: https://widget.example
      topics: [cli, python]
      license: mit               # and gitignore: Python; or template: octo/seed, without a scaffold
    actions:
      allowed: selected          # all, local_only, selected, off
      allow: ["octo/*"]          # with selected; also allow_owned, allow_verified: true
      workflow_token: read       # read, write
      approve_prs: false
    merge:                       # each true or false
      squash: true               # and commit, rebase, auto, update_branch
      delete_branch: true
    labels:
      - name: bug
        color: "d73a4a"
        description: It is broken
    variables:
      STAGE: test
    secrets:                     # name: the environment's variable with its value, which is sealed
      INDEX_TOKEN: HOME
    scaffold:
      path: ./widget             # relative to the current folder; filled if empty or missing
      lang: python               # of the template; there is no other yet
      with: cookiecutter         # cookiecutter, copier, uv, or a command
      author: Ada Lovelace       # email, python_version; var: [name=value] for the rest
    environments:
      - index: testindex         # index, testindex, pypi, testpypi, npm
      - index: index
        name: release            # without it, the name of the index
        branches: [main]
        tags: ["v*"]             # or protected_branches: true
        reviewers: [ada, octo/release]
        prevent_self_review: true
        admins_bypass: false
        wait_minutes: 10
        workflow: publish.yml
        project: widget
    rulesets:
      - name: releases
        target: tag              # branch, tag
        include: ["v*"]          # or ~DEFAULT_BRANCH, ~ALL; exclude takes the same
        rules: [deletion, update]   # or {type: …, parameters: {…}}, as the API has them
        enforcement: active      # active, disabled, evaluate
        bypass: []               # {actor_id, actor_type, bypass_mode}

A scaffold becomes the first commit on the default branch: the repository is created empty, and git pushes over HTTPS with the token,
which a classic one needs the scope \`workflow\` for (a fine-grained one Contents and Workflows), or over SSH with \`--ssh\`. Nothing is pushed
where there are commits already, and nothing is ever forced. The built-in template gets the project's name (\`project\`, else the repository's),
description, license (mit, apache-2.0, bsd-3-clause), homepage and environments from here; where \`project\` and the package do not agree, the plan stops.

What it does not name is left as it is; only a new repository gets our defaults there (all actions, a workflow's token that reads). Labels,
variables, secrets and rulesets that are there besides are left, and so are topics, reviewers, branches and tags unless \`--enforce\` is given.

\`extends: ./base.yaml\` takes all that the base has and this one does not: groups are merged key by key, labels, environments and rulesets by
name, and other lists are replaced. A base may leave out \`repository.name\`, and extend another.

An unknown key is an error with its line and column.`,
  },
  'pull-requests': {
    title: 'a workflow that comments the plan on a pull request, and applies it once that is merged',
    text: `# Manifests in a repository

With manifests in \`repos/\`, save this as \`.github/workflows/repositories.yml\` there:

${readFileSync(new URL('../../template/workflows/repositories.yml', import.meta.url), 'utf8')
  .trimEnd()
  .replaceAll(/^(?=.)/gm, '    ')}`,
  },
  tokens: {
    title: 'which token is used, for which host, and what it must be allowed to do',
    text: `# The token

The first that is set of CODEHOST_TOKEN, CH_TOKEN, GH_TOKEN, GITHUB_TOKEN; else the one that \`gh auth token\` prints, which is said. Classic scopes:
\`repo\` and \`admin:repo_hook\`; for an organization also \`admin:org\`.

It is sent to one host only. CODEHOST_TOKEN and CH_TOKEN belong to the host of CODEHOST_API_URL if that is set, else to the one that
\`--host\` or \`--api-url\` names. GH_TOKEN and GITHUB_TOKEN belong to the public host, to its tenant (*.ghe.com) that GH_HOST names, to the host of
GITHUB_API_URL, and to this machine. A redirect to another host is not followed. The token appears in no message, plan, log or command line.

What it takes, as classic scopes and as permissions of a fine-grained token:

${Object.entries(PERMISSIONS)
  .map(([command, { classic, fine }]) => `- \`${command}\`: ${classic}; fine-grained: ${fine}`)
  .join('\n')}

A team as reviewer also takes \`admin:org\`, or Members: read of the organization.`,
  },
  hosts: {
    title: 'the public host, enterprise hosts, Gitea and Forgejo',
    text: `# Hosts

- Without any of these: the public host.
- \`--host git.example.org\`: an enterprise host, with its API at https://git.example.org/api/v3.
- GH_HOST: the same as \`--host\`, where neither that nor CODEHOST_API_URL is given.
- \`--api-url\` or CODEHOST_API_URL: the base address of any API. One that ends in /api/v1 is Gitea's or Forgejo's.

A private CA is trusted with NODE_EXTRA_CA_CERTS=FILE. HTTPS_PROXY and NO_PROXY take effect with NODE_USE_ENV_PROXY=1.

Gitea and Forgejo have no environments, rulesets and Actions permissions for a repository, and Reposmith sets no labels, merge settings, variables and
secrets there. GitLab's API (/api/v4) is refused. A step for what the host lacks is \`blocked\`: skipped if it is only our
default, refused with exit 1 before anything is sent if you asked for it.

The plan of an owner may have no environment rules or rulesets for private repositories: no rule is sent that is neither asked for nor there, and
a refusal is called \`plan\`, with what works without it.

An organization or enterprise may not permit a repository to set its Actions permissions or the workflow token's (409). What is only our
default is then skipped with a warning, and \`actions_permissions_set\` is false for the former; what you asked for ends the command with exit 4.`,
  },
  plan: {
    title: 'what a dry-run shows, and what --apply returns',
    text: `# The plan

Every command that changes something makes a plan. Without \`--apply\` it is shown; with it, its steps are sent, and it is returned with
each step's \`status\` (done, already, failed, skipped, manual, not_reached), \`http\` and \`ms\`.

- \`+\` created, \`~\` changed, \`-\` removed, \`=\` unchanged, \`>\` a command, \`!\` for you to do, \`x\` not possible on this host
- \`state\` is \`read\` if the current state was read, and then a change has a \`diff\`; \`--refresh\` reads it in a dry-run
- \`refusal\` says why \`--apply\` would refuse all of it; null if it would not
- \`asked\` is false for a default of ours, which is left out where the host does not permit it
- \`sealed\` says where the value of a secret comes from; the body that is sent has it sealed with the repository's key
- \`proof\` is the read that settles a lost response: nothing is created twice
- with \`--json\`, \`would_post\` and \`would_put\` are the body that \`--apply\` would send if nothing else is there (\`state\` unknown), or exactly that (\`read\`); null if it would send none

A host that does not know a new repository or environment everywhere yet (404), or still copies a template, is asked again as long as
\`--max-wait\` allows. What a run has begun to create is noted in ~/.local/state/reposmith (XDG_STATE_HOME) until it is finished. After a failure run the same command
again: it reads first, and sends only what is missing.`,
  },
  'exit codes': {
    title: 'what the numbers mean',
    text: `# Exit codes

- 0: done
- 1: the input is wrong
- 2: the environment or setup is wrong: no token, a tool is not installed
- 3: authentication: the token is refused, or lacks a scope
- 4: the host: a rate limit, 404, 422, 5xx, no network; or a scaffolding tool that failed
- 5: \`repo drift\` found a difference (not with \`--exit-zero\`)
- 130: stopped with Ctrl-C, SIGTERM or SIGHUP

An error is \`error: …\` and \`hint: …\` on stderr; with \`--json\` one line: \`{"code","message","remediation","kind"}\`, and where there
is more to say:

- \`details\`: lines, each mistake with file:line:column, or what a tool printed
- \`http\` (the request, and the status of its answer: 0 for none), \`errors\` (the host's, about single fields), \`docs\` (its page)
- \`retryable\`: true if the same command may succeed later; then \`retry_after_s\`, null if the host does not say
- \`partial\`: the steps \`applied\`, \`failed\` and \`not_reached\`, and the command to \`resume\` with

\`kind\`, by code:

- 1: \`usage\`, \`invalid\` (a file), \`not_found\`, \`conflict\`, \`blocked\` (the host lacks it), \`internal\` (a bug)
- 2: \`setup\`, \`no_token\`
- 3: \`auth\`, \`scope\`
- 4: \`not_found\`, \`validation\`, \`conflict\`, \`plan\` (the owner's plan lacks it), \`rate_limited\`, \`network\`, \`timeout\`, \`upstream\`, \`scaffolder\` (the tool failed)
- 130: \`interrupted\``,
  },
}
