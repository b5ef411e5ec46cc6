// Finds and runs external tools, without a shell.
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, resolve } from 'node:path'
import { cannot, done, failed, type Answer } from '../failure.ts'
import type { RunStep } from '../plan/step.ts'
import { startGroup, type Group } from './group.ts'
import { collectText, eachLine } from './output.ts'
import { withoutSecrets } from './secrets.ts'
import { messageOf } from '../thrown.ts'

interface Bounds {
  /** Fires at Ctrl-C: the tool is ended, with everything it started. */
  readonly stop?: AbortSignal
  readonly limitMs?: number
  /** Variables that it gets besides. */
  readonly more?: Readonly<Record<string, string>>
  /** Nothing that it prints shows this. */
  readonly secret?: string | undefined
}

/** Fetching a template takes a while; a tool that prompts would wait for ever. */
const LIMIT_MS = 10 * 60_000

/** The executable of that path, or else found through PATH; undefined if there is none. */
export function findTool(name: string, env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const listed = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const folders = name.includes('/') ? [cwd] : listed
  return folders.map((folder) => resolve(cwd, folder, name)).find(isExecutable)
}

export function installHint(tool: string): string {
  return `${INSTALL.get(tool) ?? `install ${tool}`}, or name another tool: --with`
}

const INSTALL: ReadonlyMap<string, string> = new Map([
  ['cookiecutter', 'install it: apt install cookiecutter, or pipx install cookiecutter'],
  ['copier', 'install it: pipx install copier'],
  ['uv', 'install it: pipx install uv'],
])

/**
 * Its stdout, or why it failed. Each line of stderr goes to `onLine` as it comes, prefixed with the tool's name;
 * without `onLine`, the last lines come with the failure.
 */
export async function runTool(
  { argv, cwd }: RunStep,
  env: NodeJS.ProcessEnv,
  onLine: ((line: string) => void) | undefined,
  { stop, limitMs = LIMIT_MS, more = {}, secret }: Bounds = {},
): Promise<Answer<string>> {
  const name = basename(argv[0])
  if (stop?.aborted) return stopped(name)
  const hide = (text: string): string => (secret === undefined ? text : text.replaceAll(secret, '***'))
  const limit = AbortSignal.timeout(limitMs)
  const until = stop ? AbortSignal.any([stop, limit]) : limit
  let group: Group
  try {
    group = startGroup(argv, { cwd, env: { ...withoutSecrets(env), ...more } }, until)
  } catch (error) {
    // Some faults are thrown, such as a zero byte in an argument, or too many letters in all of them.
    return unstarted(name, messageOf(error))
  }
  const [out, lines, ended] = await Promise.all([
    collectText(group.stdout),
    eachLine(group.stderr, (line) => onLine?.(`[${name}] ${hide(line)}`)),
    group.ended,
  ])
  if (ended.kind === 'cut') return stop?.aborted ? stopped(name) : late(name, limitMs)
  if (ended.kind === 'unstarted') return unstarted(name, ended.why)
  if (ended.kind === 'exit' && ended.code === 0) return done(hide(out))
  const how = ended.kind === 'exit' ? `ended with ${ended.code}` : `was ended by ${ended.signal}`
  const shown = lines.map(hide)
  const why = shown.at(-1)?.replace(/^error: /i, '')
  return failed({
    code: 4,
    message: `${name} ${how}${why === undefined ? '' : `: ${why}`}`,
    remediation: 'fix what it complains about, then run it again',
    kind: 'scaffolder',
    ...(onLine ? {} : { details: shown }),
  })
}

function unstarted(name: string, why: string) {
  return cannot('setup', `cannot start ${name}: ${why}`, 'check that it can be run here')
}

function stopped(name: string) {
  const message = `stopped; ${name} was ended`
  return failed({ code: 130, message, remediation: 'run it again', kind: 'interrupted' })
}

function late(name: string, limitMs: number) {
  const message = `${name} took longer than ${limitMs / 1000} s, and was ended`
  return failed({
    code: 4,
    message,
    remediation: 'run it by hand to see what it waits for',
    kind: 'scaffolder',
  })
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
