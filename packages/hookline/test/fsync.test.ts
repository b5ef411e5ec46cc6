// Under strace: an acknowledgement leaves the process only after the fsync that put its delivery on the disk.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cannotTrace } from './strace.ts'
import { answeredTooEarly } from './syncorder.ts'

test(
  'no answer precedes the fsync of its row, with 160 posts from 16 senders',
  { skip: cannotTrace, timeout: 300_000 },
  async (t) => assert.deepEqual(await answeredTooEarly(160, t), []),
)
