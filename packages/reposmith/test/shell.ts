// Runs `$ command` lines as a person would, against their own host: in a real shell, unless they are one plain call of reposmith.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { TOKEN, type TestHost } from './host.ts'
import { AS_ADA, bin, NO_INDEX, reposmith, type Ended } from './rig.ts'

const DEADLINE_MS = 120_000

export interface Step {
  readonly line: number
  command: string
  readonly expected: string[]
}

/** `$ command`, its further lines behind `> `, and the lines it prints; `[1]` last is the exit code, none is 0. `from` is the number of the first line. */
export function parseSteps(lines: readonly string[], name: string, from: number): readonly Step[] {
  const steps: Step[] = []
  for (const [index, line] of lines.entries()) {
    const last = steps.at(-1)
    if (last && line.startsWith('> ') && last.expected.length === 0) last.command += `\n${line.slice(2)}`
    else if (line.startsWith('$ ')) steps.push({ line: index + from, command: line.slice(2), expected: [] })
    else if (last) last.expected.push(line)
    else if (line.trim() !== '') throw new Error(`${name}:${index + from}: output before any command`)
  }
  if (steps.length === 0) throw new Error(`${name}: no command`)
  for (const { expected } of steps) while (expected.at(-1) === '') expected.pop()
  return steps
}

/** Exact, but `{any}` is anything on one line, and how long something took does not count. */
export function patternOf(expected: string): RegExp {
  const parts = timeless(expected)
    .split('{any}')
    .map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('[^\\n]*')}$`)
}

/** Stdout, then stderr, then the exit code where it is not 0. The host is `https://git.example.org/api/v3`. */
export async function type(command: string, home: string, host: TestHost): Promise<string> {
  const { stdout, stderr, code } = await (PLAIN.test(command) ? call : runShell)(command, home, host)
  const status = code === 0 ? '' : `[${code}]\n`
  const printed = (stdout + stderr + status).replaceAll(home, '~').trimEnd()
  const named = printed.replaceAll(host.url, 'https://git.example.org/api/v3')
  const { origin, host: address } = new URL(host.url)
  return timeless(named.replaceAll(origin, 'https://git.example.org').replaceAll(address, 'git.example.org'))
}

/** A shell would make nothing else of it. */
const PLAIN = /^reposmith [\w ./:=@,-]*$/

/** In this process. */
async function call(command: string, home: string, host: TestHost): Promise<Ended> {
  const [, ...args] = command.split(/ +/)
  const env = { PATH: pathFrom(home), XDG_STATE_HOME: '' }
  return await reposmith(args, { cwd: home, url: host.url, env })
}

async function runShell(command: string, home: string, host: TestHost): Promise<Ended> {
  const shell = `reposmith() { '${process.execPath}' '${bin}' "$@"; }\n${command}`
  const child = spawn('/bin/sh', ['-c', shell], {
    cwd: home,
    env: {
      PATH: pathFrom(home),
      HOME: home,
      CODEHOST_API_URL: host.url,
      CODEHOST_TOKEN: TOKEN,
      LANG: 'C.UTF-8',
      ...AS_ADA,
      ...NO_INDEX,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // The shell leads its own process group: what it started ends with it.
  const timer = setTimeout(() => process.kill(-(child.pid ?? NaN), 'SIGKILL'), DEADLINE_MS)
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  clearTimeout(timer)
  if (signal) throw new Error(`${command} was ended by ${signal}`)
  return { code, stdout, stderr }
}

function pathFrom(home: string): string {
  return [home, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
}

function timeless(printed: string): string {
  return printed.replaceAll(/\d+ ms\b/g, 'N ms')
}
