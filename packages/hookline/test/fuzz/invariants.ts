// Invariants of the chat's state between any two turns.
import assert from 'node:assert/strict'
import type { Chat } from '../../src/chat/chat.ts'
import { NO_ENTRIES, NO_MEMBERS } from '../../src/chat/emptycollections.ts'
import type { Channel, User } from '../../src/chat/state.ts'
import { RANKS } from '../../src/irc/modes.ts'
import { type AccountKey, accountKey, channelKey, nickKey } from '../../src/irc/names.ts'

export function checkChat(chat: Chat): void {
  const { state, sessions } = chat
  for (const [key, channel] of state.channels) {
    assert.equal(key, channel.key)
    checkChannel(chat, channel)
  }
  for (const [key, user] of state.users) {
    assert.equal(key, user.key)
    checkUser(chat, user)
  }
  for (const [name, channel] of state.renamed) {
    assert.equal(state.channels.get(channel.key), channel, `${name} leads to a channel that is gone`)
    assert.ok(channel.formerNames.includes(name) && !state.channels.has(name), `${name} leads elsewhere`)
  }
  for (const [key, accepted] of state.accepts)
    for (const id of [key, ...accepted])
      assert.ok(state.users.has(id), `${id} accepts or is accepted, and is gone`)
  for (const owner of state.readMarkers.keys())
    assert.ok(
      state.users.has(owner as User['key']) || state.accounts.has(owner.slice(1) as AccountKey),
      `${owner} is gone, and has read markers`,
    )
  for (const [key, { users }] of state.accounts)
    for (const user of users) {
      assert.equal(state.users.get(user.key), user, `${key} has a user who is gone`)
      assert.equal(user.account !== null && accountKey(user.account), key)
    }
  assert.equal(state.nicks.size, state.users.size, 'a nick for each user')
  assert.ok(state.whowas.length <= state.whowasEntries, 'WHOWAS has a bound')
  assert.ok(state.mostUsers >= state.users.size)
  const users = [...state.users.values()]
  assert.equal(state.invisible, users.filter(({ modes }) => modes.has('i')).length, 'users with +i')
  assert.equal(state.operators, users.filter(({ modes }) => modes.has('o')).length, 'users with +o')
  const unregistered = [...sessions.values()].filter(({ user }) => user === undefined)
  assert.equal(chat.unregistered, unregistered.length, 'connections that are nobody’s yet')
  assert.equal(NO_ENTRIES.size + NO_MEMBERS.size, 0, 'what is shared is empty')
  for (const [id, session] of sessions) {
    assert.equal(id, session.id)
    assert.ok(!session.isClosed, 'a closed session is forgotten')
    assert.equal(session.response, undefined, 'an answer was begun and not given')
    assert.ok(session.monitored.size <= chat.settings.limits.monitorTargets)
    assert.ok(session.subscriptions.size <= (chat.settings.metadata?.maxSubs ?? 0))
    checkMetadata(chat, session.introduction.metadata)
    for (const key of session.monitored.keys()) assert.ok(watchers(chat, key).includes(session))
    if (session.user === undefined) continue
    assert.equal(state.users.get(session.user.key), session.user, 'a session of somebody who is here')
    assert.ok(session.user.sessions.includes(id), 'a user knows its sessions')
  }
}

/** When everybody has left. `nicks` are all that anybody ever had or watched. */
export function checkEmpty(chat: Chat, nicks: Iterable<string>): void {
  assert.equal(chat.sessions.size, 0, 'sessions')
  assert.equal(chat.state.users.size, 0, 'users')
  assert.equal(chat.state.nicks.size, 0, 'nicks')
  assert.equal(chat.state.channels.size, 0, 'channels')
  assert.equal(chat.state.renamed.size, 0, 'former names')
  assert.equal(chat.state.accepts.size, 0, 'who accepts whom')
  for (const nick of nicks) assert.deepEqual(watchers(chat, nick), [], `monitors of ${nick}`)
}

function checkChannel({ state, settings }: Chat, channel: Channel): void {
  const { key, members, invited, lists } = channel
  assert.equal(channelKey(channel.name), key)
  const { registration } = channel
  assert.ok(members.size > 0 || registration !== undefined, `${key} is empty, and nobody's`)
  if (registration !== undefined)
    for (const account of [registration.founder, ...registration.access.keys()])
      assert.ok(state.accounts.has(account), `${key} knows an account that is gone`)
  for (const [id, { user, ranks }] of members) {
    assert.equal(id, user.key)
    assert.equal(state.users.get(id), user, `${key} has a member who is gone`)
    assert.equal(user.channels.get(key), channel, `${user.nick} does not know that it is in ${key}`)
    assert.deepEqual(
      ranks,
      RANKS.filter((rank) => ranks.includes(rank)),
      'ranks, highest first, each once',
    )
  }
  checkMetadata({ settings }, channel.metadata)
  for (const id of invited) assert.ok(state.users.get(id)?.invitations.has(key), `${key} invited ${id}`)
  const entries = Object.values(lists).flat()
  assert.ok(entries.length <= settings.limits.channelListModes, `${key} has ${entries.length} list entries`)
  for (const list of Object.values(lists))
    assert.equal(new Set(list.map(({ mask }) => mask)).size, list.length, 'an entry twice')
}

function checkUser({ state, sessions, settings }: Chat, user: User): void {
  assert.equal(state.nicks.get(nickKey(user.nick)), user, `${user.nick} is not found by its nick`)
  if (user.account !== null)
    assert.ok(
      state.accounts.get(accountKey(user.account))?.users.has(user),
      `${user.nick} is logged in to nothing`,
    )
  for (const [key, channel] of user.channels) {
    assert.equal(state.channels.get(key), channel, `${user.nick} is in ${key}, which is gone`)
    assert.ok(channel.members.has(user.key), `${key} does not know ${user.nick}`)
  }
  for (const key of user.invitations)
    assert.ok(state.channels.get(key)?.invited.has(user.key), `${user.nick} is invited to ${key}`)
  checkMetadata({ settings }, user.metadata)
  if (user.sessions.length > 0) assert.ok(user.channels.size <= settings.limits.channelsPerUser)
  assert.equal(user.oper !== undefined, user.modes.has('o'), `${user.nick}: mode o says who is an operator`)
  for (const id of user.sessions)
    assert.equal(sessions.get(id)?.user, user, `${user.nick} has a session that is gone`)
}

function checkMetadata({ settings }: Pick<Chat, 'settings'>, metadata: ReadonlyMap<string, string>): void {
  const { maxKeys = 0, maxValueBytes = 0 } = settings.metadata ?? {}
  assert.ok(metadata.size <= maxKeys, `${metadata.size} keys of metadata`)
  for (const [key, value] of metadata) {
    assert.match(key, /^[a-z0-9_./-]{1,64}$/)
    assert.ok(value !== '' && Buffer.byteLength(value) <= maxValueBytes, `metadata ${key} is ${value}`)
  }
}

function watchers(chat: Chat, nick: string) {
  return [...chat.monitors.of({ nick } as User)]
}
