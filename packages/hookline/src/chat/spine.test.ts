// The log decides: whatever people do, the same entries give the same state, replayed at once or in two halves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pretendAccounts } from '../../test/fuzz/accounts.ts'
import { snapshot } from '../../test/fuzz/snapshot.ts'
import { CAPS } from '../irc/caps.ts'
import type { Entry } from './events.ts'
import { apply } from './features/index.ts'
import { wireTo } from '../../test/rigs/wires.ts'
import type { Session } from './session.ts'
import type { ChatSettings } from './settings.ts'
import { Spine } from './spine.ts'
import { emptyState, findUser, type WritableState } from './state.ts'
import { virtualUsers } from './virtual.ts'
import type { World } from './world.ts'

const NICKS = ['ann', 'bob', 'cy', 'Ann', 'dee']
const CHANNELS = ['#a', '#b', '#A', '#c']
const nick = fc.constantFrom(...NICKS)
const channel = fc.constantFrom(...CHANNELS)
const text = fc.string({ maxLength: 12 }).filter((each) => !/[\r\n\0]/.test(each))
const modes = fc.stringMatching(/^[-+]?[beIklimnstCqaohvx+-]{1,5}$/)
const metadataKey = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'F', '')
/** What a client may type, most of it meaningful. */
const line = fc.oneof(
  channel.map((name) => `JOIN ${name}`),
  fc.tuple(channel, text).map(([name, key]) => `JOIN ${name} ${key.replaceAll(' ', '') || 'x'}`),
  channel.map((name) => `PART ${name} :bye`),
  nick.map((name) => `NICK ${name}`),
  fc.tuple(channel, text).map(([name, words]) => `TOPIC ${name} :${words}`),
  fc.tuple(channel, nick).map(([name, who]) => `KICK ${name} ${who}`),
  fc.tuple(nick, channel).map(([who, name]) => `INVITE ${who} ${name}`),
  fc.tuple(nick, channel).map(([who, name]) => `UNINVITE ${who} ${name}`),
  fc
    .tuple(channel, modes, nick, nick)
    .map(([name, letters, one, two]) => `MODE ${name} ${letters} ${one} ${two}`),
  fc.tuple(nick, modes).map(([who, letters]) => `MODE ${who} ${letters}`),
  fc.tuple(fc.oneof(channel, nick), text).map(([target, words]) => `PRIVMSG ${target} :${words}`),
  text.map((words) => `AWAY :${words}`),
  text.map((words) => `SETNAME :${words}`),
  fc
    .tuple(fc.oneof(channel, nick, fc.constant('*')), metadataKey, text)
    .map(([target, key, value]) => `METADATA ${target} SET ${key} :${value}${value}`),
  fc.tuple(metadataKey, metadataKey).map(([one, two]) => `METADATA * SUB ${one} ${two}`),
  fc.tuple(nick, metadataKey).map(([who, key]) => `METADATA ${who} GET ${key}`),
  fc.constantFrom(
    'CAP REQ :batch draft/metadata-3',
    'CAP REQ -batch',
    'METADATA * UNSUB a',
    'METADATA * CLEAR',
    'METADATA #a LIST',
    'METADATA *ALL SYNC',
    'MONITOR + ann,bob',
  ),
  fc.constantFrom('WHO *', 'LIST', 'WHOIS ann', 'NAMES #a', 'LUSERS', 'QUIT :gone', 'WHOWAS ann'),
  text,
)
/** Who types it: one of four connections, which come back when they have quit. */
const script = fc.array(fc.tuple(fc.nat(3), line), { maxLength: 120 })

test('no entry is older than its id', () => {
  const { entries } = act([
    [0, 'JOIN #a'],
    [0, 'TOPIC #a :tea'],
    [0, 'PRIVMSG #a :hello'],
    [0, 'NICK ann'],
  ])
  assert.ok(entries.length >= 5)
  for (const { at, id } of entries) assert.ok(at >= Number(id.slice('id'.length)), `${id} at ${at}`)
})

test('the same log gives the same state, replayed at once or in two halves', () => {
  fc.assert(
    fc.property(script, fc.nat(), (lines, cut) => {
      const { chat, entries } = act(lines)
      const live = snapshot(chat.state)
      assert.deepEqual(snapshot(replay(entries)), live)
      const half = cut % (entries.length + 1)
      const first = replay(entries.slice(0, half))
      assert.deepEqual(snapshot(replay(entries.slice(half), first)), live)
    }),
    { numRuns: 300 },
  )
})

