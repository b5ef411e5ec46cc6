import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rank } from '../../irc/modes.ts'
import { accountKey, channelKey } from '../../irc/names.ts'
import type { Event } from '../events.ts'
import { emptyState } from '../state.ts'
import { apply } from './index.ts'

test('dropping an account lists exactly the channels that referred to it, and each is written again', () => {
  const state = emptyState({ whowasEntries: 0 })
  const happen = (event: Event) => apply(state, { event, seq: 0, id: 'id', at: 0, origin: undefined })
  for (const name of ['ann', 'bob']) happen({ kind: 'account.made', name, createdAt: 0, settings: {} })
  for (const [name, rank] of [
    ['#tea', 'o'],
    ['#milk', undefined],
  ] as const) {
    const channel = channelKey(name)
    const user = `of ${name}` as never
    const modes = { session: undefined, username: 'u', host: 'h', realname: 'r', isSecure: false, modes: [] }
    happen({ kind: 'user.registered', user, nick: `n${name.slice(1)}`, account: null, ...modes })
    happen({ kind: 'channel.joined', channel, name, user, ranks: ['o'] as Rank[], flags: [] })
    happen({ kind: 'channel.registered', channel, founder: accountKey('ann') })
    happen({ kind: 'channel.access', channel, account: accountKey('bob'), rank })
  }
  const change = happen({ kind: 'account.dropped', account: accountKey('bob') })
  assert.deepEqual((change as { knownIn: unknown }).knownIn, ['#tea'])
})
