import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStores } from '../../test/rigs/store.ts'

test('a record is found by kind and key, as last saved, until it is removed', async () => {
  await using home = newStores()
  const store = await home.open()
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

  const again = await home.open()
  assert.deepEqual(await again.records.all('channel'), [{ key: '#tea', json: '4' }])
  assert.deepEqual(await again.records.all('user'), [{ key: '#tea', json: '3' }])
})
