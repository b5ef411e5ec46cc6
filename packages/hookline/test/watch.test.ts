// `watch` of a running server: lines as they are posted, both formats, and how it ends.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { connectControl } from '../src/control/client.ts'
import type { SpokenView } from '../src/commands/chat/message.ts'
import type { Home } from '../src/home/home.ts'
import { spawnCommand } from './command.ts'
import { outputOf } from './control.ts'
import { Person } from './person.ts'
import { startRig } from './rig.ts'

test('watch shows one channel or all of them; Ctrl-C ends it with exit code 0, the end of the server with 2', async (t) => {
  await using rig = await startRig()
  const one = watch(t, rig.home, '#lobby', '--json')
  const all = watch(t, rig.home)
  // Nothing tells when a watcher is ready: earlier messages are history, so they are repeated until both have one.
  const heard = Promise.all([one.line, all.line])
  let isHeard = false
  void heard.then(() => (isHeard = true))
  while (!isHeard) {
    await outputOf(rig.home, 'send', { target: '#elsewhere', text: 'x', as: 'kim' })
    await outputOf(rig.home, 'send', { target: '#lobby', text: 'tea', as: 'kim' })
  }
  const [object, line] = await heard
  const { channel, from, text } = JSON.parse(object) as Record<string, unknown>
  assert.deepEqual([channel, from, text], ['#lobby', 'kim', 'tea'])
  assert.match(line, /^\d\d:\d\d #(elsewhere|lobby) <kim> (x|tea)$/)
  one.child.kill('SIGINT')
  assert.deepEqual(await one.exit, [0, null])
  rig.server.stop()
  assert.deepEqual(await all.exit, [2, null])
})

test('watch hears a renamed channel under its new name', async (t) => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#lobby' })
  const connected = await connectControl(rig.home)
  assert.ok(connected.ok)
  const { client } = connected
  t.after(() => client.close())
  const heard: unknown[] = []
  void client.call(
    'watch',
    { channel: '#Lobby' },
    { onEvent: (event) => heard.push((event as SpokenView).channel) },
  )
  const says = (target: string) => client.call('send', { target, text: 'tea', as: 'kim' })
  await says('#lobby')
  ann.type('RENAME #lobby #tea')
  await ann.settle()
  await says('#tea')
  await client.call('server status', {})
  assert.deepEqual(heard, ['#lobby', '#tea'])
})

/** Its first line, and its exit code and signal. */
function watch(t: TestContext, home: Home, ...args: readonly string[]) {
  const child = spawnCommand([], home, 'watch', ...args)
  const exit = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const line = once(createInterface({ input: child.stdout }), 'line').then(([first]) => String(first))
  return { child, exit, line }
}
