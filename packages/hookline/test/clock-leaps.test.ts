// The machine's clock leaps by more than a day, and comes back: nothing is deleted for it, nothing said is hidden, nothing is posted twice.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Home } from '../src/home/home.ts'
import type { HistoryRow } from '../src/store/historyrows.ts'
import { BELIEVED_AFTER_MS, DAY_MS } from '../src/store/trustedclock.ts'
import { hookline } from './command.ts'
import { BECOME_OPERATOR, OPERATOR } from './operator.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { QUICK, type Rig, startRig, temporaryHome } from './rig.ts'
import { delivery, row } from './rigs/store.ts'
import { come, TRUSTING } from './visitor.ts'

const bot = 'spark-ori-ci'
const bots = {
  [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#tea"], template: "{body.s}"}\n`,
}
const YEAR_MS = 365 * DAY_MS
const CAPS = 'batch draft/chathistory draft/event-playback draft/read-marker message-tags server-time'
const KEEPING = `${QUICK}history: {channel_messages: 50, days: 30}\n`

test('a start 40 days ahead deletes nothing: no pending delivery, no record of one, no history', async (t) => {
  const home = temporaryHome(t)
  const clock = newClock()
  const options = { home, bots, config: KEEPING, machine: clock.now, pruneEveryMs: 1 }
  let id = ''
  {
    await using rig = await startRig(options)
    const { json } = await post(`${rig.url}/${bot}`, { s: 'red' }, { 'Idempotency-Key': 'one' })
    id = String(json['id'])
    // Its folder is gone, perhaps on a disk that comes later.
    await rig.server.store.deliveries.begin(
      delivery({ id: 'd-waiting', bot: 'spark-ori-gone', receivedAt: clock.now() }),
    )
    using _ann = await Person.join(rig.ircPort, 'ann', { channels: '#tea' })
    await rig.server.store.history('#tea', 1)
  }
  clock.leap(40 * DAY_MS)
  {
    await using rig = await startRig(options)
    await pruned(rig)
    const { clock_warning: warning } = await statusOf(rig)
    assert.match(String(warning), /^the clock is 40 days ahead of the time that the server has seen pass/)
  }
  clock.leap(-40 * DAY_MS)
  await using rig = await startRig(options)
  await pruned(rig)
  const { store } = rig.server
  assert.deepEqual(
    (await store.deliveries.list({ limit: 9 })).map((each) => [each.id, each.status]),
    [
      [id, 'posted'],
      ['d-waiting', 'pending'],
    ],
  )
  assert.deepEqual(textsOf(await store.history('#tea', 9)), ['red'])
  const again = await post(`${rig.url}/${bot}`, { s: 'red' }, { 'Idempotency-Key': 'one' })
  assert.equal(again.json['status'], 'duplicate')
  assert.equal((await statusOf(rig))['clock_warning'], null)
})

test('a server that was off for 40 days prunes an hour after its start, or when an operator says so; pending deliveries stay', async (t) => {
  for (const how of ['an hour', 'operator'] as const) {
    const home = temporaryHome(t)
    const clock = newClock()
    const options = { home, bots, config: KEEPING, machine: clock.now, pruneEveryMs: 1 }
    {
      await using rig = await startRig(options)
      await post(`${rig.url}/${bot}`, { s: 'red' })
      await rig.server.store.deliveries.begin(
        delivery({ id: 'd-waiting', bot: 'spark-ori-gone', receivedAt: clock.now() }),
      )
    }
    clock.leap(40 * DAY_MS)
    if (how === 'an hour') {
      await using _rig = await startRig(options)
    }
    // As if that had been up for nearly an hour.
    if (how === 'an hour') setHeld(home, BELIEVED_AFTER_MS - 10)
    await using rig = await startRig(options)
    if (how === 'operator') {
      await pruned(rig)
      assert.equal((await rig.server.store.deliveries.list({ limit: 9 })).length, 2)
      const { stdout } = await hookline(rig.home, 'server', 'trust-clock')
      assert.match(stdout, /^the time that counts is 20\S+Z; it was 20\S+Z$/m)
    }
    for (;;) {
      const left = (await rig.server.store.deliveries.list({ limit: 9 })).map(({ id }) => id)
      if (left.length === 1) {
        assert.deepEqual(left, ['d-waiting'])
        break
      }
    }
    while ((await rig.server.store.history('#tea', 9)).length > 0);
  }
})

for (const to of ['2038-01-19T03:14:08Z', '2039-06-01T00:00:00Z']) {
  test(`after a jump to ${to} and back every page has all that was said, in its order, before and after a restart`, async (t) => {
    const home = temporaryHome(t)
    const clock = newClock()
    const by = Date.parse(to) - clock.now()
    const options = { home, bots, machine: clock.now }
    const all = ['before', 'ahead', 'from a bot', 'back']
    {
      await using rig = await startRig(options)
      using ann = await Person.join(rig.ircPort, 'ann', { caps: CAPS, channels: '#tea' })
      ann.type('PRIVMSG #tea :before')
      await ann.settle()
      clock.leap(by)
      ann.type('PRIVMSG #tea :ahead')
      await ann.settle()
      await post(`${rig.url}/${bot}`, { s: 'from a bot' })
      ann.type('MARKREAD #tea timestamp=2039-07-01T00:00:00.000Z')
      await ann.settle()
      clock.leap(-by)
      ann.type('PRIVMSG #tea :back')
      await ann.settle()
      await mended(rig)
      await expectPages(ann, all)
      ann.type('MARKREAD #tea')
      const read = Date.parse(/timestamp=(\S+)/.exec(await ann.until(/ MARKREAD /))?.[1] ?? '')
      assert.ok(read <= Date.now(), 'what is said now is unread')
    }
    await using rig = await startRig(options)
    using ann = await Person.join(rig.ircPort, 'ann', { caps: CAPS, channels: '#tea' })
    ann.type('PRIVMSG #tea :after the restart')
    await ann.settle()
    await expectPages(ann, [...all, 'after the restart'])
    const rows = await rig.server.store.history('#tea', 99)
    for (const { time, text } of rows)
      assert.ok(time <= Date.now() + 60_000, `${text} is stamped ${new Date(time).toISOString()}`)
  })

  test(`what was said in ${to.slice(0, 4)} until the server stopped is pulled back by the next start`, async (t) => {
    const home = temporaryHome(t)
    const clock = newClock()
    const by = Date.parse(to) - clock.now()
    const options = { home, bots, machine: clock.now }
    {
      await using rig = await startRig(options)
      await post(`${rig.url}/${bot}`, { s: 'before' })
      clock.leap(by)
      await post(`${rig.url}/${bot}`, { s: 'ahead' })
    }
    clock.leap(-by)
    await using rig = await startRig(options)
    using ann = await Person.join(rig.ircPort, 'ann', { caps: CAPS, channels: '#tea' })
    ann.type('PRIVMSG #tea :after')
    await ann.settle()
    await expectPages(ann, ['before', 'ahead', 'after'])
    const [last] = await rig.server.store.deliveries.list({ limit: 1 })
    assert.ok((last?.receivedAt ?? Infinity) <= Date.now())
  })
}

test('ten years back and forth, with restarts: no id is posted twice, and no record is lost', async (t) => {
  const home = temporaryHome(t)
  const clock = newClock()
  const options = { home, bots, config: KEEPING, machine: clock.now, pruneEveryMs: 1 }
  const keys: string[] = []
  for (const years of [0, -10, 0, 10, 0]) {
    clock.set(years * YEAR_MS)
    await using rig = await startRig(options)
    const key = `${keys.length}: ${years} years`
    keys.push(key)
    assert.equal(
      (await post(`${rig.url}/${bot}`, { s: key }, { 'Idempotency-Key': key })).json['status'],
      'posted',
    )
    await pruned(rig)
    for (const each of keys) {
      const { json } = await post(`${rig.url}/${bot}`, { s: each }, { 'Idempotency-Key': each })
      assert.equal(json['status'], 'duplicate', `${each}, ${years} years off`)
    }
  }
  await using rig = await startRig(options)
  const said = textsOf(await rig.server.store.history('#tea', 99))
  assert.deepEqual(said, keys, 'each once, in its order')
  for (const { receivedAt } of await rig.server.store.deliveries.list({ limit: 99 }))
    assert.ok(Math.abs(receivedAt - Date.now()) < DAY_MS, new Date(receivedAt).toISOString())
})

test('tokens, suspensions and bans that end by a leap have only no effect, and are back when the clock is', async (t) => {
  const clock = newClock()
  const home = temporaryHome(t)
  const config = `${QUICK}server: {${TRUSTING}}\n${OPERATOR}`
  await using rig = await startRig({ home, config, machine: clock.now })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('REGISTER * * kettle-kettle', 'NS TOKEN ADD laptop 30d')
  const token = /laptop: (\S+)/.exec(await ann.until(/laptop: hlt_/))?.[1] ?? ''
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('REGISTER * * kettle-kettle')
  await bob.until(/ 900 /)
  using root = await Person.join(rig.ircPort, 'root')
  root.type(BECOME_OPERATOR, 'NS SUSPEND bob DURATION 1d noise', 'UBAN ADD 203.0.113.0/24 DURATION 1d :short')
  await root.settle()
  assert.equal(await logIn(rig.ircPort, 'bob', 'kettle-kettle'), '902')

  clock.set(40 * DAY_MS)
  assert.equal(await logIn(rig.ircPort, 'ann', token), '904', 'it has expired')
  assert.equal(await logIn(rig.ircPort, 'bob', 'kettle-kettle'), '900')
  {
    using late = await Person.connect(rig.ircPort)
    late.type('CAP REQ sasl', 'AUTHENTICATE PLAIN', `AUTHENTICATE ${plain('bob', 'kettle-kettle')}`)
    late.type('NICK late', 'USER late 0 * :late', 'CAP END')
    await late.until(/ (376|422) /)
    using visitor = await come(rig.ircPort, '203.0.113.9')
    visitor.type('NICK guest', 'USER guest 0 * :guest')
    await visitor.until(/ (376|422) /)
    ann.type('NS TOKEN ADD laptop 30d')
    await ann.until(/There is already a token laptop/)
    clock.set(0)
    assert.match((await visitor.gone()).join('\n'), /Banned: short/, 'once the clock is back')
    assert.match((await late.gone()).join('\n'), /Your account is suspended/)
  }
  assert.equal(await logIn(rig.ircPort, 'ann', token), '900')
  assert.equal(await logIn(rig.ircPort, 'bob', 'kettle-kettle'), '902')
  assert.deepEqual(
    rig.server.bans.all().map(({ target }) => target),
    ['203.0.113.0/24'],
  )

  // Nor does a clock that is behind bring back what has ended.
  clock.pass(31 * DAY_MS)
  await rig.server.trustClock()
  assert.equal(await logIn(rig.ircPort, 'ann', token), '904')
  clock.set(0)
  assert.equal(await logIn(rig.ircPort, 'ann', token), '904')
  assert.equal(await logIn(rig.ircPort, 'bob', 'kettle-kettle'), '900')
})

test('a ban whose time is over by a leap alone is still on disk after a start meanwhile', async (t) => {
  const home = temporaryHome(t)
  const clock = newClock()
  const targets = ({ server }: Rig) => server.bans.all().map(({ target }) => target)
  {
    await using rig = await startRig({ home, machine: clock.now })
    await hookline(home, 'ban', 'add', '203.0.113.0/24', '--duration', '1d')
    assert.deepEqual(targets(rig), ['203.0.113.0/24'])
  }
  for (const days of [40, 0]) {
    clock.set(days * DAY_MS)
    await using rig = await startRig({ home, machine: clock.now })
    assert.deepEqual(targets(rig), ['203.0.113.0/24'])
  }
})

test('if a bot was deleted while the clock was ahead, what a new one of its name has accepted is not given up', async (t) => {
  const clock = newClock()
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home, bots, machine: clock.now })
    await post(`${rig.url}/${bot}`, { s: 'of the old one' })
    const { deliveries } = rig.server.store
    await deliveries.begin(delivery({ id: 'd-waiting', bot, receivedAt: clock.now() }))
    clock.set(40 * DAY_MS)
    const deleted = await hookline(home, 'bot', 'delete', bot)
    assert.equal(deleted.code, 0, deleted.stderr)
    // The command does not wait for it.
    while ((await deliveries.get('d-waiting'))?.status === 'pending');
    clock.set(0)
    await deliveries.begin(
      delivery({
        id: 'd-of-the-new-one',
        bot,
        receivedAt: clock.now(),
        body: Buffer.from('{"s":"of the new one"}'),
      }),
    )
  }
  await using rig = await startRig({ home, bots, machine: clock.now })
  await post(`${rig.url}/${bot}`, { s: 'later' })
  assert.deepEqual(textsOf(await rig.server.store.history('#tea', 9)), [
    'of the old one',
    'of the new one',
    'later',
  ])
})

