// A server that stops while its deliveries are read: that is the reason, not that it has none.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { newFolder } from '../../../../test/folder.ts'
import { findHome } from '../../../home/home.ts'
import { loadCommand } from '../../list.ts'
import { perform } from '../../perform.ts'

test('a server that goes away while its deliveries are read is named', async (t) => {
  using folder = newFolder()
  const home = findHome({ HOOKLINE_HOME: folder.path })
  const name = 'spark-ori-ci'
  mkdirSync(join(home.bots, name), { recursive: true })
  writeFileSync(join(home.bots, name, 'bot.yaml'), `bot: {name: ${name}, owner: spark-ori}\n`)
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(`${JSON.stringify({ id: 1, ok: true, output: [{ id: 'd-1' }] })}\n`)
      socket.once('data', () => socket.end())
    })
  }).listen(home.socket)
  t.after(() => server.close())
  await once(server, 'listening')

  const known = { serverName: undefined, webhook: undefined }
  const lint = await loadCommand('bot lint')
  assert.ok(lint)
  const call = { emit: () => undefined, signal: t.signal }
  const answer = await perform(lint, { home, running: undefined, known }, { name }, call)
  assert.ok(!answer.ok)
  assert.equal(answer.error.message, 'the server closed the connection: it may have stopped')
})
