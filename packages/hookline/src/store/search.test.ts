// Words of messages: found at once and later, until they are retracted, pruned or erased.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraser } from './erase.ts'
import { historyTable } from './history.ts'
import type { HistoryRow, SearchQuery } from './historyrows.ts'
import { KEEPS_ALL, migrated, timeOf } from '../../test/rigs/store.ts'
import { needed, SEARCH_SQL, searchIndex, wordsOf } from './search.ts'
import { trimmer } from './trim.ts'
import { historyValues } from './values.ts'

test('a search queries the index once, then fetches the messages that it names', () => {
  using db = migrated()
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${SEARCH_SQL}`).all()
  assert.deepEqual(
    plan.map(({ detail }) => detail),
    // M: what matches; > and <: from this row on, up to that one.
    ['SCAN history_words VIRTUAL TABLE INDEX 192:M3><', 'SEARCH history USING INTEGER PRIMARY KEY (rowid=?)'],
  )
})

test('words are found by prefix, before and after they are indexed', () => {
  const { add, find, words } = tables()
  add('m1', 'The kettle failed')
  add('m2', 'kettles boil, Café opens')
  add('m3', 'nothing', { from: 'Bob' })
  add('m4', 'the kettle again', { conversation: '#milk' })
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(find({ words: ['kettle'] }), ['m1', 'm2'])
    assert.deepEqual(find({ words: ['kettle', 'fail'] }), ['m1'])
    assert.deepEqual(find({ words: wordsOf('CAFE') }), ['m2'])
    assert.deepEqual(find({ words: ['ettle'] }), [])
    assert.deepEqual(find({ words: ['th'] }), [], 'two letters are a word, and begin none')
    assert.deepEqual(find({ from: 'bob' }), ['m3'])
    assert.deepEqual(find({ words: ['kettle'], limit: 1 }), ['m2'])
    assert.deepEqual(find({ words: ['kettle'], after: 1_000 }), ['m2'])
    assert.deepEqual(find({ words: ['kettle'], before: 2_000 }), ['m1'])
    const both = [{ conversation: '#tea' }, { conversation: '#milk' }]
    assert.deepEqual(find({ words: ['kettle'], sights: both }), ['m1', 'm2', 'm4'])
    while (words.grow());
  }
})

test('words of every script are found, before and after they are indexed', () => {
  const { add, find, words } = tables()
  const said = [
    'мой чайник',
    '서버가 죽었다',
    'データベース',
    'το καλάθι',
    'हिन्दी',
    'Việt Nam',
    'בְּרֵאשִׁית',
    '\uf900',
  ]
  for (const [i, text] of said.entries()) add(`m${i + 1}`, text)
  for (let round = 0; round < 2; round++) {
    for (const [i, text] of said.entries())
      for (const word of wordsOf(text))
        assert.ok(find({ words: [word] }).includes(`m${i + 1}`), `${word} of ${text}`)
    assert.deepEqual(find({ words: wordsOf('viet') }), ['m6'])
    assert.deepEqual(find({ words: wordsOf('мои') }), [], 'й is a letter of its own')
    while (words.grow());
  }
})

test('a search between two times finds messages written late, and those posted after the clock had been ahead', () => {
  const { add, find, words } = tables()
  const later = 60_000_000
  for (let i = 1; i <= 300; i++) add(`m${later + i}`, 'kettle')
  for (let i = 1; i <= 300; i++) add(`m${i + (i === 150 ? 30 : 0)}`, i === 150 ? 'late kettle' : 'kettle')
  while (words.grow());
  assert.deepEqual(find({ words: ['late'], after: 179_000, before: 181_000 }), ['m180'])
  assert.deepEqual(find({ words: ['kettle'], before: 3_000 }), ['m1', 'm2'])
  assert.deepEqual(find({ words: ['kettle'], limit: 2 }), ['m299', 'm300'])
  assert.deepEqual(find({ words: ['kettle'], after: 299_000, before: later * 1_000 }), ['m300'])
  assert.equal(find({ words: ['kettle'], after: later * 1_000, limit: 400 }).length, 300)
  assert.deepEqual(find({ words: ['kettle'], before: 1_000 }), [])
})

test('a search word implied by another is not looked up', () => {
  assert.deepEqual(needed(['kettle', 'ket', 'tea', 'kettle', 'te', 'te', 'kettles']), [
    'tea',
    'te',
    'kettles',
  ])
  const { add, find, words } = tables()
  add('m1', 'kettles of te')
  while (words.grow());
  assert.deepEqual(find({ words: ['ket', 'kettle', 'ket', 'te'] }), ['m1'])
  assert.deepEqual(find({ words: ['ket', 'kettle', 'tea'] }), [])
})

test('new messages are indexed in steps', () => {
  const { add, find, words } = tables()
  for (let i = 1; i <= 130; i++) add(`m${i}`, `word${i}`)
  assert.equal(words.grow(), true)
  assert.deepEqual(find({ words: ['word12'], limit: 3 }), ['m127', 'm128', 'm129'])
  assert.equal(words.grow(), false)
  assert.deepEqual(find({ words: ['word129'] }), ['m129'])
  assert.equal(words.grow(), false)
})

test('messages retracted or hidden from the reader are not found, and their words leave the file', () => {
  const { db, add, find, words, history } = tables()
  add('m1', 'secretword one')
  add('m2', 'secretword two', { closed: 500 })
  add('m3', 'secretword three', { rank: '@', closed: 500 })
  add('m4', 'otherword four')
  words.grow()
  assert.deepEqual(find({ words: ['secretword'] }), ['m1'])
  const sight = { conversation: '#tea', incarnation: 500, ranks: '@' }
  assert.deepEqual(find({ words: ['secretword'], sights: [sight] }), ['m1', 'm2', 'm3'])
  for (const id of ['m1', 'm2', 'm3']) history.redact(id, { by: 'ann', time: 9_000, reason: null })
  assert.deepEqual(find({ words: ['secretword'], sights: [sight] }), [])
  const blocks = db.prepare('SELECT block FROM history_words_data').all()
  assert.ok(blocks.length > 0)
  for (const { block } of blocks)
    assert.doesNotMatch(Buffer.from(block as Uint8Array).toString('latin1'), /secretword/)
})

test('colours and bold neither hide a word nor stay in the index', () => {
  const { db, add, find, words, history } = tables()
  add('m1', '\u000304failed\u0003 12 of te\u0002a\u0002')
  add('m2', 'as an earlier version indexed it: \u000304failed\u0003')
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(find({ words: ['failed'] }), ['m1', 'm2'])
    assert.deepEqual(find({ words: ['12', 'tea'] }), ['m1'])
    assert.deepEqual(find({ words: ['04failed'] }), [])
    while (words.grow());
  }
  const { text } = db.prepare("SELECT text FROM history WHERE id = 'm2'").get() as { text: string }
  const place = 'p1'
  const who = `n${Buffer.from('ann').toString('hex')}`
  const plain = text.replace('\u000304', '').replace('\u0003', '')
  db.prepare(
    "INSERT INTO history_words (history_words, rowid, place, who, words) VALUES ('delete', 2, ?, ?, ?)",
  ).run(place, who, plain)
  db.prepare('INSERT INTO history_words (rowid, place, who, words) VALUES (2, ?, ?, ?)').run(place, who, text)
  for (const id of ['m1', 'm2']) history.redact(id, { by: 'ann', time: 9_000, reason: null })
  db.exec('CREATE VIRTUAL TABLE temp.left_over USING fts5vocab(main, history_words, row)')
  assert.deepEqual(db.prepare('SELECT term FROM temp.left_over').all(), [])
})

test('a renamed channel keeps its indexed words', () => {
  const { add, find, words, history } = tables()
  add('m1', 'kettle')
  add('m2', 'kettle', { conversation: '#milk' })
  words.grow()
  history.rename({ from: '#tea', to: '#milk', name: '#Milk' })
  add('m3', 'kettle', { conversation: '#milk' })
  words.grow()
  assert.deepEqual(find({ words: ['kettle'], sights: [{ conversation: '#milk' }] }), ['m1', 'm2', 'm3'])
  assert.deepEqual(find({ words: ['kettle'] }), [])
})

test('each conversation keeps a limited number of messages, and none beyond a number of days', () => {
  const { db, add, find, words } = tables()
  for (let i = 1; i <= 450; i++) {
    add(`m${i}`, 'kettle')
    if (i % 10 === 0) add(`d${i}`, 'kettle', { conversation: 'ann bob', time: i * 1_000 })
  }
  words.grow()
  const trim = trimmer(db, words)
  while (trim({ passed: timeOf(0), keep: { ...KEEPS_ALL, channelMessages: 400 } }));
  const left = db.prepare("SELECT count(*) AS n FROM history WHERE conversation = '#tea'").get()
  assert.equal(left?.['n'], 400, 'more than are walked over at a time')
  const keep = { ...KEEPS_ALL, channelMessages: 5, directMessages: 3 }
  while (trim({ passed: timeOf(0), keep }));
  const all = { words: ['kettle'], limit: 99 }
  assert.deepEqual(find(all), ['m446', 'm447', 'm448', 'm449', 'm450'])
  assert.deepEqual(find({ ...all, sights: [{ conversation: 'ann bob' }] }), ['d430', 'd440', 'd450'])
  assert.equal(db.prepare('SELECT count(*) AS n FROM correspondents').get()?.['n'], 2)

  const aged = { ...KEEPS_ALL, days: 1 }
  const dayMs = 24 * 60 * 60 * 1_000
  while (trim({ passed: timeOf(dayMs + 448_000), keep: aged }));
  assert.deepEqual(find(all), ['m449', 'm450'])
  assert.deepEqual(find({ ...all, sights: [{ conversation: 'ann bob' }] }), ['d450'])
  while (trim({ passed: timeOf(2 * dayMs), keep: aged }));
  assert.equal(db.prepare('SELECT count(*) AS n FROM history').get()?.['n'], 0)
  assert.equal(db.prepare('SELECT count(*) AS n FROM correspondents').get()?.['n'], 0)
})

test('messages posted after the newest were pruned are found, in the tail and in the index', () => {
  for (const how of ['erase', 'trim'] as const) {
    const { db, add, find, words } = tables()
    for (let i = 1; i <= 3; i++) add(`m${i}`, 'kettle')
    while (words.grow());
    if (how === 'erase') eraser(db, words)({ conversations: ['#tea'], account: undefined, from: 0 })
    else trimmer(db, words)({ passed: timeOf(9e12), keep: { ...KEEPS_ALL, days: 1 } })
    assert.deepEqual(find({ words: ['kettle'] }), [])
    add('m4', 'kettle')
    assert.deepEqual(find({ words: ['kettle'] }), ['m4'], how)
    while (words.grow());
    assert.deepEqual(find({ words: ['kettle'] }), ['m4'], how)
  }
})

function tables() {
  const db = migrated()
  const words = searchIndex(db)
  const history = historyTable(db, words)
  const find = (query: Partial<SearchQuery>) => {
    const usual = {
      sights: [{ conversation: '#tea' }],
      words: [],
      from: undefined,
      after: 0,
      before: 9e12,
      limit: 9,
    }
    return words.search({ ...usual, ...query }).map(({ id }) => id)
  }
  const add = (id: string, text: string, facts: Partial<HistoryRow> = {}) => {
    const usual = {
      command: 'PRIVMSG',
      conversation: '#tea',
      target: '#tea',
      from: 'ann',
      mask: 'ann!a@h',
    } as const
    const rest = { account: null, isBot: false, tags: '{}', delivery: null }
    history.add([historyValues({ id, time: Number(id.slice(1)) * 1_000, text, ...usual, ...rest, ...facts })])
  }
  return { db, words, history, find, add }
}
