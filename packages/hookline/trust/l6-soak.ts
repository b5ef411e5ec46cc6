// L6: half an hour of ordinary work. What leaks slowly shows as a slope.
import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CHECKOUT } from '../bench/arguments.ts'
import { gatherObservers } from '../bench/observers.ts'
import { startSubject } from '../bench/subject.ts'
import { Person } from '../test/person.ts'
import { figure } from './figure.ts'
import { slopeOf } from './numbers.ts'

const PHASE_MS = 5_000

export default figure({
  id: 'L6',
  promise: 'The server can run for months: neither its memory nor its descriptors grow with work',
  goal: 'memory grows less than 0.5 MB/min after the warm-up, descriptors by 2 at most, no webhook fails',
  whole: { minutes: 30, warmUpMinutes: 5 },
  wholeMinutes: 40,
  async measure({ minutes, warmUpMinutes }) {
    await using server = await startSubject(CHECKOUT, { isFloodProtected: true })
    const observers = await gatherObservers(server)
    const began = performance.now()
    const seen: { readonly minute: number; readonly mb: number; readonly fds: number }[] = []
    let failed = 0
    for (let minute = 0; minute < minutes;) {
      // 160 lines and 50 webhooks a second; and somebody comes and goes.
      const coming = comeAndGo(server.ircPort)
      failed += (await observers.observe(PHASE_MS)).failed
      await coming
      await wait(100)
      minute = (performance.now() - began) / 60_000
      const fds = readdirSync(`/proc/${server.pid}/fd`).length
      seen.push({ minute, mb: (server.residentKiB() ?? 0) / 1_024, fds })
    }
    await observers.close()
    const after = seen.filter(({ minute }) => minute >= warmUpMinutes)
    const slope = slopeOf(after.map(({ minute, mb }) => [minute, mb]))
    const [first, last] = [after[0]?.fds ?? 0, after.at(-1)?.fds ?? 0]
    return {
      figure: `${slope.toFixed(2)} MB/min in ${minutes - warmUpMinutes} minutes (${Math.round(after[0]?.mb ?? 0)} to ${Math.round(after.at(-1)?.mb ?? 0)} MB), descriptors ${first} to ${last}, ${failed} webhooks failed`,
      isMet: slope < 0.5 && Math.abs(last - first) <= 2 && failed === 0,
    }
  },
})

async function comeAndGo(port: number): Promise<void> {
  using guest = await Person.join(port, 'guest', { channels: '#guests' })
  guest.type('PRIVMSG #guests :hello', 'TOPIC #guests :tea', 'WHO #guests', 'QUIT :bye')
  await guest.gone()
}
