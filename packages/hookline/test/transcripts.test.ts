// Plays test/transcripts/*.txt: what is typed, what both streams print, and the exit code. See test/transcripts/README.md.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = new URL('transcripts/', import.meta.url)
const bin = fileURLToPath(new URL('../bin/hookline.js', import.meta.url))
const DEADLINE_MS = 30_000

for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
  const transcript = parse(readFileSync(new URL(file, folder), 'utf8'), file)
  test(`${file}: ${transcript.title}`, async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'hookline-'))
    t.after(async () => {
      // Whatever server the transcript left behind goes with its folder.
      if (existsSync(join(home, 'control.sock'))) await run('hookline server stop', home)
      rmSync(home, { recursive: true, force: true })
    })
    for (const step of transcript.steps) {
      const printed = await run(step.command, home)
      const expected = step.expected.join('\n')
      const shown = `${transcript.name}:${step.line}: $ ${step.command}\n${printed}`
      assert.match(printed, patternOf(expected), `${shown}\nshould have been:\n${expected}`)
    }
  })
}

test('a transcript that cannot be read is an error', () => {
  assert.throws(() => parse('$ hookline\n', 'x.txt'), /begins with a title/)
  assert.throws(() => parse('# title\nhello\n', 'x.txt'), /x.txt:2: output before any command/)
  assert.throws(() => parse('# title\n', 'x.txt'), /no command/)
  assert.doesNotMatch('abc', patternOf('ab'))
  assert.match('port 4711 is open', patternOf('port {any} is open'))
  assert.doesNotMatch('one\ntwo', patternOf('{any}'), '{any} stays on its line')
})

interface Step {
  readonly line: number
  readonly command: string
  readonly expected: string[]
}

/** `# title`, then `$ command` and the lines it prints; `[1]` last is the exit code, none is 0. */
function parse(text: string, name: string): { name: string; title: string; steps: readonly Step[] } {
  const [first = '', ...lines] = text.trimEnd().split('\n')
  if (!first.startsWith('# ')) throw new Error(`${name}: a transcript begins with a title: # what it shows`)
  const steps: Step[] = []
  for (const [index, line] of lines.entries()) {
    const last = steps.at(-1)
    if (line.startsWith('$ ')) steps.push({ line: index + 2, command: line.slice(2), expected: [] })
    else if (last) last.expected.push(line)
    else if (line.trim() !== '') throw new Error(`${name}:${index + 2}: output before any command`)
  }
  if (steps.length === 0) throw new Error(`${name}: no command`)
  for (const { expected } of steps) while (expected.at(-1) === '') expected.pop()
  return { name, title: first.slice(2), steps }
}

/** Exact, but `{any}` is anything on one line. */
function patternOf(expected: string): RegExp {
  const parts = expected.split('{any}').map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('[^\\n]*')}$`)
}

/** Through a real shell; stdout, then stderr, then the exit code where it is not 0. */
function run(command: string, home: string): Promise<string> {
  const shell = `hookline() { '${process.execPath}' '${bin}' "$@"; }\n${command}`
  const path = dirname(process.execPath) + delimiter + (process.env['PATH'] ?? '')
  // Not the settings of whoever runs the tests.
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
      // The shell leads a group of its own: what it started ends with it.
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
