import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as look } from 'node:timers/promises'
import { Looks } from './looks.ts'

test('output that nobody caused is written at the end of the turn', async () => {
  const looks = new Looks()
  let isWritten = false
  looks.soon(() => (isWritten = true))
  await look()
  assert.equal(isWritten, true)
})

test('after somebody spoke it is written one check later, then at once again', async () => {
  const looks = new Looks()
  let written = 0
  looks.soon(() => written++)
  looks.heard()
  await look()
  assert.equal(written, 0)
  await look()
  assert.equal(written, 1)
  looks.soon(() => written++)
  await look()
  assert.equal(written, 2)
})