function newClock() {
  let off = 0
  let slept = 0
  return {
    now: () => Date.now() + slept + off,
    leap: (ms: number) => void (off += ms),
    set: (ms: number) => void (off = ms),
    pass: (ms: number) => void (slept += ms),
  }
}

let sentinels = 0

/** Every kind of record has been looked at since the call. */
async function pruned({ server: { store } }: Rig): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 60; i++)
      store.remember(
        row({ id: `sentinel ${++sentinels}`, conversation: '#sentinel', time: Date.now() + sentinels }),
      )
    while ((await store.history('#sentinel', 99)).length > 50);
  }
}

/** How long a leap has lasted, as the server has it on disk. */
function setHeld(home: Home, ms: number): void {
  using db = new DatabaseSync(join(home.data, 'hookline.db'))
  const { changes } = db
    .prepare("UPDATE records SET json = json_set(json, '$.leap.heldMs', ?) WHERE kind = 'clock'")
    .run(ms)
  assert.equal(changes, 1)
}

function plain(name: string, password: string): string {
  return Buffer.from(`\0${name}\0${password}`).toString('base64')
}

/** By PLAIN, on a connection of its own: the numeric of the answer. */
async function logIn(port: number, name: string, password: string): Promise<string> {
  using person = await Person.connect(port)
  person.type('CAP REQ sasl', 'AUTHENTICATE PLAIN', `AUTHENTICATE ${plain(name, password)}`)
  return / (90[0-9]) /.exec(await person.until(/ 90[0-9] /))?.[1] ?? ''
}

