// L6: half an hour of ordinary work. What leaks slowly shows as a slope.
import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CHECKOUT } from '../bench/arguments.ts'
import { gatherObservers } from '../bench/observers.ts'
import { type Subject, startSubject } from '../bench/subject.ts'
import { Person } from '../test/person.ts'
import { figure } from './figure.ts'

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
    const minutesIn = () => (performance.now() - began) / 60_000
    let failed = 0
    let highest = 0
    const workUntil = async (minute: number): Promise<Rest> => {
      while (minutesIn() < minute) {
        // 160 lines and 50 webhooks a second; and somebody comes and goes.
        const coming = comeAndGo(server.ircPort)
        failed += (await observers.observe(PHASE_MS)).failed
        await coming
        highest = Math.max(highest, (server.residentKiB() ?? 0) / 1_024)
      }
      return await restOf(server)
    }
    const before = await workUntil(warmUpMinutes)
    const after = await workUntil(minutes)
    await observers.close()
    const slope = (after.mb - before.mb) / (minutes - warmUpMinutes)
    return {
      figure: `${slope.toFixed(2)} MB/min in ${minutes - warmUpMinutes} minutes (at rest ${Math.round(before.mb)}, then ${Math.round(after.mb)} MB; ${Math.round(highest)} at work), descriptors ${before.fds}, then ${after.fds}, ${failed} webhooks failed`,
      isMet: slope < 0.5 && after.fds - before.fds <= 2 && failed === 0,
    }
  },
})

interface Rest {
  readonly mb: number
  readonly fds: number
}

/** While it works, V8 lets garbage lie until there is much of it, which is no leak: what is held shows once the server is idle. */
async function restOf(server: Subject): Promise<Rest> {
  let least = Infinity
  for (let looks = 0; looks < 40; looks++) {
    await wait(250)
    least = Math.min(least, (server.residentKiB() ?? 0) / 1_024)
  }
  return { mb: least, fds: readdirSync(`/proc/${server.pid}/fd`).length }
}

async function comeAndGo(port: number): Promise<void> {
  using guest = await Person.join(port, 'guest', { channels: '#guests' })
  guest.type('PRIVMSG #guests :hello', 'TOPIC #guests :tea', 'WHO #guests', 'QUIT :bye')
  await guest.gone()
}
