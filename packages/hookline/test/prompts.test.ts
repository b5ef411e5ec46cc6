// Questions on a terminal.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { bin } from './command.ts'
import { newFolder } from './folder.ts'
import { IN_TERMINAL } from './terminal.ts'

const WIDE = ['sh', '-c', 'stty cols 80 rows 24; exec "$0" "$@"']

for (const [key, typed] of [
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
] as const) {
  test(`${key} at a question ends all of them`, async () => {
    const { code, shown } = await atTerminal('xterm', 'Short name of the bot', typed)
    assert.equal(code, 1)
    assert.match(shown, /nothing was created/)
    assert.doesNotMatch(shown, /Owner/)
  })
}

test('no questions are asked on a terminal that cannot move its cursor', async () => {
  const { code, shown } = await atTerminal('dumb')
  assert.equal(code, 1)
  assert.equal(shown.split('\r\n', 1)[0], 'error: bot create: NAME is missing')
})

test('with a preset no message is asked for', async () => {
  const given = ['--owner', 'spark-ori', '--channels', '#builds', '--preset', 'github']
  const { code, shown } = await atTerminal('xterm', 'Short name of the bot', 'ci\r', given)
  assert.equal(code, 0)
  assert.match(shown, /created spark-ori-ci: /)
})

/** `bot create`, at which `answer` is typed once `question` is there. */
async function atTerminal(term: string, question?: string, answer = '', given: readonly string[] = []) {
  using home = newFolder()
  const command = [process.execPath, bin, 'bot', 'create', ...given]
  const child = spawn('python3', [...IN_TERMINAL, ...WIDE, ...command], {
    env: { PATH: process.env['PATH'], HOME: home.path, TERM: term },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 60_000,
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let shown = ''
  let hasAnswered = question === undefined
  for await (const chunk of child.stdout) {
    shown += String(chunk)
    if (hasAnswered || !shown.includes(question ?? '')) continue
    hasAnswered = true
    child.stdin.write(answer)
  }
  return { code: await ended, shown }
}
