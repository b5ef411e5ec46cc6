// A server goes on as it began, whatever becomes of its own files: an update may replace them while it runs.
import assert from 'node:assert/strict'
import { cpSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inShell, startBy } from './command.ts'
import { call, outputOf } from './control.ts'
import { newFolder } from './folder.ts'
import { temporaryHome } from './rig.ts'

test('once a server has answered, its commands need its files no more', async (t) => {
  using installed = install()
  const home = temporaryHome(t)
  await using server = await startBy(installed.by, home)
  // It comes before most is loaded, and waits.
  await outputOf(home, 'server status', {})
  for (const room of ['bots', 'commands', 'config'])
    renameSync(join(installed.src, room), join(installed.src, `${room}.old`))
  await outputOf(home, 'bot create', { name: 'tea', owner: 'spark-ori', channels: ['#tea'], start: true })
  for (const name of ['bot inspect', 'bot logs', 'bot capture', 'bot delete'])
    await outputOf(home, name, { name: 'spark-ori-tea' })
  const why = await call(home, 'bot why', { id: 'd-1' })
  assert.ok(!why.ok && why.error.kind === 'not_found')
  await outputOf(home, 'server reload', {})
  await server.stop()
})

test('a command that cannot be loaded keeps no server from starting, nor any other command from running', async (t) => {
  using installed = install()
  writeFileSync(join(installed.src, 'commands/delivery/why.ts'), 'half a fil(')
  const home = temporaryHome(t)
  await using server = await startBy(installed.by, home)
  const why = await call(home, 'bot why', { id: 'd-1' })
  assert.ok(!why.ok && why.error.kind === 'internal', JSON.stringify(why))
  await outputOf(home, 'bot list', {})
  assert.match(await server.stop(), /"command":"bot why","msg":"a command cannot be loaded/)
})

/** The sources at another place, and what runs them there in place of these. */
function install() {
  const folder = newFolder()
  const here = join(import.meta.dirname, '..')
  const there = join(folder.path, 'packages/hookline')
  for (const part of ['src', 'package.json']) cpSync(join(here, part), join(there, part), { recursive: true })
  symlinkSync(join(here, '../../node_modules'), join(folder.path, 'node_modules'))
  const by = inShell(`node=$1; shift 2; exec "$node" '${join(there, 'src/cli/main.ts')}' "$@"`)
  return { src: join(there, 'src'), by, [Symbol.dispose]: () => folder.remove() }
}
