import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraser } from './erase.ts'
import { historyTable } from './history.ts'
import { KEEPS_ALL, migrated, timeOf } from '../../test/rigs/store.ts'
import { searchIndex } from './search.ts'
import { trimmer } from './trim.ts'
import { historyValues } from './values.ts'

test('a conversation is erased with its messages, events and indexed words; others stay', () => {
  const { db, add, run } = tables()
  for (let i = 1; i <= 700; i++) add(`t${i}`, '#tea', 'ann')
  add('m1', '#milk', 'ann')
  add('d1', '@ann @bob', 'ann')
  assert.equal(run({ conversations: ['#tea', '@ann @bob', '@ann bob'], account: undefined }), 701)
  const left = db.prepare('SELECT id FROM history').all()
  assert.deepEqual(
    left.map(({ id }) => id),
    ['m1'],
  )
  assert.equal(db.prepare('SELECT count(*) AS n FROM history_events').get()?.['n'], 0)
  assert.equal(db.prepare('SELECT count(*) AS n FROM correspondents').get()?.['n'], 0)
  const found = db.prepare(`SELECT rowid FROM history_words WHERE history_words MATCH 'kettle'`).all()
  assert.equal(found.length, 1)
})

test('an account’s messages are erased everywhere, however its name is written', () => {
  const { db, add, run } = tables()
  add('m1', '#tea', 'Ann')
  add('m2', '#tea', 'bob')
  add('m3', '@ann @bob', 'ann')
  add('m4', '#tea', 'Ärger')
  assert.equal(run({ conversations: [], account: 'ann' }), 2)
  assert.equal(run({ conversations: [], account: 'ärger' }), 1)
  const left = db.prepare('SELECT id FROM history').all()
  assert.deepEqual(
    left.map(({ id }) => id),
    ['m2'],
  )
})

test('messages retracted before are erased too, by hand or by age: their words already are', () => {
  for (const how of ['erase', 'trim'] as const) {
    const { db, add, run, history, index } = tables()
    add('m1', '#tea', 'ann')
    add('m2', '#tea', 'ann')
    add('m3', '#milk', 'ann')
    while (index.grow());
    for (const id of ['m1', 'm2', 'm3']) history.redact(id, { by: 'ann!a@host', time: 9, reason: null })
    if (how === 'erase') assert.equal(run({ conversations: ['#tea'], account: undefined }), 2)
    else {
      const keep = { ...KEEPS_ALL, channelMessages: 0 }
      while (trimmer(db, index)({ passed: timeOf(10), keep }));
    }
    assert.equal(db.prepare(`SELECT count(*) AS n FROM history WHERE conversation = '#tea'`).get()?.['n'], 0)
    db.exec(`INSERT INTO history_words (history_words) VALUES ('integrity-check')`)
    assert.deepEqual(db.prepare('PRAGMA integrity_check').get(), { __proto__: null, integrity_check: 'ok' })
  }
})

test('once no message of a conversation is left, nothing tells that there was one', () => {
  for (const how of ['conversation', 'account', 'age'] as const) {
    const { db, add, run, index } = tables()
    add('m1', '#tea', 'ann')
    for (let i = 0; i < 3; i++) add(`d${i}`, `ann bob${i}`, 'ann')
    add('d3', 'ann bob3', 'bob3')
    while (index.grow());
    if (how === 'conversation')
      run({ conversations: ['#tea', 'ann bob0', 'ann bob1', 'ann bob2'], account: undefined })
    else if (how === 'account') run({ conversations: [], account: 'ann' })
    else
      while (
        trimmer(
          db,
          index,
        )({ passed: timeOf(DAY_MS + 5), keep: { channelMessages: 9, directMessages: 9, days: 1 } })
      );
    const kept = how === 'age' ? [] : ['ann bob3']
    const left = (table: string) =>
      db
        .prepare(`SELECT DISTINCT conversation FROM ${table}`)
        .all()
        .map(({ conversation }) => conversation)
    for (const table of ['history', 'history_places', 'correspondents'])
      assert.deepEqual(left(table), kept, `${table}, ${how}`)
  }
})

test('messages of a renamed channel leave the index, although an earlier channel had its new name', () => {
  const { db, add, run, history, index } = tables()
  for (let i = 0; i < 3; i++) add(`m${i}`, '#milk', 'ann')
  for (let i = 0; i < 3; i++) add(`t${i}`, '#tea', 'ann')
  while (index.grow());
  history.rename({ from: '#tea', to: '#milk', name: '#milk' })
  history.redact('t1', { by: 'ann!a@host', time: 9, reason: null })
  assert.equal(run({ conversations: ['#milk'], account: undefined }), 6)
  db.exec(`CREATE VIRTUAL TABLE temp.left_over USING fts5vocab(main, history_words, row)`)
  assert.deepEqual(db.prepare('SELECT term FROM temp.left_over').all(), [])
  db.exec(`INSERT INTO history_words (history_words) VALUES ('integrity-check')`)
})

const DAY_MS = 24 * 60 * 60 * 1_000

function tables() {
  const db = migrated()
  const index = searchIndex(db)
  const history = historyTable(db, index)
  const erase = eraser(db, index)
  let time = 0
  return {
    db,
    history,
    index,
    add: (id: string, conversation: string, account: string): void => {
      const facts = {
        account,
        isBot: false,
        text: 'kettle',
        tags: '{}',
        delivery: null,
        from: account,
        mask: account,
      }
      const what = { id, time: ++time, command: 'PRIVMSG', conversation, target: conversation } as const
      history.add([historyValues({ ...what, ...facts })])
      const places = [{ conversation: '#tea', target: '#tea' }]
      const happened = {
        id: `e-${id}`,
        time,
        command: 'PART',
        mask: account,
        account,
        isBot: false,
        params: [],
      }
      if (conversation === '#tea') history.addHappened({ ...happened, places })
    },
    /** Indexes everything first; returns the number of messages. */
    run: (what: { conversations: readonly string[]; account: string | undefined }): number => {
      while (index.grow());
      let erased = 0
      for (let from: number | undefined = 0; from !== undefined;) {
        const step = erase({ ...what, from })
        erased += step.messages
        from = step.next
      }
      return erased
    },
  }
}
