// Finds and runs external tools, without a shell.
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, resolve } from 'node:path'
import { cannot, done, failed, type Answer, type Failure } from '../failure.ts'
import type { RunStep } from '../plan/step.ts'
import { startGroup, type End, type Group } from './group.ts'
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
  step: RunStep,
  env: NodeJS.ProcessEnv,
  onLine: ((line: string) => void) | undefined,
  { stop, limitMs = LIMIT_MS, more = {}, secret }: Bounds = {},
): Promise<Answer<string>> {
  const name = basename(step.argv[0])
  if (stop?.aborted) return failed(stopped(name))
  const started = tryStart(step, { ...withoutSecrets(env), ...more })
  if (!started.ok) return started
  const group = started.output
  let cut: Failure | undefined
  const end = (why: Failure): void => {
    cut ??= why
    group.end()
  }
  const onStop = (): void => end(stopped(name))
  stop?.addEventListener('abort', onStop, { once: true })
  const timer = setTimeout(() => end(late(name, limitMs)), limitMs)
  const [out, lines, ended] = await Promise.all([
    collectText(group.stdout),
    eachLine(group.stderr, (line) => onLine?.(`[${name}] ${hide(line, secret)}`)),
    group.ended,
  ])
  clearTimeout(timer)
  stop?.removeEventListener('abort', onStop)
  if (cut) return failed(cut)
  const outcome = outcomeOf(name, ended, {
    out: hide(out, secret),
    last: lines.map((line) => hide(line, secret)).at(-1),
  })
  return outcome.ok || onLine
    ? outcome
    : failed({ ...outcome.error, details: lines.map((line) => hide(line, secret)) })
}

function hide(text: string, secret: string | undefined): string {
  return secret === undefined ? text : text.replaceAll(secret, '***')
}

/** Some faults are thrown, such as a zero byte in an argument, or too many letters in all of them. */
function tryStart({ argv, cwd }: RunStep, env: NodeJS.ProcessEnv): Answer<Group> {
  try {
    return done(startGroup(argv, { cwd, env }))
  } catch (error) {
    return unstarted(basename(argv[0]), messageOf(error))
  }
}

function unstarted(name: string, why: string) {
  return cannot('setup', `cannot start ${name}: ${why}`, 'check that it can be run here')
}

function outcomeOf(
  name: string,
  ended: End,
  { out, last }: { readonly out: string; readonly last: string | undefined },
): Answer<string> {
  if (ended.kind === 'unstarted') return unstarted(name, ended.why)
  if (ended.kind === 'exit' && ended.code === 0) return done(out)
  const how = ended.kind === 'exit' ? `ended with ${ended.code}` : `was ended by ${ended.signal}`
  return failed({
    code: 4,
    message: last === undefined ? `${name} ${how}` : `${name} ${how}: ${last.replace(/^error: /i, '')}`,
    remediation: 'fix what it complains about, then run it again',
    kind: 'scaffolder',
  })
}

function stopped(name: string): Failure {
  return {
    code: 130,
    message: `stopped; ${name} was ended`,
    remediation: 'run it again',
    kind: 'interrupted',
  }
}

function late(name: string, limitMs: number): Failure {
  return {
    code: 4,
    message: `${name} took longer than ${limitMs / 1000} s, and was ended`,
    remediation: 'run it by hand to see what it waits for',
    kind: 'scaffolder',
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