async function statusOf({ home }: Rig): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse((await hookline(home, 'server', 'status', '--json')).stdout) as Readonly<
    Record<string, unknown>
  >
}

/** Rows that lie ahead are pulled back in the background. */
async function mended({ server: { store } }: Rig): Promise<void> {
  while ((await store.history('#tea', 99)).some(({ time }) => time > Date.now() + DAY_MS));
}

/** Those with text. */
function textsOf(rows: readonly HistoryRow[]): string[] {
  return rows.map(({ text }) => text)
}

/** Read in every way that clients have: the latest, by time, and message by message in both directions. */
async function expectPages(ann: Person, all: readonly string[]): Promise<void> {
  const page = async (query: string) => {
    ann.type(`CHATHISTORY ${query}`)
    const lines = (await ann.settle()).filter(
      (line) => line.includes('batch=') && / PRIVMSG #tea :/.test(line),
    )
    return lines.map((line) => ({
      text: / PRIVMSG #tea :(.*)$/.exec(line)?.[1] ?? '',
      id: /msgid=([^ ;]+)/.exec(line)?.[1] ?? '',
    }))
  }
  const texts = async (query: string) => (await page(query)).map(({ text }) => text)
  const soon = new Date(Date.now() + 60_000).toISOString()
  assert.deepEqual(await texts('LATEST #tea * 50'), all)
  assert.deepEqual(await texts(`BEFORE #tea timestamp=${soon} 50`), all)
  assert.deepEqual(await texts('AFTER #tea timestamp=2020-01-01T00:00:00.000Z 50'), all)
  const messages = await page('LATEST #tea * 50')
  for (const [i, { id }] of messages.entries()) {
    assert.deepEqual(await texts(`BEFORE #tea msgid=${id} 50`), all.slice(0, i))
    assert.deepEqual(await texts(`AFTER #tea msgid=${id} 50`), all.slice(i + 1))
  }
}
