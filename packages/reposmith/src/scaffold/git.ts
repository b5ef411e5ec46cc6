// The scaffold's history: its first commit, and the push to an empty repository. Nothing is ever forced.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cannot, done, failed, wrong, type Answer, type FailureKind } from '../failure.ts'
import type { RunStep, Step } from '../plan/step.ts'
import { withoutSecrets } from './secrets.ts'

export interface Target {
  readonly folder: string
  /** As the manifest names it. */
  readonly path: string
  /** Over HTTPS or SSH. */
  readonly remote: string
  readonly branch: string
  /** The host has that branch: then there is nothing to begin. */
  readonly isBegun: boolean
  /** The scaffold is still to be made, or is there just as it was made. */
  readonly isFresh: boolean
  readonly env: NodeJS.ProcessEnv
}

/** What is asked of git, after the scaffold. Planning runs only what reads. */
export function pushSteps(target: Target): Answer<readonly Step[]> {
  const { folder, path, remote, branch, isBegun, isFresh } = target
  if (isBegun)
    return done([
      { kind: 'unchanged', id: 'push', title: `${branch} has commits already: nothing is pushed` },
    ])
  const tree = readTree(target)
  if (!tree.ok) return tree
  const { state, origin } = tree.output
  if (state === 'dirty')
    return wrong(
      'conflict',
      `${path} has changes that are not committed`,
      'commit them, then run this again: it wants a clean working tree',
    )
  if (!isFresh && state !== 'clean')
    return wrong(
      'conflict',
      `${path} has files, but no commit`,
      'commit them yourself (git init, git add, git commit), then run this again; or name another folder',
    )
  if (origin !== undefined && plain(origin) !== plain(remote))
    return wrong(
      'conflict',
      `the origin of ${path} is ${origin}, not ${remote}`,
      'name another folder, or mend its remote',
    )
  const step = (id: string, title: string, words: string, ...more: readonly string[]): RunStep => {
    return { kind: 'run', id, title, op: 'run', argv: ['git', ...words.split(' '), ...more], cwd: folder }
  }
  const name = path.split('/').findLast((part) => part !== '' && part !== '.') ?? 'it'
  const message = `Begin ${name} from a template`
  const how = remote.startsWith('http') ? 'with the token' : 'over SSH'
  const init = step('init', `begin a history in ${path}`, 'init --quiet', `--initial-branch=${branch}`)
  const add = step('add', `add the files of ${path}`, 'add --all')
  const commit = step('commit', 'commit them', '-c user.useConfigOnly=true commit --quiet -m', message)
  const addRemote = step('remote', 'name the repository as its origin', 'remote add origin', remote)
  const push = 'push --quiet --set-upstream origin'
  return done([
    ...(isFresh && state === 'none' ? [init] : []),
    ...(isFresh ? [add, commit] : []),
    ...(origin === undefined ? [addRemote] : []),
    step('push', `push it to ${branch}, ${how}`, push, `HEAD:refs/heads/${branch}`),
  ])
}

interface Tree {
  readonly state: 'none' | 'unborn' | 'clean' | 'dirty'
  readonly origin: string | undefined
}

function readTree({ folder, isFresh, env }: Target): Answer<Tree> {
  const git = (cwd: string, words: string) => askGit(env, cwd, ...words.split(' '))
  const found = git('/', '--version')
  if (found.status !== 0) return cannot('setup', 'git is not installed', 'install it: apt install git')
  const who = git(existsSync(folder) ? folder : '/', '-c user.useConfigOnly=true var GIT_COMMITTER_IDENT')
  if (isFresh && who.status !== 0)
    return cannot(
      'setup',
      'git does not know who commits',
      'say so: git config --global user.name NAME; git config --global user.email ADDRESS',
    )
  if (!existsSync(join(folder, '.git'))) return done({ state: 'none', origin: undefined })
  const [, origin] = /^(.+)\n/.exec(String(git(folder, 'remote get-url origin').stdout)) ?? []
  if (git(folder, 'rev-parse --verify --quiet HEAD').status !== 0) return done({ state: 'unborn', origin })
  const status = git(folder, 'status --porcelain')
  if (status.status !== 0)
    return cannot(
      'setup',
      `git cannot read ${folder}: ${String(status.stderr).trim()}`,
      'fix that, then run it again',
    )
  return done({ state: status.stdout.length === 0 ? 'clean' : 'dirty', origin })
}

/** For what only reads, as a large working tree, which takes a while. */
export function askGit(env: NodeJS.ProcessEnv, cwd: string, ...args: readonly string[]) {
  return spawnSync('git', args, { cwd, env: { ...withoutSecrets(env), LC_ALL: 'C' }, timeout: 60_000 })
}

/** `git@git.example.org:octo/widget.git` and `https://git.example.org/octo/widget` are one repository. */
function plain(remote: string): string {
  return remote
    .replace(/^(\w+:\/\/)?([^@/]*@)?/, '')
    .replace(/\.git\/?$/, '')
    .replace(/^([^/:]+):(?!\d)/, '$1/')
    .toLowerCase()
}

/**
 * The configuration for a push with a token, by environment variables: command lines are for everybody to see. Git asks
 * the helper for this host alone, stores nothing, follows no redirect, and runs no hook, which would get the variable.
 */
export function pushEnvironment(remote: string, token: string): Readonly<Record<string, string>> {
  const settings = [
    ['credential.helper', ''],
    [`credential.${new URL(remote).origin}.helper`, HELPER],
    ['http.followRedirects', 'false'],
    ['core.hooksPath', '/dev/null'],
    ['core.askPass', ''],
  ] as const
  return {
    [PASSWORD]: token,
    GIT_TERMINAL_PROMPT: '0',
    GIT_TRACE_REDACT: '1',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}

/** Why the host took no push, where its words say so. */
export function pushed(ran: Answer<string>, lines: readonly string[]): Answer<string> {
  if (ran.ok || ran.error.code !== 4) return ran
  const said = lines.join('\n')
  const refuse = (code: 3 | 4, kind: FailureKind, remediation: string): Answer<string> =>
    failed({ ...ran.error, code, kind, remediation, details: lines })
  if (/without `?workflows?`? (scope|permission)/.test(said))
    return refuse(3, 'scope', 'add the scope workflow to the token (fine-grained: Workflows), or use --ssh')
  if (/Authentication failed|could not read (Username|Password)|error: 403|Permission .* denied/.test(said))
    return refuse(
      3,
      'auth',
      'the token must be allowed to push: scope repo (fine-grained: Contents, write), or use --ssh',
    )
  if (/\[(remote )?rejected\]|non-fast-forward|fetch first/.test(said))
    return refuse(
      4,
      'conflict',
      'somebody else pushed first, and nothing is ever forced: fetch that, and merge it by hand',
    )
  return refuse(4, 'upstream', ran.error.remediation)
}

const PASSWORD = 'REPOSMITH_PUSH_PASSWORD'
const HELPER = `!f() { test "$1" = get && printf 'username=x-access-token\\npassword=%s\\n' "$${PASSWORD}"; }; f`
