import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { temporaryFolder } from '../../test/rig.ts'
import type { RunStep } from '../plan/step.ts'
import { findTool, installHint, runTool } from './tools.ts'

const ENV = { PATH: '/usr/bin:/bin' }

function sh(script: string): RunStep {
  return { kind: 'run', id: 'x', title: 'x', op: 'run', argv: ['/bin/sh', '-c', script], cwd: tmpdir() }
}

test('a tool is found on PATH, if it is executable', () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'maker')
  writeFileSync(file, '')
  const env = { PATH: `${delimiter}${folder.path}` }
  assert.equal(findTool('maker', env, '/'), undefined)
  chmodSync(file, 0o755)
  assert.equal(findTool('maker', env, '/'), file)
  assert.equal(findTool('./maker', {}, folder.path), file)
  assert.equal(findTool('maker', {}, folder.path), undefined)
  assert.match(installHint('cookiecutter'), /apt install cookiecutter/)
  assert.equal(installHint('constructor'), 'install constructor, or name another tool: --with')
})

test('no token reaches the tool in the base64 of an HTTP header, wherever in it the token begins and ends', async () => {
  const token = 'ghs_aZ09?>~aZ09?>~'
  for (const user of ['', 'x', 'xy', 'xyz', 'x-access-token']) {
    for (const after of ['', '0', '00', '000']) {
      const header = Buffer.from(`${user}:${token}${after}`)
      const env = {
        ...ENV,
        GH_TOKEN: token,
        GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${header.toString('base64')}`,
        GIT_CONFIG_VALUE_1: header.toString('base64url'),
        GIT_CONFIG_VALUE_2: `AUTHORIZATION: basic ${Buffer.from('somebody:else').toString('base64')}`,
      }
      const ran = await runTool(sh('env'), env, undefined)
      assert.ok(ran.ok)
      assert.deepEqual(ran.output.match(/VALUE_./g), ['VALUE_2'], `${user}:…${after}`)
    }
  }
})

test('its stderr is passed on line by line, with its name; its stdout is the answer', async () => {
  const lines: string[] = []
  const ran = await runTool(sh('echo out; echo one >&2; printf "two\\r\\n\\nthree" >&2'), ENV, (line) =>
    lines.push(line),
  )
  assert.deepEqual(ran, { ok: true, output: 'out\n' })
  assert.deepEqual(lines, ['[sh] one', '[sh] two', '[sh] three'])
})

test('a failing tool is exit 4; the end of its output is included if it was not shown', async () => {
  const script = 'echo careful >&2; echo "Error: no such thing" >&2; exit 7'
  const heard = await runTool(sh(script), ENV, () => undefined)
  assert.ok(!heard.ok)
  assert.equal(heard.error.code, 4)
  assert.equal(heard.error.kind, 'scaffolder')
  assert.equal(heard.error.message, 'sh ended with 7: no such thing')
  assert.equal(heard.error.details, undefined)
  const unheard = await runTool(sh(script), ENV, undefined)
  assert.ok(!unheard.ok)
  assert.deepEqual(unheard.error.details, ['careful', 'Error: no such thing'])
  const killed = await runTool(sh('kill -9 $$'), ENV, undefined)
  assert.ok(!killed.ok)
  assert.match(killed.error.message, /was ended by SIGKILL/)
})

test('a tool that cannot be started is a setup error', async () => {
  for (const argv of [
    ['/no/such/tool'],
    ['/bin/echo', 'a\0b'],
    ['/bin/echo', 'x'.repeat(2 ** 22)],
  ] as const) {
    const ran = await runTool({ ...sh(''), argv }, ENV, undefined)
    assert.ok(!ran.ok)
    assert.deepEqual([ran.error.code, ran.error.kind], [2, 'setup'])
    assert.match(ran.error.message, /^cannot start (tool|echo): /)
  }
})

test('output beyond the limits is dropped, and the tool does not wait for us', async () => {
  const lines: string[] = []
  const script = 'yes | head -c 3000000; yes | head -3000 >&2; head -c 9000 /dev/zero | tr "\\0" x >&2'
  const ran = await runTool(sh(script), ENV, (line) => lines.push(line))
  assert.ok(ran.ok)
  assert.equal(ran.output.length, 256 * 1024 + '\n… the rest was dropped'.length)
  assert.equal(lines.length, 2001)
  assert.equal(lines.at(-1), '[sh] … further lines are not shown')
})

test('a tool that takes too long is ended', async () => {
  const ran = await runTool(sh('echo waiting >&2; exec sleep 60'), ENV, undefined, { limitMs: 50 })
  assert.ok(!ran.ok)
  assert.match(ran.error.message, /took longer than 0.05 s/)
  assert.equal(ran.error.code, 4)
})

test('Ctrl-C ends the tool, with its child processes, even those that ignore it', async () => {
  using folder = temporaryFolder()
  const stop = new AbortController()
  const file = join(folder.path, 'pid')
  const script = `(trap '' TERM; sh -c 'echo $PPID > ${file}; echo ready >&2; sleep 60'; sleep 60) & wait`
  const ran = await runTool(sh(script), ENV, () => stop.abort(), { stop: stop.signal })
  assert.ok(!ran.ok)
  assert.equal(ran.error.code, 130)
  await hasEnded(Number(readFileSync(file, 'utf8')))
})

test('Ctrl-C also ends what ignores it and has closed its streams', async () => {
  using folder = temporaryFolder()
  const stop = new AbortController()
  const file = join(folder.path, 'pid')
  const script = `(trap '' TERM; sh -c 'echo $PPID > ${file}; echo ready >&2'; exec >/dev/null 2>&1; sleep 60; sleep 60) & wait`
  const ran = await runTool(sh(script), ENV, () => stop.abort(), { stop: stop.signal })
  assert.ok(!ran.ok && ran.error.code === 130)
  await hasEnded(Number(readFileSync(file, 'utf8')))
})

test('after Ctrl-C no tool is started', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'started')
  const ran = await runTool(sh(`touch ${file}`), ENV, undefined, { stop: AbortSignal.abort() })
  assert.ok(!ran.ok && ran.error.code === 130)
  assert.throws(() => readFileSync(file), /ENOENT/)
})

test('a tool that leaves a process running does not keep us waiting', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'pid')
  const ran = await runTool(sh(`sleep 60 & echo $! > ${file}; echo made`), ENV, undefined)
  assert.deepEqual(ran, { ok: true, output: 'made\n' })
  await hasEnded(Number(readFileSync(file, 'utf8')))
})

/** A process told to end may need a moment. The test's own deadline ends the wait. */
async function hasEnded(pid: number): Promise<void> {
  while (isRunning(pid)) await setImmediate()
}

/** A zombie is still listed, but no longer runs. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
