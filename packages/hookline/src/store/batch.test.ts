import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextBatch, type Waiting } from './batch.ts'
import type { ReadJob, WriteJob } from './operations.ts'

const MB = 1024 * 1024

test('a batch takes at most 2,000 lines, 512 writes and 64 reads, from the front', () => {
  const lines = at(2_500, 0).map((order) => line(order))
  const writes = at(2_000, 2_500).map((order) => write(order))
  const reads = at(100, -100).map(read)
  assert.deepEqual(nextBatch({ lines, writes, reads }, false), { lines: 2_000, writes: 512, reads: 64 })
})

test('of more than 32 writes, a batch takes half', () => {
  const share = (count: number) => {
    const writes = at(count, 0).map((order) => write(order))
    return nextBatch({ lines: [], writes, reads: [] }, false).writes
  }
  assert.deepEqual([0, 1, 32, 33, 64, 65, 101].map(share), [0, 1, 32, 32, 32, 33, 51])
})

test('a batch takes at most 4 MB of lines and of writes; anything larger goes alone', () => {
  const lines = [line(0, MB), line(1, 3 * MB), line(2, 1)]
  const writes = [write(3, 9 * MB), write(4, 1)]
  assert.deepEqual(nextBatch({ lines, writes, reads: [] }, false), { lines: 2, writes: 1, reads: 0 })
})

test('a channel rename waits for the writes before it, and later lines wait for the rename', () => {
  const lines = [line(0), rename(2), line(3)]
  const share = (write1: number) => nextBatch({ lines, writes: [write(write1)], reads: [] }, false).lines
  assert.equal(share(1), 1)
  assert.equal(share(4), 3)
})

test('a read waits for what was queued before it and is still queued', () => {
  const writes = at(40, 0).map((order) => write(order))
  const reads = [read(20), read(31.5), read(32.5), read(99)]
  assert.equal(nextBatch({ lines: [], writes, reads }, false).reads, 2)
  assert.equal(nextBatch({ lines: [], writes: writes.slice(0, 32), reads }, false).reads, 4)
  assert.equal(nextBatch({ lines: [rename(30), line(31)], writes, reads }, false).reads, 1)
})

test('an erasure waits for the lines before it, and not for those after it', () => {
  const lines = at(2_002, 0).map((order) => line(order))
  const writes = (order: number) =>
    nextBatch({ lines, writes: [write(-1), erase(order)], reads: [] }, false).writes
  assert.deepEqual([2_001.5, 2_000.5, 1_999.5].map(writes), [1, 1, 2])
})

test('while the disk fails, a read and an erasure wait for nothing', () => {
  const lines = [line(0), rename(3)]
  assert.equal(nextBatch({ lines, writes: [write(2)], reads: [read(4)] }, true).reads, 1)
  const many = at(2_002, 0).map((order) => line(order))
  assert.equal(nextBatch({ lines: many, writes: [erase(3_000)], reads: [] }, true).writes, 1)
})

function at(count: number, from: number): number[] {
  return Array.from({ length: count }, (_, nth) => from + nth)
}

function line(order: number, bytes = 1): Waiting<WriteJob> {
  return { job: ['happened', happened], bytes, order }
}

function rename(order: number): Waiting<WriteJob> {
  return { job: ['rename', { from: '#tea', to: '#coffee', name: '#Coffee' }], bytes: 1, order }
}

function write(order: number, bytes = 1): Waiting<WriteJob> {
  return { job: ['reopen', 'd-1'], bytes, order }
}

function erase(order: number): Waiting<WriteJob> {
  return { job: ['erase', { conversations: ['#tea'], account: undefined, from: 0 }], bytes: 1, order }
}

function read(order: number): Waiting<ReadJob> {
  return { job: ['message', 'm1'], bytes: 1, order }
}

const happened = {
  id: 'm1',
  time: 1,
  command: 'JOIN',
  mask: 'amy!a@host',
  account: null,
  isBot: false,
  params: [],
  places: [],
}
