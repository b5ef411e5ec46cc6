// `watch` of a running server: lines as they are posted, both formats, and how it ends.
import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../bin/hookline.js', import.meta.url))

test('watch shows one channel or all of them, and Ctrl-C ends it with exit code 0', async (t) => {
  const home = serverHome(t)
  const one = watch(t, home, ['#lobby', '--json'])
  const all = watch(t, home, [])
  // Nothing tells when a watcher is ready: earlier messages are history, so they are repeated until both have one.
  const heard = Promise.all([one.line(), all.line()])
  let isHeard = false
  void heard.then(() => (isHeard = true))
  while (!isHeard) {
    hookline(home, ['send', '#elsewhere', 'x', '--as', 'kim'])
    hookline(home, ['send', '#lobby', 'tea', '--as', 'kim'])
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [object, line] = await heard
  const { channel, from, text } = JSON.parse(object) as Record<string, unknown>
  assert.deepEqual([channel, from, text], ['#lobby', 'kim', 'tea'])
  assert.match(line, /^\d\d:\d\d #(elsewhere|lobby) <kim> (x|tea)$/)
  one.child.kill('SIGINT')
  assert.deepEqual(await one.exit, [0, null])
})

test('watch ends with exit code 2 when the server stops', async (t) => {
  const home = serverHome(t)
  const all = watch(t, home, [])
  const first = all.line()
  let isHeard = false
  void first.then(() => (isHeard = true))
  while (!isHeard) {
    hookline(home, ['send', '#lobby', 'tea', '--as', 'kim'])
    await new Promise((resolve) => setImmediate(resolve))
  }
  hookline(home, ['server', 'stop'])
  assert.deepEqual(await all.exit, [2, null])
})

function serverHome(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'hookline-'))
  hookline(home, ['server', 'start', '--name', 'spark', '--detach'])
  t.after(() => {
    spawnSync(process.execPath, [bin, 'server', 'stop'], { env: environment(home) })
    rmSync(home, { recursive: true, force: true })
  })
  return home
}

function watch(
  t: TestContext,
  home: string,
  args: readonly string[],
): { child: ChildProcess; exit: Promise<unknown[]>; line(): Promise<string> } {
  const child = spawn(process.execPath, [bin, 'watch', ...args], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child, exit, line: async () => String((await lines.next()).value) }
}

function hookline(home: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], {
    env: environment(home),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
}

function environment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    HOOKLINE_HOME: home,
    HOOKLINE_PORT: '0',
    HOOKLINE_WEBHOOK_PORT: '0',
  }
}
