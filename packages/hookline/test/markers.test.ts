// Read markers of accounts last, and are those of all who are logged in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_MARKERS } from '../src/chat/features/history/markread.ts'
import { accountKey } from '../src/irc/names.ts'
import { Markers } from '../src/keeping/markers.ts'
import { openLog } from '../src/log/log.ts'
import type { Store } from '../src/store/store.ts'
import { TestChat } from './chat.ts'
import { Person } from './person.ts'
import { startRig } from './rig.ts'
import { newStores } from './rigs/store.ts'

test('marking the last line of a burst as read works although its times run ahead', async () => {
  await using rig = await startRig()
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'draft/read-marker echo-message server-time' })
  ann.type('JOIN #tea', ...Array.from({ length: 50 }, (_, i) => `PRIVMSG #tea :${i}`))
  const last = (await ann.settle()).at(-1) ?? ''
  const time = /^@time=(\S+) .* :49$/.exec(last)?.[1]
  ann.type(`MARKREAD #tea timestamp=${time}`)
  assert.match((await ann.settle()).join(), new RegExp(`MARKREAD #tea timestamp=${time}$`))
})

test('markers of an account survive a restart; those of a connection do not, and the oldest are dropped', async () => {
  await using stores = newStores()
  {
    const { store, chat, markers } = await restored(await stores.open())
    const moved = Array.from({ length: MOST_MARKERS + 5 }, (_, i) => [`#${i}`, i] as const)
    chat.propose({ kind: 'read.marked', owner: '@ann', markers: moved })
    chat.propose({ kind: 'read.marked', owner: '@ann', markers: [['#5', 7_000]] })
    chat.propose({ kind: 'read.marked', owner: 'u1', markers: [['#tea', 1]] })
    await markers.close()
    await store.close()
  }
  const { chat, markers } = await restored(await stores.open())
  const ann = chat.state.readMarkers.get('@ann')
  assert.equal(ann?.size, MOST_MARKERS)
  assert.equal(ann.get('#5'), 7_000)
  assert.equal(ann.get('#4'), undefined)
  assert.equal(ann.get('#6'), 6)
  assert.equal(chat.state.readMarkers.get('u1'), undefined)
  await markers.close()
})

test('markers of a deleted account are not those of the next account of its name', async () => {
  await using stores = newStores()
  const { store, chat, markers } = await restored(await stores.open())
  chat.propose({ kind: 'account.made', name: 'ann', createdAt: 0, settings: {} })
  chat.propose({ kind: 'read.marked', owner: '@ann', markers: [['#tea', 1]] })
  await markers.close()
  assert.equal((await store.records.all('read-marker')).length, 1)
  chat.propose({ kind: 'account.dropped', account: accountKey('ann') })
  await markers.close()
  assert.deepEqual(await store.records.all('read-marker'), [])
})

/** A chat with the markers that are on disk. */
async function restored(store: Store) {
  const { chat } = new TestChat()
  const markers = new Markers(chat, { store, log: openLog('error') })
  await markers.restore()
  return { store, chat, markers }
}
