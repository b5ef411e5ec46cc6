import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { quiet as log } from './samples.test.ts'
import { openStore } from './store.ts'

test('a record is found by kind and key, as last saved, until it is removed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = await openStore(folder, { log })
  await store.records.save([
    { kind: 'channel', key: '#tea', json: '1' },
    { kind: 'channel', key: '#milk', json: '2' },
    { kind: 'user', key: '#tea', json: '3' },
  ])
  await store.records.save([
    { kind: 'channel', key: '#tea', json: '4' },
    { kind: 'channel', key: '#milk', json: null },
  ])
  await store.close()

  const again = await openStore(folder, { log })
  t.after(() => again.close())
  assert.deepEqual(await again.records.all('channel'), [{ key: '#tea', json: '4' }])
  assert.deepEqual(await again.records.all('user'), [{ key: '#tea', json: '3' }])
})
