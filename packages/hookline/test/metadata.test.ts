// Who owns metadata: the connection until somebody logs in, then the account, on disk too. And how much is sent at once.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Wire } from '../src/chat/output/outbox.ts'
import type { Session } from '../src/chat/session.ts'
import { Spine } from '../src/chat/spine.ts'
import { findUser, metadataOf } from '../src/chat/state.ts'
import { loadConfig } from '../src/config/config.ts'
import { findHome } from '../src/home/home.ts'
import { accountKey, channelKey } from '../src/irc/names.ts'
import { SavedState } from '../src/keeping/savedstate.ts'
import { openLog } from '../src/log/log.ts'
import { chatSettings } from '../src/config/settings.ts'
import { openStore, type Store } from '../src/store/store.ts'
import { newFolder, temporaryFolder } from './folder.ts'
import { pretendAccounts } from './fuzz/accounts.ts'

const CAPS = 'CAP REQ :batch draft/metadata-3'

test('metadata set before the login goes to the account, and everybody is told of the changes', () => {
  const house = new House(['kettle'])
  const ann = house.enter('ann')
  const bob = house.enter('bob')
  house.type(bob, 'METADATA * SUB status color', 'JOIN #tea')
  house.type(ann, 'JOIN #tea', 'METADATA * SET status :new')
  house.chat.propose({
    kind: 'metadata.changed',
    account: accountKey('kettle'),
    values: [
      ['color', 'red'],
      ['status', 'old'],
    ],
  })
  house.read(bob)

  house.logIn(ann, 'kettle')
  assert.deepEqual(house.read(bob), [':spark 761 * ann color * red', ':spark 761 * ann status * new'])
  assert.deepEqual(house.known('ann'), { color: 'red', status: 'new' })

  house.logIn(ann, null)
  assert.deepEqual(house.read(bob), [
    ':spark 766 * ann color :Key not set',
    ':spark 766 * ann status :Key not set',
  ])
  assert.deepEqual(house.known('ann'), {})
})

test('an account’s metadata applies to all who are logged in to it, and to nobody once it is dropped', () => {
  const house = new House(['kettle'])
  const [one, two, bob] = [house.enter('one'), house.enter('two'), house.enter('bob')]
  for (const each of [one, two, bob]) house.type(each, 'METADATA * SUB status', 'JOIN #tea')
  house.logIn(one, 'kettle')
  house.logIn(two, 'kettle')
  for (const each of [one, two, bob]) house.read(each)

  house.type(one, 'METADATA * SET status :here')
  assert.deepEqual(house.read(one), [':spark 761 one one status * here', ':spark 761 * two status * here'])
  const both = [':spark 761 * one status * here', ':spark 761 * two status * here']
  assert.deepEqual(house.read(two), both)
  assert.deepEqual(house.read(bob), both)

  house.chat.propose({ kind: 'account.dropped', account: accountKey('kettle') })
  const gone = [':spark 766 * one status :Key not set', ':spark 766 * two status :Key not set']
  assert.deepEqual(house.read(bob), gone)
})

test('metadata set before registration goes to the account it logs in to, as far as there is room', () => {
  const house = new House(['kettle'], 'metadata: {max_keys: 2}')
  house.chat.propose({ kind: 'metadata.changed', account: accountKey('kettle'), values: [['color', 'red']] })
  const session = house.connect()
  house.type(session, CAPS, 'METADATA * SET color blue', 'METADATA * SET status :here')
  house.type(session, 'NICK ann', 'USER ann 0 * ann')
  house.chat.propose({
    kind: 'metadata.changed',
    account: accountKey('kettle'),
    values: [['avatar', 'a.png']],
  })
  session.introduction.account = 'kettle'
  house.type(session, 'CAP END')
  assert.deepEqual(house.known('ann'), { color: 'blue', avatar: 'a.png' })
  const batch = house.read(session).filter((line) => / 761 \* ann /.test(line))
  assert.equal(batch.length, 2, 'the welcome tells what it is now')
})

