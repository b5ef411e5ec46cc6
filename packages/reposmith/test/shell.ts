// Runs `$ command` lines as a person would, in a real shell, against their own host.
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { TOKEN, type TestHost } from './host.ts'
import { bin } from './rig.ts'

const DEADLINE_MS = 120_000

export interface Step {
  readonly line: number
  readonly command: string
  readonly expected: string[]
}

/** `$ command` and the lines it prints; `[1]` last is the exit code, none is 0. `from` is the number of the first line. */
export function parseSteps(lines: readonly string[], name: string, from: number): readonly Step[] {
  const steps: Step[] = []
  for (const [index, line] of lines.entries()) {
    const last = steps.at(-1)
    if (line.startsWith('$ ')) steps.push({ line: index + from, command: line.slice(2), expected: [] })
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
export function type(command: string, home: string, host: TestHost): Promise<string> {
  const shell = `reposmith() { '${process.execPath}' '${bin}' "$@"; }\n${command}`
  const child = spawn('/bin/sh', ['-c', shell], {
    cwd: home,
    env: {
      PATH: [home, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      HOME: home,
      CODEHOST_API_URL: host.url,
      CODEHOST_TOKEN: TOKEN,
      LANG: 'C.UTF-8',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const streams = [child.stdout, child.stderr].map(async (stream) => {
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += String(chunk)
    return text
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // The shell leads its own process group: what it started ends with it.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      reject(new Error(`$ ${command}: nothing for ${DEADLINE_MS / 1000} s`))
    }, DEADLINE_MS)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      void Promise.all(streams).then((texts) => {
        const status = code === 0 ? '' : `[${code ?? signal}]\n`
        const text = (texts.join('') + status).replaceAll(home, '~').trimEnd()
        const named = text.replaceAll(host.url, 'https://git.example.org/api/v3')
        resolve(timeless(named.replaceAll(new URL(host.url).host, 'git.example.org')))
      })
    })
  })
}

function timeless(text: string): string {
  return text.replaceAll(/\d+ ms\b/g, 'N ms')
}