test('a user lists a channel exactly when the channel lists the user, and empty channels are removed', () => {
  fc.assert(
    fc.property(script, (lines) => {
      const { state } = act(lines).chat
      for (const [key, each] of state.channels) {
        assert.ok(each.members.size > 0, `${key} is empty`)
        for (const member of each.members.values()) assert.equal(member.user.channels.get(key), each)
        for (const invited of each.invited) assert.ok(state.users.get(invited)?.invitations.has(key))
      }
      for (const user of state.users.values()) {
        assert.equal(state.nicks.get(user.nick.toLowerCase() as never), user)
        for (const [key, each] of user.channels) assert.equal(state.channels.get(key), each)
      }
      assert.equal(state.nicks.size, state.users.size)
    }),
    { numRuns: 300 },
  )
})

test('metadata and subscriptions stay within their limits', () => {
  fc.assert(
    fc.property(script, (lines) => {
      const { state, sessions } = act(lines).chat
      const all = [...state.users.values(), ...state.channels.values()].map(({ metadata }) => metadata)
      for (const metadata of all) {
        assert.ok(metadata.size <= 3)
        for (const [key, value] of metadata) {
          assert.match(key, /^[a-e]$/)
          assert.ok(value !== '' && Buffer.byteLength(value) <= 20)
        }
      }
      for (const { subscriptions } of sessions.values()) assert.ok(subscriptions.size <= 3)
    }),
    { numRuns: 300 },
  )
})