test('metadata of an account and of a registered channel survives a restart', async (t) => {
  const folder = temporaryFolder(t)
  const log = openLog('error')
  const during = async (run: (house: House, store: Store) => Promise<void> | void): Promise<void> => {
    const store = await openStore(folder, { log })
    const house = new House(['kettle'])
    const savedState = new SavedState(house.chat, { store, log })
    try {
      await savedState.restore()
      await run(house, store)
    } finally {
      await savedState.close()
      await store.close()
    }
  }
  await during((house) => {
    const ann = house.enter('ann')
    house.logIn(ann, 'kettle')
    house.type(ann, 'JOIN #tea', 'JOIN #pot', 'METADATA * SET status :here', 'METADATA * SET color red')
    house.type(ann, 'METADATA #tea SET url https://tea.example', 'METADATA #pot SET url https://pot.example')
    house.chat.propose({
      kind: 'channel.registered',
      channel: channelKey('#tea'),
      founder: accountKey('kettle'),
    })
    house.type(ann, 'METADATA * SET color', 'METADATA * SET __proto__ x')
  })
  await during((house) => {
    assert.deepEqual(
      house.chat.state.channels.get(channelKey('#tea'))?.metadata,
      new Map([['url', 'https://tea.example']]),
    )
    assert.equal(house.chat.state.channels.has(channelKey('#pot')), false)
    const metadata = house.chat.state.accounts.get(accountKey('kettle'))?.metadata
    assert.deepEqual(
      metadata,
      new Map([
        ['status', 'here'],
        ['__proto__', 'x'],
      ]),
    )
    house.chat.propose({ kind: 'account.dropped', account: accountKey('kettle') })
  })
  await during(async (house, store) => {
    assert.equal(
      house.chat.state.accounts.get(accountKey('kettle'))?.metadata.size,
      0,
      'a new account of that name',
    )
    assert.deepEqual(await store.records.all('metadata'), [])
  })
})

test('a large channel is sent as fast as it is read, and the next command waits until then', async () => {
  const house = new House([], 'limits: {send_queue_bytes: 65536, channels_per_user: 10}')
  for (let i = 0; i < 400; i++) {
    const session = house.enter(`user${i}`)
    house.type(session, `METADATA * SET status :${'x'.repeat(200)}`, 'JOIN #tea')
  }
  const late = house.enter('late')
  house.type(late, 'METADATA * SUB status')
  house.read(late)
  const wire = house.wireOf(late)
  house.type(late, 'JOIN #tea', 'PING after')
  const lines = house.read(late)

  wire.waiting = 1 << 17
  for (let turn = 0; turn < 10; turn++) await house.passTime()
  assert.deepEqual(house.read(late), [], 'nothing while it does not read')
  wire.waiting = 0
  while (late.rest !== undefined) {
    await house.passTime()
    lines.push(...house.read(late))
  }
  lines.push(...house.read(late))
  const told = lines.flatMap((line) => / 761 \* (user\d+) status /.exec(line)?.[1] ?? [])
  assert.equal(new Set(told).size, 400)
  assert.equal(told.length, 400)
  assert.match(lines.at(-2) ?? '', /^:spark BATCH -/)
  assert.equal(lines.at(-1), ':spark PONG spark after')
})

test('a client that reads too slowly is told to ask later for the metadata of a user it monitors', () => {
  const house = new House([], 'limits: {send_queue_bytes: 65536}')
  const slow = house.enter('slow')
  house.type(slow, 'METADATA * SUB status', 'MONITOR + bob')
  house.read(slow)
  house.wireOf(slow).waiting = 1 << 15
  house.enter('bob')
  assert.deepEqual(house.read(slow), [
    ':spark 730 slow bob!bob@127.0.0.1',
    ':spark 774 slow bob 5 :Ask with METADATA SYNC',
  ])
})

test('everything that a labelled JOIN causes is in its batch', async () => {
  const house = new House([], 'limits: {send_queue_bytes: 65536}')
  for (let i = 0; i < 200; i++)
    house.type(house.enter(`user${i}`), 'METADATA * SET status :here', 'JOIN #tea')
  const late = house.enter('late')
  house.type(late, 'CAP REQ labeled-response', 'METADATA * SUB status')
  house.read(late)
  house.type(late, '@label=one JOIN #tea')
  const lines = house.readWhole(late)
  assert(late.rest, 'it is not all told at once')
  while (late.rest !== undefined) {
    await house.passTime()
    lines.push(...house.readWhole(late))
  }
  const outer =
    /^@label=one :spark BATCH \+(\w+) labeled-response$/.exec(lines[0] ?? '')?.[1] ?? assert.fail()
  const opening = lines.flatMap((line) => / BATCH \+(\w+) metadata /.exec(line) ?? [])[1] ?? assert.fail()
  assert.deepEqual(lines.slice(-2), [`@batch=${outer} :spark BATCH -${opening}`, `:spark BATCH -${outer}`])
  assert.equal(lines.filter((line) => line.startsWith(`@batch=${opening} :spark 761 `)).length, 200)
})

