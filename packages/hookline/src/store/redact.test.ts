// Retracted messages, in the history and in the record of their delivery.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { KeptMessage } from './deliveryrows.ts'
import { delivery, message, migrated, newStores, outcome, row } from '../../test/rigs/store.ts'

const byAnn = { by: 'ann!ann@host', time: 2_000, reason: 'wrong room' }

test('a retracted message loses its text and tags, keeps its place, and says who retracted it and why', async () => {
  await using home = newStores()
  const store = await home.open()
  for (const id of ['m1', 'm2', 'm3']) store.remember(row({ id, tags: '{"+color":"red"}' }))
  await store.redact('m2', byAnn)
  await store.redact('m2', { by: 'bob!bob@host', time: 3_000, reason: null })
  await store.redact('never said', byAnn)
  assert.deepEqual(await store.history('#tea', 10), [
    row({ id: 'm1', tags: '{"+color":"red"}' }),
    row({ id: 'm2', text: '', redacted: byAnn }),
    row({ id: 'm3', tags: '{"+color":"red"}' }),
  ])
  assert.deepEqual((await store.message('m2'))?.redacted, byAnn)
  await store.close()
  assert.equal(home.query(`SELECT text FROM history WHERE id = 'm2'`)['text'], '')
})

test('no byte of a long retracted text is left in the file, however it is retracted', async () => {
  await using home = newStores()
  const store = await home.open()
  for (const id of ['m1', 'm2', 'm3']) {
    const text = `${`${id} `.repeat(2_000)}`
    store.remember(row({ id, text, delivery: id === 'm3' ? 'd-1' : null }))
  }
  await store.redact('m1', byAnn)
  await store.deliveries.retract({ delivery: 'd-1', redaction: byAnn, note: 'retracted' })
  await store.close()
  const file = await readFile(home.file, 'latin1')
  const left = ['m1', 'm2', 'm3'].filter((id) => file.includes(`${id} ${id} ${id} `))
  assert.deepEqual(left, ['m2'])
})

test('a retracted text is in no file once that is acknowledged, including SQLite’s own log', async () => {
  await using home = newStores()
  const store = await home.open()
  // By another process: closing a file drops all locks that the process holds on it.
  const left = (text: string): string[] =>
    spawnSync('grep', ['-rlF', text, '.'], { cwd: home.path, encoding: 'utf8' })
      .stdout.split('\n')
      .filter(Boolean)
  for (const [id, text] of [
    ['m1', 'the code is 1234'],
    ['m2', 'the key is 5678'],
  ] as const)
    store.remember(row({ id, text, delivery: id === 'm2' ? 'd-1' : null }))
  await store.message('m2')
  assert.deepEqual(left('code is 1234'), ['./hookline.db-wal'])
  await store.redact('m1', byAnn)
  assert.deepEqual(left('code is 1234'), [])
  await store.deliveries.retract({ delivery: 'd-1', redaction: byAnn, note: 'retracted' })
  assert.deepEqual(left('key is 5678'), [])
  store.remember(row({ id: 'm4', text: 'the word is 9012' }))
  // A backup is reading meanwhile: it keeps what it has read, and the rest is caught up on after it.
  {
    using reader = new DatabaseSync(home.file, { readOnly: true })
    await store.message('m4')
    reader.exec('BEGIN')
    assert.equal(reader.prepare('SELECT count(*) AS n FROM history').get()?.['n'], 3)
    assert.equal(await store.erase({ conversations: ['#tea'], account: undefined }), 3)
    assert.deepEqual(left('word is 9012'), ['./hookline.db-wal'])
  }
  await store.records.save([{ kind: 'test', key: 'a', json: '1' }])
  assert.deepEqual(left('word is 9012'), [])
})

test('a delivery is retracted as a whole: all its messages, those waiting for somebody, and a note in its record', async () => {
  await using home = newStores()
  const store = await home.open()
  const said = ['a', 'b'].map((id) => row({ id, delivery: 'd-1', conversation: `#${id}` }))
  const kept = ['ori', 'claude'].map((nick) => keptFor(nick, 'd-1'))
  await store.deliveries.record(delivery({ id: 'd-1' }), outcome({ history: said, kept }))
  const other = row({ id: 'c', delivery: 'd-2' })
  const otherKept = keptFor('claude', 'd-2')
  await store.deliveries.record(delivery({ id: 'd-2' }), outcome({ history: [other], kept: [otherKept] }))
  await store.redact('b', byAnn)

  const retraction = { delivery: 'd-1', redaction: byAnn, note: 'retracted: wrong room' }
  const taken = await store.deliveries.retract(retraction)
  assert.deepEqual(taken, { said: [said[0]], unheard: 2 })
  assert.equal((await store.message('a'))?.text, '')
  assert.deepEqual(await store.message('c'), other)
  assert.deepEqual((await store.kept.of('claude')).messages, [otherKept])
  assert.equal((await store.deliveries.get('d-1'))?.reason, 'retracted: wrong room')
  assert.equal((await store.deliveries.get('d-2'))?.reason, null)
  assert.deepEqual(await store.deliveries.retract(retraction), { said: [], unheard: 0 })
})

test('a database of an earlier version keeps its contents', async () => {
  await using home = newStores()
  {
    using db = migrated(2, home.file)
    db.exec(`INSERT INTO history (id, time, command, conversation, target, nick, mask, is_bot, text, tags, delivery)
      VALUES ('old', 1, 'PRIVMSG', '#tea', '#tea', 'ci', 'ci!bot@spark', 1, 'hello', '{}', 'd-0')`)
  }
  const store = await home.open()
  const { said } = await store.deliveries.retract({ delivery: 'd-0', redaction: byAnn, note: 'retracted' })
  assert.deepEqual(
    said.map(({ text }) => text),
    ['hello'],
  )
  assert.deepEqual((await store.message('old'))?.redacted, byAnn)
})

function keptFor(nick: string, id: string): KeptMessage {
  return message({ id: `${nick} ${id}`, nick, delivery: id })
}
