import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeptFor } from './deliveryrows.ts'
import { Recipients } from './recipients.ts'

const NOTHING: KeptFor = { messages: [], dropped: 0 }

test('a nick for which nothing was ever kept is not looked up', async () => {
  const recipients = new Recipients()
  const found = await recipients.of('ann', () => assert.fail('it was read'))
  assert.deepEqual(found, NOTHING)
})

test('a nick with nothing left is not looked up again', async () => {
  const recipients = new Recipients()
  recipients.add('ann')
  let reads = 0
  const read = async (nick: string): Promise<KeptFor> => {
    assert.equal(nick, 'ann')
    return ++reads === 1 ? { messages: [], dropped: 2 } : NOTHING
  }
  assert.equal((await recipients.of('ann', read)).dropped, 2)
  assert.equal((await recipients.of('ann', read)).dropped, 0)
  await recipients.of('ann', read)
  assert.equal(reads, 2)
})

test('a message kept while the disk is being asked is found the next time', async () => {
  const recipients = new Recipients()
  recipients.add('ann')
  await recipients.of('ann', async () => {
    recipients.add('ann')
    return NOTHING
  })
  assert.equal((await recipients.of('ann', async () => ({ messages: [], dropped: 1 }))).dropped, 1)
})
