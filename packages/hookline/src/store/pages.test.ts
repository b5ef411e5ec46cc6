// Pages of history: which rows, in which order, by which index, and who does not see them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, timeOfId } from './ids.ts'
import type { HappenedRow, HistoryRow, PageQuery } from './historyrows.ts'
import { messagesSql } from './pages.ts'
import { migrated, newStores, row as sample } from '../../test/rigs/store.ts'
import { migrations } from './schema.ts'
import type { Store } from './store.ts'
import { TARGETS_SQL } from './targets.ts'

const TEA = { conversation: '#tea' }
/** m1 at 1 s, m2 at 2 s, up to m9. */
const nine = Array.from({ length: 9 }, (_, i) => row(`m${i + 1}`))

test('a page is counted from either end, by time or message, excluding its anchors', async () => {
  await using home = newStores()
  const store = await home.open()
  for (const each of nine) store.remember(each)
  store.remember(row('other', { conversation: '#milk', time: 4_500 }))
  const ids = async (cut: PageQuery['cut'], limit: number) => read(store, { cut, limit })

  assert.deepEqual(await ids({ kind: 'newest' }, 3), ['m7', 'm8', 'm9'])
  assert.deepEqual(await ids({ kind: 'newest', after: at('m7') }, 9), ['m8', 'm9'])
  assert.deepEqual(await ids({ kind: 'newest', after: at('m2') }, 3), ['m7', 'm8', 'm9'])
  assert.deepEqual(await ids({ kind: 'newest', before: at('m4') }, 2), ['m2', 'm3'])
  assert.deepEqual(await ids({ kind: 'newest', before: { time: 3_500 } }, 2), ['m2', 'm3'])
  assert.deepEqual(await ids({ kind: 'oldest', after: at('m4') }, 2), ['m5', 'm6'])
  assert.deepEqual(await ids({ kind: 'oldest', after: { time: 4_000 } }, 2), ['m5', 'm6'])
  assert.deepEqual(await ids({ kind: 'between', first: at('m2'), second: at('m8') }, 3), ['m3', 'm4', 'm5'])
  assert.deepEqual(await ids({ kind: 'between', first: at('m8'), second: at('m2') }, 3), ['m5', 'm6', 'm7'])
  assert.deepEqual(await ids({ kind: 'around', middle: at('m5') }, 1), ['m5'])
  assert.deepEqual(await ids({ kind: 'around', middle: at('m5') }, 3), ['m4', 'm5', 'm6'])
  assert.deepEqual(await ids({ kind: 'around', middle: { time: 1_000 } }, 3), ['m1', 'm2', 'm3'])
})

test('a missing message is placed where its id says; a foreign id has no place', async () => {
  await using home = newStores()
  const store = await home.open()
  for (const each of nine) store.remember(each)
  const after = { id: 'gone', time: 7_500 }
  assert.deepEqual(await read(store, { cut: { kind: 'oldest', after }, limit: 9 }), ['m8', 'm9'])
  const unknown = { kind: 'oldest', after: { id: 'odd', time: undefined } } as const
  assert.equal(await store.page({ sights: [TEA], cut: unknown, limit: 9, isWithEvents: false }), undefined)
})

test('what was stamped ahead and pulled back is found by its id, and not read by the next holder of a nick', async () => {
  await using home = newStores()
  const store = await home.open()
  const [now, ahead] = [2_000_000_000_000, 4_000_000_000_000]
  const [asked, joined, taken] = [newId(ahead), newId(ahead + 1), newId(now + 1)]
  store.remember(row(asked, { time: ahead }))
  store.happened(happened(joined, { time: ahead + 1 }))
  await store.mend({ since: now, after: now + 10 })
  store.remember(row('later', { time: now }))
  for (const id of [asked, joined]) {
    const after = { id, time: timeOfId(id) }
    const ids = await read(store, { cut: { kind: 'oldest', after }, limit: 9, isWithEvents: true })
    assert.deepEqual(ids, id === asked ? [joined, 'later'] : ['later'])
  }
  const sights = [{ conversation: '#tea', since: taken }]
  assert.deepEqual(await store.page({ sights, cut: { kind: 'newest' }, limit: 9, isWithEvents: true }), [])
})

