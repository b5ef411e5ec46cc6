// Sixteen kinds of hostile handler against a real server in a process of its own: it, the people in it and
// the bot next door go on, nothing that was started is left, and the mended handler works.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { findNamespace } from '../src/handlers/namespace.ts'
import { ATTACKS, PRINTS_SECRET } from './attacks.ts'
import { HOSTILE_FILES, quantile, SECRET, startHostile, TOKEN } from './hostile.ts'
import { ROUNDS } from './rounds.ts'

/** A few ms on a dedicated machine; on a shared one a processor may be taken away for longer. */
const PATIENCE_MS = 2_000

for (const form of ['handler: {}', ''] as const) {
  suite(form === '' ? 'unisolated, as all were before' : 'isolated', () => {
    // What differs is what they see; the limits are the same.
    const attacks = form === '' ? ATTACKS.filter(({ needsNamespace }) => needsNamespace) : ATTACKS
    let crew: Awaited<ReturnType<typeof startHostile>>
    before(async () => {
      crew = await startHostile(form)
    })
    after(() => crew[Symbol.asyncDispose]())

    test('first, how fast the bot next door answers while nobody attacks', async (t) => {
      await crew.beside(new Promise((resolve) => setImmediate(resolve)), 200)
      t.diagnostic(summary(crew.neighbourMs))
      for (const times of [crew.neighbourMs, crew.pingMs]) times.length = 0
    })

    for (const [n, attack] of attacks.entries()) {
      // For every change each attack once, by one of them or the other.
      for (const file of ROUNDS > 1 ? HOSTILE_FILES : HOSTILE_FILES.slice(n % 2, (n % 2) + 1)) {
        test(`${file} ${attack.kind}`, async (t) => {
          if (attack.needsNamespace && !(await findNamespace()).ok)
            return t.skip('this system has no namespaces for us')
          const { tookMs, growth, neighbourMs } = await crew.attack(file, attack)
          t.diagnostic(
            `took ${tookMs.toFixed(0)} ms, ${growth >> 20} MiB up, neighbour at most ${neighbourMs.toFixed(0)} ms`,
          )
        })
      }
    }

    test('meanwhile the bot next door and the people in the chat were answered', (t) => {
      t.diagnostic(`neighbour: ${summary(crew.neighbourMs)}`)
      t.diagnostic(`ping: ${summary(crew.pingMs)}`)
      for (const times of [crew.neighbourMs, crew.pingMs])
        assert.ok(quantile(times, 0.99) < PATIENCE_MS, `p99 ${quantile(times, 0.99)} ms`)
    })

    test('no secret is in the log, and the server ends normally', async () => {
      for (const file of HOSTILE_FILES) {
        crew.arm(file, PRINTS_SECRET)
        assert.equal((await crew.deliver(file, { token: TOKEN })).status, 500)
      }
      const log = await crew.stop()
      assert.match(log, /the secret is \[secret\]/)
      assert.match(log, /\?token=\[secret\]/)
      for (const secret of [SECRET, TOKEN]) assert.ok(!log.includes(secret), 'a secret is in the log')
    })
  })
}

function summary(times: readonly number[]): string {
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(times, part).toFixed(1))
  return `${times.length} times, p50 ${p50} ms, p99 ${p99} ms`
}
