// A shell with the real command, and what its steps should print: for transcripts and for the pages of docs/.
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { bin } from './command.ts'

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

/** Through a real shell; stdout, then stderr, then the exit code where it is not 0. */
export function runInShell(command: string, home: string): Promise<string> {
  const shell = `hookline() { '${process.execPath}' '${bin}' "$@"; }\n${command}`
  const path = dirname(process.execPath) + delimiter + (process.env['PATH'] ?? '')
  // Not the environment of whoever runs the tests.
  const child = spawn('/bin/sh', ['-c', shell], {
    cwd: home,
    env: {
      PATH: path,
      HOME: home,
      HOOKLINE_HOME: home,
      HOOKLINE_PORT: '0',
      HOOKLINE_WEBHOOK_PORT: '0',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
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
        resolve((texts.join('') + status).replaceAll(home, '~').trimEnd())
      })
    })
  })
}
