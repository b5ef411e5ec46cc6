// A shell with the real command, and what its steps should print: for transcripts and for the pages of docs/.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { findHome, type Home } from '../src/home/home.ts'
import { bin, environment } from './command.ts'
import { newFolder } from './folder.ts'
import { runResident, withResident } from './resident.ts'

const DEADLINE_MS = 120_000

export interface Step {
  readonly line: number
  readonly command: string
  readonly expected: string[]
}

/** `$ command` and the lines it prints; `[1]` last is the exit code, none is 0. `line` is the number of the first line. */
export function stepsOf(lines: readonly string[], name: string, line: number): readonly Step[] {
  const steps: Step[] = []
  for (const [index, text] of lines.entries()) {
    const last = steps.at(-1)
    if (text.startsWith('$ ')) steps.push({ line: index + line, command: text.slice(2), expected: [] })
    else if (last) last.expected.push(text)
    else if (text.trim() !== '') throw new Error(`${name}:${index + line}: output before any command`)
  }
  if (steps.length === 0) throw new Error(`${name}: no command`)
  for (const { expected } of steps) while (expected.at(-1) === '') expected.pop()
  return steps
}

/** Exact, but `{any}` is anything on one line. */
export function patternOf(expected: string): RegExp {
  const parts = expected.split('{any}').map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('[^\\n]*')}$`)
}

/** An empty home; a server that a command has left in it ends with it. */
export function emptyHome(): Home & AsyncDisposable {
  const folder = newFolder()
  const home = findHome({ HOOKLINE_HOME: folder.path })
  return {
    ...home,
    async [Symbol.asyncDispose]() {
      if (existsSync(home.socket)) await runInShell('hookline server stop', home.folder)
      folder.remove()
    },
  }
}

/**
 * Through a real shell; stdout, then stderr, then the exit code where it is not 0. Each `hookline` is a process of its own with
 * `isReal`; else most of them have the resident process do the work, which takes a tenth of the time.
 */
export async function runInShell(command: string, home: string, isReal = false): Promise<string> {
  const path = dirname(process.execPath) + delimiter + (process.env['PATH'] ?? '')
  const env = { ...environment({ folder: home }), PATH: path, LANG: 'C.UTF-8', TZ: 'UTC' }
  const args = isReal ? undefined : plainArgs(command)
  const { stdout, stderr, code } =
    (args && (await runResident({ args, cwd: home, env }))) ??
    (isReal ? await runBySh(`${REAL}\n${command}`, home, env) : await runHelped(command, home, env))
  const status = code === 0 ? '' : `[${code}]\n`
  return (stdout + stderr.replaceAll(AS_ROOT, '') + status).replaceAll(home, '~').trimEnd()
}

/** Of a command that has nothing for a shell to do but to take quotes away. */
function plainArgs(command: string): readonly string[] | undefined {
  if (!/^hookline(?: (?:[\w@.,:=/-]+|'[^']*'))*$/.test(command) || command.startsWith('hookline watch'))
    return
  return [...command.matchAll(/ (?:'([^']*)'|(\S+))/g)].map(([, quoted, plain = '']) => quoted ?? plain)
}

function runHelped(command: string, home: string, env: NodeJS.ProcessEnv): Promise<Printed> {
  return withResident((port) => runBySh(`${helped(port)}\n${command}`, home, env))
}

interface Printed {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | string | null
}

async function runBySh(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Printed> {
  const child = spawn('/bin/sh', ['-c', script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // The shell leads its own process group: what it started ends with it.
  const timer = setTimeout(() => process.kill(-(child.pid ?? NaN), 'SIGKILL'), DEADLINE_MS)
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  clearTimeout(timer)
  return { stdout, stderr, code: code ?? signal }
}

const REAL = `hookline() { '${process.execPath}' '${bin}' "$@"; }`
const CALL = fileURLToPath(new URL('resident/call.cjs', import.meta.url))

/** What runs until a signal comes needs a process of its own. */
function helped(port: number): string {
  return `hookline() {
  case "$1" in
    watch) '${process.execPath}' '${bin}' "$@" ;;
    *) '${process.execPath}' '${CALL}' ${port} '${bin}' "$@" ;;
  esac
}`
}

/** Whoever runs the tests may be root, or not. */
const AS_ROOT = /^warning: the server runs as root: .*\n {2}mend: .*\n/gm