test('events appear among messages for those who ask for them', async () => {
  await using home = newStores()
  const store = await home.open()
  store.remember(row('m1'))
  store.happened(happened('e1', { time: 1_500 }))
  store.remember(row('m2'))
  store.remember(row('m3', { command: 'TAGMSG', text: '' }))
  store.happened(happened('e2', { time: 3_500 }))
  const page = (cut: PageQuery['cut'], isWithEvents: boolean, limit = 9) =>
    read(store, { cut, limit, isWithEvents })
  assert.deepEqual(await page({ kind: 'newest' }, true), ['m1', 'e1', 'm2', 'm3', 'e2'])
  assert.deepEqual(await page({ kind: 'newest' }, true, 2), ['m3', 'e2'])
  assert.deepEqual(await page({ kind: 'oldest', after: { id: 'e1', time: 1_490 } }, true, 2), ['m2', 'm3'])
  assert.deepEqual(await page({ kind: 'newest' }, false), ['m1', 'm2'])
})

test('two conversations read as one give one page', async () => {
  await using home = newStores()
  const store = await home.open()
  const one = '@ann @bob'
  const other = '@ann bob'
  for (const [i, each] of nine.entries()) store.remember({ ...each, conversation: i % 2 === 0 ? one : other })
  const sights = [{ conversation: one }, { conversation: other, since: 'm3' }]
  const cut = { kind: 'newest' } as const
  assert.deepEqual(await read(store, { sights, cut, limit: 4 }), ['m6', 'm7', 'm8', 'm9'])
  assert.deepEqual(await read(store, { sights, cut, limit: 9 }), [
    'm1',
    'm3',
    'm4',
    'm5',
    'm6',
    'm7',
    'm8',
    'm9',
  ])
})

test('messages to a closed channel, a higher rank or an earlier owner of the nick are not in the page', async () => {
  await using home = newStores()
  const store = await home.open()
  store.remember(row('m1', { closed: 500 }))
  store.remember(row('m2', { rank: '@' }))
  store.remember(row('m3'))
  await store.redact('m3', { by: 'ann', time: 4_000, reason: null })
  store.remember(row('m4'))
  store.happened(happened('e5', { time: 5_000, closed: 500 }))
  const seen = (sight: object) =>
    read(store, {
      sights: [{ ...TEA, ...sight }],
      cut: { kind: 'newest' },
      limit: 9,
      isWithEvents: true,
    })
  assert.deepEqual(await seen({}), ['m4'])
  assert.deepEqual(await seen({ incarnation: 500 }), ['m1', 'm4', 'e5'])
  assert.deepEqual(await seen({ incarnation: 900, ranks: '@+' }), ['m2', 'm4'])
  assert.deepEqual(await seen({ incarnation: 900, ranks: '%+' }), ['m4'])
  assert.deepEqual(await seen({ since: 'm1', ranks: '@' }), ['m2', 'm4'])
  assert.deepEqual(await seen({ since: 'm4' }), [])
})

test('targets are those whose latest message is between the two times', async () => {
  await using home = newStores()
  const store = await home.open()
  const said = (id: string, conversation: string) => store.remember(row(id, { conversation }))
  said('m1', '#tea')
  said('m2', '@ann @bob')
  said('m3', '#milk')
  said('m4', '@ann cy')
  said('m5', '@bob @cy')
  said('m6', '#tea')
  const list = async (first: number, second: number, limit = 9, since?: string) => {
    const channels = [TEA, { conversation: '#milk' }]
    const found = await store.targets({ channels, party: '@ann', since, first, second, limit })
    return found.map(({ conversation, time }) => `${conversation} ${time}`)
  }
  assert.deepEqual(await list(0, 9_999), ['@ann @bob 2000', '#milk 3000', '@ann cy 4000', '#tea 6000'])
  assert.deepEqual(await list(0, 5_000), ['@ann @bob 2000', '#milk 3000', '@ann cy 4000'])
  assert.deepEqual(await list(2_000, 9_999, 2), ['#milk 3000', '@ann cy 4000'])
  assert.deepEqual(await list(9_999, 0, 2), ['@ann cy 4000', '#tea 6000'])
  assert.deepEqual(await list(0, 9_999, 9, 'm3'), ['#milk 3000', '@ann cy 4000', '#tea 6000'])
})

