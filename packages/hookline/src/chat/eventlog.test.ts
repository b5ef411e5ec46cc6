import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from './events.ts'
import { localLog } from './eventlog.ts'

test('a reader that throws does not keep this entry or the next from the other readers', () => {
  const log = localLog(() => ({ at: 0, id: '' }))
  const event = { kind: 'user.quit' } as Event
  const read: number[] = []
  log.follow(0, ({ seq }) => {
    if (seq === 0) log.append(event)
    throw new Error(`at ${seq}`)
  })
  log.follow(0, ({ seq }) => void read.push(seq))
  assert.throws(() => log.append(event), /^Error: at 0$/)
  assert.deepEqual(read, [0, 1])
})
