import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { newFolder } from '../../test/folder.ts'
import { logTo, silent } from '../../test/log.ts'
import type { Batch } from './operations.ts'
import { JobQueue } from './queue.ts'
import { row } from '../../test/rigs/store.ts'
import { startWorker } from './writer.ts'

test('lines of several turns are written in one batch, 20 ms after the first, without a request', async (t) => {
  await using store = await standingStill(t)
  for (const id of ['m1', 'm2', 'm3']) {
    store.queue.remember(row({ id }))
    await setImmediate()
  }
  t.mock.timers.tick(19)
  await setImmediate()
  assert.deepEqual(store.batches, [])
  t.mock.timers.tick(1)
  await store.settled()
  assert.deepEqual(store.batches, [3])

  store.queue.remember(row({ id: 'm4' }))
  t.mock.timers.tick(20)
  await store.settled()
  assert.deepEqual(store.batches, [3, 1])
})

test('a request writes the lines before it at once', async (t) => {
  await using store = await standingStill(t)
  store.queue.remember(row({ id: 'm1' }))
  const rows = await store.queue.read('history', { conversation: '#tea', limit: 9 })
  assert.deepEqual(rows, [row({ id: 'm1' })])
  store.queue.remember(row({ id: 'm2' }))
  await store.queue.write('kept.done', { nick: 'amy', ids: [], told: 0 }, 0)
  assert.deepEqual(store.batches, [1, 1])
})

test('2,000 lines are written without waiting for more, and lines that come meanwhile are not forgotten', async (t) => {
  await using store = await standingStill(t)
  for (let i = 0; i < 2_000; i++) store.queue.remember(row({ id: `m${i}` }))
  await setImmediate()
  store.queue.remember(row({ id: 'late' }))
  t.mock.timers.tick(20)
  while (store.queue.length > 1) await setImmediate()
  t.mock.timers.tick(20)
  await store.settled()
  assert.deepEqual(store.batches, [2_000, 1])
})

test('of many waiting jobs half go at a time, and the next are sent before these are answered', async (t) => {
  await using store = await standingStill(t)
  const sentWhenAnswered: number[] = []
  const done = Array.from({ length: 100 }, async () => {
    await store.queue.write('kept.done', { nick: 'amy', ids: [], told: 0 }, 0)
    sentWhenAnswered.push(store.writes.length)
  })
  await Promise.all(done)
  assert.deepEqual(store.writes, [50, 32, 18])
  assert.deepEqual([sentWhenAnswered[0], sentWhenAnswered[50], sentWhenAnswered[99]], [2, 2, 3])
})

test('once its thread has ended, the disk is not blamed for lines that are lost', async () => {
  using folder = newFolder()
  const told: string[] = []
  const { worker } = await startWorker(folder.path, undefined)
  const queue = new JobQueue(worker, { log: logTo((_, text) => void told.push(text)) })
  await worker.terminate()
  queue.remember(row({ id: 'm1' }))
  await assert.rejects(queue.read('message', 'm1'), /the store has stopped/)
  assert.deepEqual(told, ['the store has stopped, and so does the server'])
})

/** Over a database, with a clock that advances only by ticks. `batches`: lines in each batch; `writes`: waiting jobs in each. */
async function standingStill(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const folder = newFolder()
  const { worker } = await startWorker(folder.path, undefined)
  const batches: number[] = []
  const writes: number[] = []
  const post = worker.postMessage.bind(worker)
  t.mock.method(worker, 'postMessage', (message: Batch | 'close', transfer: readonly ArrayBuffer[]) => {
    if (message !== 'close') {
      batches.push(message.lines.length)
      writes.push(message.writes.length)
    }
    post(message, transfer)
  })
  const queue = new JobQueue(worker, { log: silent })
  return {
    queue,
    batches,
    writes,
    settled: async () => {
      while (queue.length > 0) await setImmediate()
    },
    [Symbol.asyncDispose]: async () => {
      await queue.close()
      folder.remove()
    },
  }
}
