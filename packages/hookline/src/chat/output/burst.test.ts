import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CAPS } from '../../irc/caps.ts'
import { Session } from '../session.ts'
import type { SessionId, User } from '../state.ts'
import { Line } from './line.ts'
import { Flusher } from './flusher.ts'
import { Response } from './response.ts'
import { wireTo } from '../../../test/rigs/wires.ts'

const PEOPLE = 5
const who = fc.nat(PEOPLE - 1)
const caps = fc.constantFrom(0, CAPS['message-tags'], CAPS['server-time'], CAPS['echo-message'])
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ by: who, in: fc.nat(1), isTag: fc.boolean() }) },
    fc.record({ to: who }),
    fc.record({ of: who, caps }),
    fc.constant('turn' as const),
  ),
  { maxLength: 120 },
)

test('every member reads everything said, with the capabilities it had at that time, in the order of everything sent to it', () => {
  fc.assert(
    fc.property(steps, (each) => {
      const { flusher, sessions, written, turn } = house()
      const channels = [sessions, sessions.slice(2)]
      const expected = sessions.map(() => '')
      for (const [at, step] of each.entries()) {
        if (step === 'turn') {
          turn()
        } else if ('to' in step) {
          sessions[step.to]?.send(line(at))
          expected[step.to] += line(at).form(sessions[step.to]?.caps ?? 0)
        } else if ('of' in step) {
          sessions[step.of]?.adopt(step.caps)
        } else {
          const cap = step.isTag ? CAPS['message-tags'] : 0
          const except = sessions[step.by]?.user
          const listeners = channels[step.in] ?? []
          assert.ok(except)
          flusher.say(listeners, line(at), { except, cap })
          for (const session of listeners) {
            if (session.user !== except && (cap === 0 || session.has(cap)))
              expected[sessions.indexOf(session)] += line(at).form(session.caps)
          }
        }
      }
      turn()
      assert.deepEqual(written, expected)
    }),
    { numRuns: 300 },
  )
})

test('a connection’s last words come after everything that was said', () => {
  const { flusher, sessions, written } = house()
  const [ann, bob] = sessions
  assert.ok(ann?.user && bob)
  flusher.say(sessions, line(1), { except: ann.user, cap: 0 })
  bob.outbox.finish('ERROR :bye\r\n')
  assert.equal(written[1], `${line(1).form(0)}ERROR :bye\r\n`)
})

test('messages unrelated to a labelled command are not part of its answer', () => {
  const { flusher, sessions, written } = house()
  const [ann, bob] = sessions
  assert.ok(ann?.user && bob)
  bob.response = new Response('x', 'ref')
  flusher.say(sessions, line(1), { except: ann.user, cap: 0 })
  flusher.flush()
  assert.equal(written[1], line(1).form(0))
  assert.equal(bob.response.write('spark', 0), '@label=x :spark ACK\r\n')
})

function line(at: number): Line {
  return new Line({ source: 'ann!ann@host', command: 'PRIVMSG', params: ['#tea', `${at}`], at, id: `${at}` })
}

/** Five people, one of whom has two connections. */
function house() {
  const due: (() => void)[] = []
  const flusher = new Flusher((flush) => void due.push(flush))
  const written = Array.from({ length: PEOPLE + 1 }, () => '')
  const users = Array.from({ length: PEOPLE }, (_, i) => ({ key: `u${i}` }) as User)
  const sessions = written.map((_, i) => {
    const wire = wireTo((bytes) => void (written[i] += Buffer.from(bytes).toString()))
    const session = new Session(i as SessionId, wire, {
      flusher,
      host: 'host',
      isSecure: false,
      now: 0,
      sendQueueBytes: 1 << 20,
      overflow: () => assert.fail('nothing is too much here'),
    })
    session.user = users[i % PEOPLE]
    return session
  })
  return { flusher, sessions, written, turn: () => due.splice(0).forEach((flush) => flush()) }
}
