import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '../session.ts'
import { emptyState, type ServerBan } from '../state.ts'
import { banOf } from './serverban.ts'

test('a connection’s masks are computed once, not for each ban', () => {
  const state = emptyState({ whowasEntries: 0 })
  for (let i = 0; i < 100; i++) {
    const target = `*!*@*.bad${i}.example`
    state.bans.set(target, { target, network: null, needsAccount: false, until: null } as ServerBan)
  }
  let readings = 0
  const session = {
    introduction: { nick: 'ann', username: 'ann', account: null, isNegotiating: false },
    host: 'x.bad99.example',
    get address() {
      readings++
      return '192.0.2.7'
    },
  } as Session
  assert.equal(banOf(state, session, 0)?.target, '*!*@*.bad99.example')
  assert.ok(readings < 5, `${readings}`)
})
