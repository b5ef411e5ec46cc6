import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountKey, ChannelKey } from '../../irc/names.ts'
import { newChannel } from './join.ts'
import { emptyState, type UserKey, type WritableUser } from '../state.ts'
import { clockMended } from './clockmended.ts'

test('nothing in the chat waits for a time that a wrong clock gave it', () => {
  const state = emptyState({ whowasEntries: 0 })
  const [until, ahead] = [1_000, 9_000_000]
  const channel = newChannel({ channel: '#tea' as ChannelKey, name: '#tea', flags: [] }, ahead)
  channel.renamedAt = ahead
  state.channels.set(channel.key, channel)
  state.newestChannelAt = ahead
  state.readMarkers.set('@ann', new Map(Object.entries({ '#tea': ahead, '#milk': 5 })))
  const ann = 'ann' as AccountKey
  state.accounts.set(ann, {
    key: ann,
    name: 'ann',
    createdAt: ahead,
    settings: {},
    metadata: new Map(),
    users: new Set(),
  })
  const user = { nickSince: 'z-ahead', goneAt: ahead } as WritableUser
  state.users.set('u1' as UserKey, user)
  const ban = {
    target: '192.0.2.1',
    network: null,
    needsAccount: false,
    reason: '',
    by: 'root',
    at: ahead,
    until: ahead + 50,
  }
  state.bans.set(ban.target, ban)

  clockMended.apply(
    state,
    { kind: 'clock.mended', until },
    { seq: 1, at: until + 1, id: 'now', origin: undefined, event: { kind: 'clock.mended', until } },
  )
  assert.deepEqual([channel.renamedAt, channel.inhabitedSince, state.newestChannelAt], [until, until, until])
  assert.deepEqual(
    [...(state.readMarkers.get('@ann') ?? [])],
    [
      ['#tea', until],
      ['#milk', 5],
    ],
  )
  assert.equal(state.accounts.get(ann)?.createdAt, until)
  assert.deepEqual([user.nickSince, user.goneAt], ['now', until])
  assert.deepEqual(state.bans.get(ban.target), { ...ban, at: until, until: until + 50 })
})
