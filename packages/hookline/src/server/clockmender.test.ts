import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logTo } from '../../test/log.ts'
import { newStores, row } from '../../test/rigs/store.ts'
import { ClockMender } from './clockmender.ts'

const DAY_MS = 86_400_000

test('only if something lay ahead the log says that it was pulled back', async () => {
  await using stores = newStores()
  const store = await stores.open()
  const now = Date.now()
  const said: string[] = []
  const log = logTo((_, text) => void said.push(text))
  const mend = async () => {
    const mender = new ClockMender(store, log)
    await mender.wasAhead(now)
    await mender.start(now)
  }
  await mend()
  assert.deepEqual(said, [])
  store.remember(row({ id: 'ahead', time: now + 40 * DAY_MS }))
  await mend()
  assert.deepEqual(said, ['the clock was ahead by more than a day: times that lay ahead were pulled back'])
})
