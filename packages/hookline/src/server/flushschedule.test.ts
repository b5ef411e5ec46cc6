import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as look } from 'node:timers/promises'
import { FlushSchedule } from './flushschedule.ts'

test('output that nobody caused is written at the end of the turn', async () => {
  const flushing = new FlushSchedule()
  let isWritten = false
  flushing.soon(() => (isWritten = true))
  await look()
  assert.equal(isWritten, true)
})

test('after somebody spoke it is written one check later, then at once again', async () => {
  const flushing = new FlushSchedule()
  let written = 0
  flushing.soon(() => written++)
  flushing.heard()
  await look()
  assert.equal(written, 0)
  await look()
  assert.equal(written, 1)
  flushing.soon(() => written++)
  await look()
  assert.equal(written, 2)
})
