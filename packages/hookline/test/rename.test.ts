// What a channel's new name does beyond the channel.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Person } from './person.ts'
import { startRig } from './rig.ts'

test('what was said in a channel is found under its new name, to all of it and to some ranks', async () => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.socket.write('JOIN #old\r\nPRIVMSG #old :before\r\nPRIVMSG @#old :to operators\r\n')
  ann.socket.write('RENAME #old #New\r\nPRIVMSG #new :after\r\n')
  await ann.settle()
  const said = await rig.server.store.history('#new', 10)
  assert.deepEqual(
    said.map(({ target, text }) => [target, text]),
    [
      ['#New', 'before'],
      ['#New', 'after'],
    ],
  )
  const narrowed = await rig.server.store.history('@#new', 10)
  assert.deepEqual(
    narrowed.map(({ target, text }) => [target, text]),
    [['@#New', 'to operators']],
  )
  assert.deepEqual(await rig.server.store.history('#old', 10), [])
})
