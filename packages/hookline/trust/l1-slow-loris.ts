// L1: slow requests, by the thousand. Each holds a connection for as long as it may; who posts properly should not notice.
import { setTimeout as wait } from 'node:timers/promises'
import { CHECKOUT } from '../bench/arguments.ts'
import { startCrowd } from '../bench/crowd.ts'
import { gatherObservers } from '../bench/observers.ts'
import { startSubject } from '../bench/subject.ts'
import { figure } from './figure.ts'
import { median } from './numbers.ts'

/** A request has 15 s in all, which is looked at each second. */
const REAPED_MS = 17_000
/** All of them have come, and the first have been closed. */
const BEGIN_MS = 3_000

export default figure({
  id: 'L1',
  promise: 'Thousands of requests that are sent or read by the byte slow down no proper webhook',
  goal: 'p99 of a POST at most 5 ms more (median of the rounds), none fails, all are closed within 17 s (of the 15 that a request has), RSS + 150 MB at most',
  small: { sockets: 5_000, rounds: 1, phaseMs: 4_000 },
  whole: { sockets: 5_000, rounds: 5, phaseMs: 8_000 },
  isTimed: true,
  async measure({ sockets, rounds, phaseMs }) {
    await using server = await startSubject(CHECKOUT, { isFloodProtected: true })
    await using crowd = await startCrowd('drip', {
      port: server.webhookPort,
      count: sockets,
      kinds: ['header', 'body', 'answer'],
    })
    const observers = await gatherObservers(server)
    await observers.observe(2_000)
    const seen: { calm: number; attacked: number; reaped: number }[] = []
    let failed = 0
    let grown = 0
    for (let round = 0; round < rounds; round++) {
      const before = server.residentKiB() ?? 0
      const calm = await observers.observe(phaseMs)
      await crowd.order('drip')
      await wait(BEGIN_MS)
      const attacked = await observers.observe(phaseMs)
      grown = Math.max(grown, ((server.residentKiB() ?? 0) - before) / 1_024)
      const reaped = Number(await crowd.order('end'))
      failed += calm.failed + attacked.failed
      seen.push({ calm: calm.posted.percentile(99), attacked: attacked.posted.percentile(99), reaped })
    }
    await observers.close()
    const calm = median(seen.map((each) => each.calm))
    const attacked = median(seen.map((each) => each.attacked))
    const reaped = Math.max(...seen.map((each) => each.reaped))
    return {
      figure: `p99 ${attacked.toFixed(1)} ms (calm ${calm.toFixed(1)}) with ${sockets} slow sockets, ${failed} failed, the last closed after ${(reaped / 1_000).toFixed(1)} s, RSS + ${Math.round(grown)} MB`,
      isSound: failed === 0 && grown < 150,
      isMet: attacked <= calm + 5 && failed === 0 && reaped < REAPED_MS && grown < 150,
    }
  },
})