test('targets with one time come on one page, which may be over its limit', async () => {
  await using home = newStores()
  const store = await home.open()
  const said = (id: string, conversation: string, time: number) =>
    store.remember(row(id, { conversation, time }))
  said('m1', '@ann bob', 1_000)
  said('m2', '@ann cy', 2_000)
  said('m3', '@ann dee', 2_000)
  said('m4', '@ann eve', 2_000)
  said('m5', '@ann fay', 3_000)
  const list = async (first: number, second: number, limit: number) => {
    const found = await store.targets({ channels: [], party: '@ann', first, second, limit })
    return found.map(({ conversation }) => conversation.slice(5))
  }
  assert.deepEqual(await list(0, 9_999, 2), ['bob', 'cy', 'dee', 'eve'])
  assert.deepEqual(await list(2_000, 9_999, 2), ['fay'])
  assert.deepEqual(await list(9_999, 0, 2), ['cy', 'dee', 'eve', 'fay'])
  assert.deepEqual(await list(9_999, 0, 1), ['fay'])
})

test('a page is found by the index alone, without sorting', () => {
  using db = migrated()
  for (const order of ['ASC', 'DESC'] as const) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${messagesSql(order)}`).all(facts)
    assert.deepEqual(
      plan.map(({ detail }) => detail),
      ['SEARCH history USING INDEX history_by_time (conversation=? AND time>? AND time<?)'],
    )
  }
})

test('targets are found by the same index, one row each', () => {
  using db = migrated()
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${TARGETS_SQL}`).all()
  assert.deepEqual(
    plan
      .map(({ detail }) => String(detail))
      .filter((detail) => /history|correspondents|SORT|B-TREE/.test(detail)),
    [
      'SEARCH correspondents USING PRIMARY KEY (party=?)',
      'SEARCH history USING INDEX history_by_time (conversation=? AND time>?)',
    ],
  )
})

test('messages that an earlier version stored by rank are in their channel, and its correspondents are known', async () => {
  await using home = newStores()
  {
    const before = migrations.findIndex((migration) => migration.includes('history_by_time'))
    using db = migrated(before, home.file)
    const add = db.prepare(`
      INSERT INTO history (id, time, command, conversation, target, nick, mask, is_bot, text, tags)
      VALUES (?, ?, 'PRIVMSG', ?, '', 'bob', 'bob!b@h', 0, '', '{}')`)
    add.run('m1', 1_000, '@#tea')
    add.run('m2', 2_000, '#tea')
    add.run('m3', 3_000, 'ann bob')
  }
  const store = await home.open()
  const cut = { kind: 'newest' } as const
  assert.deepEqual(await read(store, { cut, limit: 9 }), ['m2'])
  // Nobody knows whose channel it was then.
  assert.deepEqual(await read(store, { sights: [{ ...TEA, ranks: '@' }], cut, limit: 9 }), ['m2'])
  const [first] = await store.history('#tea', 9)
  assert.equal(first?.id, 'm2')
  const query = { channels: [], since: undefined, first: 0, second: 9_999, limit: 9 }
  for (const party of ['ann', 'bob'])
    assert.deepEqual(await store.targets({ ...query, party }), [{ conversation: 'ann bob', time: 3_000 }])
})

const facts = {
  conversation: '#tea',
  after: 0,
  before: 9,
  incarnation: 0,
  ranks: '',
  since: '',
  tagmsg: '',
  limit: 9,
}

function at(id: string) {
  return { id, time: 0 }
}

async function read(
  store: Store,
  query: Partial<PageQuery> & Pick<PageQuery, 'cut' | 'limit'>,
): Promise<string[]> {
  const page = await store.page({ sights: [TEA], isWithEvents: false, ...query })
  return (page ?? assert.fail('no page')).map(({ id }) => id)
}

/** `m3` was said at 3 s. */
function row(id: string, facts: Partial<HistoryRow> = {}): HistoryRow {
  const said = { from: 'bob', mask: 'bob!b@h', text: `text of ${id}` }
  return sample({ id, time: (Number(id.slice(1)) || 0) * 1_000, ...said, ...facts })
}

function happened(id: string, { time, closed }: { time: number; closed?: number }): HappenedRow {
  const places = [{ conversation: '#tea', target: '#tea', ...(closed === undefined ? {} : { closed }) }]
  return { id, time, command: 'PART', mask: 'bob!b@h', account: null, isBot: false, params: ['bye'], places }
}
