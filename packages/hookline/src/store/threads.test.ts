// Which message another one replies to, as the store decides it.
import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Outcome } from './deliveryrows.ts'
import { migrated, outcome, row, timeOf } from '../../test/rigs/store.ts'
import { replyTags, threadsTable } from './threads.ts'
import { historyValues } from './values.ts'

const day = 24 * 60 * 60 * 1_000
const now = 100 * day

test('the first message of a thread is no reply, later ones reply to it, per channel and bot', () => {
  using db = migrated()
  const { joinThread } = threadsOf(db)
  assert.deepEqual(joinThread(said('7', ['m1', '#a'], ['m2', '#b'])), {})
  assert.deepEqual(joinThread(said('7', ['m3', '#a'], ['m4', '#b'])), { m3: 'm1', m4: 'm2' })
  assert.deepEqual(joinThread(said('8', ['m5', '#a'])), {})
  assert.deepEqual(joinThread(said('7', ['m6', '#c'], ['m7', '#a'])), { m7: 'm1' })
  const other = said('7', ['m9', '#a'])
  assert.deepEqual(joinThread({ ...other, thread: { bot: 'other', key: '7', messages: ['m9'] } }), {})
  // A direct message to the owner is in the history of the delivery, but in no thread.
  assert.deepEqual(
    joinThread({
      ...said('7', ['m10', '#a'], ['m11', 'ci ori']),
      thread: { bot: 'ci', key: '7', messages: ['m10'] },
    }),
    { m10: 'm1' },
  )
})

test('a thread ends 30 days after its last message, not after its first', () => {
  using db = migrated()
  const { joinThread } = threadsOf(db)
  const at = (days: number, id: string) => joinThread(said('7', [id, '#a', now + days * day]))
  assert.deepEqual(at(0, 'm1'), {})
  assert.deepEqual(at(20, 'm2'), { m2: 'm1' })
  assert.deepEqual(at(49, 'm3'), { m3: 'm1' })
  assert.deepEqual(at(80, 'm4'), {})
  assert.deepEqual(at(81, 'm5'), { m5: 'm4' })
})

test('a retracted message gets no replies: the next message is the first', () => {
  using db = migrated()
  const { joinThread, forget } = threadsOf(db)
  joinThread(said('7', ['m1', '#a'], ['m2', '#b']))
  joinThread(said('7', ['m3', '#a']))
  forget(row({ id: 'm3', conversation: '#a', from: 'ci' }))
  assert.deepEqual(joinThread(said('7', ['m4', '#a'])), { m4: 'm1' })
  forget(row({ id: 'm1', conversation: '#a', from: 'ci' }))
  assert.deepEqual(joinThread(said('7', ['m5', '#a'], ['m6', '#b'])), { m6: 'm2' })
  assert.deepEqual(joinThread(said('7', ['m7', '#a'])), { m7: 'm5' })
})

test('the 10,000 most recent threads of a bot are kept, and none that was quiet for 30 days', () => {
  using db = migrated()
  const { joinThread, prune } = threadsOf(db)
  db.exec('BEGIN')
  for (let i = 0; i < 10_450; i++) joinThread(said(`k${i}`, [`m${i}`, '#a', now + i]))
  for (let i = 0; i < 3; i++) {
    const quiet = said(`q${i}`, [`q${i}`, '#a', now - 31 * day])
    joinThread({ ...quiet, thread: { bot: 'quiet', key: `q${i}`, messages: [`q${i}`] } })
  }
  // The oldest of all gets a new message.
  joinThread(said('k0', ['late', '#a', now + 20_000]))
  db.exec('COMMIT')
  let steps = 1
  while (prune(timeOf(now + 20_000))) steps++
  assert.ok(steps > 2, 'in steps of 200')
  const left = db.prepare('SELECT bot, key FROM threads ORDER BY time').all()
  assert.equal(left.length, 10_000)
  assert.deepEqual([left[0]?.['key'], left.at(-1)?.['key']], ['k451', 'k0'])
})

test('a reply has both the ratified and the draft tag', () => {
  assert.deepEqual(replyTags('m1'), [
    ['+draft/reply', 'm1'],
    ['+reply', 'm1'],
  ])
})

function threadsOf(db: DatabaseSync) {
  const table = threadsTable(db)
  const joinThread = ({ history, thread }: Outcome) =>
    thread && table.join(history.map(historyValues), thread)
  return { ...table, joinThread }
}

function said(key: string, ...messages: readonly (readonly [string, string, number?])[]): Outcome {
  const history = messages.map(([id, conversation, time = now]) =>
    row({ id, conversation, time, from: 'ci' }),
  )
  return outcome({ history, thread: { bot: 'ci', key, messages: messages.map(([id]) => id) } })
}