test('every sent line is well-formed, and fits', () => {
  fc.assert(
    fc.property(script, (lines) => {
      for (const sent of act(lines).sent) {
        for (const each of sent.split('\r\n').slice(0, -1)) {
          assert.match(each, /^(@\S+ )?(:\S+ )?[A-Z0-9]+( .*)?$/)
          assert.ok(Buffer.byteLength(each.replace(/^@\S+ /, '')) <= 510, `too long: ${each}`)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('a message from the server to a user is one message for all of its connections', () => {
  const { chat, sent } = act([[0, 'CAP REQ message-tags']])
  const user = findUser(chat.state, 'guest0')
  assert.ok(user)
  const other = chat.connect(
    wireTo((bytes) => void sent.push(Buffer.from(bytes).toString())),
    { host: '127.0.0.1', isSecure: false },
  )
  other.adopt(CAPS['message-tags'])
  chat.propose({ kind: 'session.attached', user: user.key, session: other.id })
  assert.equal(virtualUsers(chat).notice('guest0', 'hello'), true)
  chat.flush()
  const told = sent.join('').match(/^.* NOTICE guest0 :hello$/gm) ?? []
  assert.equal(told.length, 2)
  assert.match(told[0] ?? '', /^@msgid=id/)
  assert.equal(told[0], told[1])
})

test('lines that arrive one by one while their sender waits are appended to the queue without copying it', () => {
  const { chat } = act([[0, 'PING a']], { isBehind: () => true, later: () => {} })
  const [session] = chat.sessions.values()
  assert.ok(session)
  const waiting = session.backlog
  for (let i = 0; i < 3; i++) chat.receive(session, [`PING ${i}`])
  assert.equal(session.backlog, waiting)
  assert.deepEqual(waiting.slice(2), ['PING a', 'PING 0', 'PING 1', 'PING 2'])
})

test('a connection that is closed while it waits keeps nothing that it sends after that', () => {
  const { chat } = act([], { isBehind: () => true, later: () => {} })
  const session = chat.connect(
    wireTo(() => {}),
    { host: '127.0.0.1', isSecure: false },
  )
  chat.receive(session, ['PING a'])
  chat.close(session, 'Killed')
  chat.receive(session, ['PING b'])
  assert.deepEqual(session.backlog, ['PING a'])
})

test('when many have to leave at once, four leave per turn, each with its reason', () => {
  const turns: (() => void)[] = []
  const { chat, entries } = act(
    Array.from({ length: 9 }, (_, who) => [who, 'JOIN #a'] as const),
    { soon: (turn) => void turns.push(turn) },
  )
  const goTurn = () => {
    for (const turn of turns.splice(0)) turn()
    return chat.sessions.size
  }
  assert.equal(goTurn(), 9)
  for (const session of chat.sessions.values()) chat.departures.add(session, `reason ${session.id}`)
  assert.equal(chat.sessions.size, 9, 'nobody goes in the turn that finds them')
  assert.deepEqual([goTurn(), goTurn(), goTurn()], [5, 1, 0])
  const reasons = entries.flatMap(({ event }) => (event.kind === 'user.quit' ? [event.reason] : []))
  assert.deepEqual(
    reasons,
    Array.from({ length: 9 }, (_, i) => `reason ${i + 1}`),
  )
  goTurn()
  assert.deepEqual(turns, [])
})

function replay(
  entries: readonly Entry[],
  state: WritableState = emptyState({ whowasEntries: 100 }),
): WritableState {
  for (const entry of entries) apply(state, entry)
  return state
}

function act(
  lines: readonly (readonly [number, string])[],
  world: Partial<World> = {},
): {
  chat: Spine
  entries: Entry[]
  sent: string[]
} {
  let time = 1_700_000_000_000
  const flushes: (() => void)[] = []
  const chat: Spine = new Spine(SETTINGS, {
    now: () => ++time,
    elapsed: () => time,
    newId: () => `id${++time}`,
    soon: (flush) => void flushes.push(flush),
    later: () => assert.fail('nothing here has to wait'),
    isBehind: () => false,
    report: (error) => assert.fail(String(error)),
    accounts: pretendAccounts(
      () => chat,
      () => assert.fail('nobody logs in here'),
    ),
    passwords: { compare: () => Promise.resolve('wrong' as const) },
    history: {
      find: () => assert.fail('nothing here looks back'),
      redact: () => assert.fail('nothing here looks back'),
      page: () => assert.fail('nothing here looks back'),
      targets: () => assert.fail('nothing here looks back'),
      search: () => assert.fail('nothing here looks back'),
      timeOf: () => undefined,
    },
    rehash: () => Promise.resolve({ isApplied: true, warnings: [] }),
    ...world,
  })
  const entries: Entry[] = []
  chat.log.follow(0, (entry) => void entries.push(structuredClone(entry)))
  virtualUsers(chat).appear({
    nick: 'spark-bot',
    username: 'bot',
    realname: 'A bot',
    channels: ['#a'],
    isBot: true,
  })

  const sent: string[] = []
  const sessions: (Session | undefined)[] = []
  for (const [who, typed] of lines) {
    let session = sessions[who]
    if (session === undefined || session.isClosed) {
      session = sessions[who] = chat.connect(
        wireTo((bytes) => void sent.push(Buffer.from(bytes).toString())),
        { host: '127.0.0.1', isSecure: false },
      )
      chat.receive(session, [`NICK guest${who}`, `USER u${who} 0 * :Guest ${who}`])
    }
    chat.receive(session, [typed])
  }
  for (const flush of flushes) flush()
  return { chat, entries, sent }
}

const SETTINGS: ChatSettings = {
  name: 'spark',
  network: 'Spark',
  icon: undefined,
  relay: undefined,
  hasRoleplay: false,
  description: 'a test',
  version: '0',
  motd: undefined,
  admin: { location: '', email: '' },
  passwordHash: undefined,
  opers: [],
  userModes: [],
  channelFlags: ['n', 't'],
  registration: { isOpen: true, channelsPerAccount: 15 },
  presence: { multiclient: true, alwaysOn: 'opt_in' },
  history: {
    isKept: true,
    queryLimit: 100,
    playbackLimit: 100,
    autoreplayLines: 0,
    keptTags: [],
    mayBeRedacted: true,
  },
  accounts: {
    mechanisms: [],
    protectsNicks: true,
    isRequired: false,
    registration: { isEnabled: true, isBeforeConnect: false, needsEmail: false, allowsOtherNames: false },
  },
  metadata: { beforeConnect: true, maxKeys: 3, maxSubs: 3, maxValueBytes: 20, changesPerMinute: 1_000 },
  limits: {
    nickLength: 32,
    channelLength: 64,
    topicLength: 390,
    kickLength: 390,
    awayLength: 200,
    realnameLength: 150,
    usernameLength: 18,
    channelListModes: 60,
    channelsPerUser: 100,
    monitorTargets: 100,
    whowasEntries: 100,
    multilineBytes: 4096,
    multilineLines: 32,
    flood: undefined,
    registrationMs: 30_000,
    pingAfterMs: 90_000,
    pingTimeoutMs: 60_000,
    sendQueueBytes: 1 << 20,
  },
}
