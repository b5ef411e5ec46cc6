import assert from 'node:assert/strict'
import test from 'node:test'
import { logTo } from '../../test/log.ts'
import { Trouble } from './trouble.ts'

test('a slow disk and a failing one are each told of at once, then at most once a minute', () => {
  const told: unknown[] = []
  const trouble = new Trouble(logTo((data, text) => void told.push([text.split(':')[0], data])))
  trouble.end()
  trouble.drop(7)
  trouble.drop(8)
  trouble.begin('no space', 9)
  trouble.begin('no space', 9)
  trouble.drop(9)
  trouble.end()
  trouble.end()
  trouble.drop(3)
  assert.deepEqual(told, [
    ['too many writes are waiting for the disk', { waiting: 7, dropped: 1 }],
    ['the history cannot be written', { reason: 'no space', waiting: 9, dropped: 1 }],
    ['the store works again', { dropped: 2 }],
    ['too many writes are waiting for the disk', { waiting: 3, dropped: 1 }],
  ])
})