interface TestWire extends Wire {
  waiting: number
  readonly sent: string[]
}

/** An in-memory chat with these accounts. */
class House {
  readonly chat: Spine
  readonly #wires = new Map<Session, TestWire>()
  #flushes: (() => void)[] = []
  #timers: (() => void)[] = []
  #now = 1_700_000_000_000

  constructor(accounts: readonly string[], settings = '') {
    this.chat = new Spine(settingsOf(settings), {
      now: () => ++this.#now,
      elapsed: () => this.#now,
      newId: () => `id${this.#now}`,
      soon: (flush) => void this.#flushes.push(flush),
      later: (_, run) => void this.#timers.push(run),
      isBehind: () => false,
      report: (error) => assert.fail(String(error)),
      accounts: pretendAccounts(
        () => this.chat,
        () => assert.fail('nobody logs in by password'),
      ),
      passwords: { compare: () => Promise.resolve('wrong' as const) },
      history: {
        find: () => assert.fail('nothing here looks back'),
        redact: () => assert.fail('nothing here looks back'),
        page: () => assert.fail('nothing here looks back'),
        targets: () => assert.fail('nothing here looks back'),
        timeOf: () => undefined,
        search: () => assert.fail('nothing here looks back'),
      },
      rehash: () => Promise.resolve({ isApplied: true, warnings: [] }),
    })
    for (const name of accounts) this.chat.propose({ kind: 'account.made', name, createdAt: 0, settings: {} })
  }

  connect(): Session {
    const nothing = () => {}
    const sent: string[] = []
    const wire: TestWire = {
      waiting: 0,
      sent,
      write: (bytes) => void sent.push(new TextDecoder().decode(bytes)),
      end: nothing,
      cut: nothing,
      pause: nothing,
      resume: nothing,
    }
    const session = this.chat.connect(wire, { host: '127.0.0.1', isSecure: false })
    this.#wires.set(session, wire)
    return session
  }

  /** With metadata, registered, and its welcome read. */
  enter(nick: string): Session {
    const session = this.connect()
    this.type(session, CAPS, `NICK ${nick}`, `USER ${nick} 0 * ${nick}`, 'CAP END')
    this.read(session)
    return session
  }

  type(session: Session, ...lines: string[]): void {
    this.chat.receive(session, lines)
    for (const flush of this.#flushes.splice(0)) flush()
  }

  logIn({ user }: Session, account: string | null): void {
    this.chat.propose({ kind: 'user.account', user: user?.key ?? assert.fail('nobody'), account })
  }

  /** Writes what is due, runs what was to run later, and lets what waited for that go on. */
  async passTime(): Promise<void> {
    for (const flush of this.#flushes.splice(0)) flush()
    for (const run of this.#timers.splice(0)) run()
    await new Promise((resolve) => setImmediate(resolve))
  }

  wireOf(session: Session): TestWire {
    return this.#wires.get(session) ?? assert.fail('no wire')
  }

  /** What arrived since the last read. */
  read(session: Session): string[] {
    return this.readWhole(session).map((line) => line.replace(/^@batch=\S+ /, ''))
  }

  readWhole(session: Session): string[] {
    for (const flush of this.#flushes.splice(0)) flush()
    return this.wireOf(session)
      .sent.splice(0)
      .flatMap((text) => text.split('\r\n').slice(0, -1))
  }

  known(nick: string): Record<string, string> {
    const user = findUser(this.chat.state, nick) ?? assert.fail(nick)
    return Object.fromEntries(metadataOf(this.chat.state, user))
  }
}

function settingsOf(text: string): ReturnType<typeof chatSettings> {
  using folder = newFolder()
  const home = findHome({ HOOKLINE_HOME: folder.path })
  writeFileSync(home.config, `${text}\n`)
  const read = loadConfig({ home, flags: { name: 'spark' }, env: {} })
  assert.ok(read.ok, JSON.stringify(read))
  const settings = chatSettings(read.config, '0')
  return { ...settings, limits: { ...settings.limits, flood: undefined } }
}
