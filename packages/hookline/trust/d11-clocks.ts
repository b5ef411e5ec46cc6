// D11: the machine's clock jumps, or stands. Boards without a battery, paused virtual machines and administrators make it do so.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startBy } from '../test/command.ts'
import { Person } from '../test/person.ts'
import { post } from '../test/post.ts'
import { QUICK, type Rig, startRig, temporaryHome, writeBots } from '../test/rig.ts'
import { delivery } from '../test/rigs/store.ts'
import { secretFor, sign } from '../test/sign.ts'
import { byClock, cannotTurnClocks } from './clocks.ts'
import { figure } from './figure.ts'

export default figure({
  id: 'D11',
  promise:
    'A clock that jumps or stands loses nothing, posts nothing twice, wakes nothing over and over, and lets nobody in with an old signature',
  goal: '-1 h, +1 h, -10 y, 2038, 2039, +40 d, standing still, each there and back with restarts: 0 faults',
  small: { posts: 20, process: false },
  whole: { posts: 60, process: true },
  isTimed: true,
  async measure({ posts, process }) {
    const faults: string[] = []
    let most = 0
    const walks = LEAPS.map(async (leap) => {
      const walked = await walk(leap, posts)
      faults.push(...walked.faults.map((fault) => `${leap.name}: ${fault}`))
      most = Math.max(most, walked.readsPerSecond)
    })
    await Promise.all(walks)
    const real = process ? await turnReal(faults) : 'in this process alone'
    const seen = `${LEAPS.length} leaps with ${posts * 4} posts each, ${faults.length} faults, at most ${most} looks at the clock a second while idle; ${real}`
    return { figure: [seen, ...faults.slice(0, 3)].join('; '), isMet: faults.length === 0 }
  },
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS

interface Leap {
  readonly name: string
  /** Undefined: it stands still. */
  readonly by: number | undefined
  /** Whose signatures are taken meanwhile: of senders with the right time, and of those with the machine's. */
  readonly takes: { readonly right: boolean; readonly own: boolean }
}

// A clock that is years behind is ignored: the right time goes on.
const LEAPS: readonly Leap[] = [
  { name: 'an hour back', by: -HOUR_MS, takes: { right: false, own: true } },
  { name: 'an hour ahead', by: HOUR_MS, takes: { right: false, own: true } },
  { name: 'ten years back', by: -10 * YEAR_MS, takes: { right: true, own: false } },
  { name: 'to 2038', by: Date.UTC(2038, 0, 19, 3, 14, 8) - Date.now(), takes: { right: false, own: true } },
  { name: 'to 2039', by: Date.UTC(2039, 5, 1) - Date.now(), takes: { right: false, own: true } },
  { name: '40 days ahead', by: 40 * DAY_MS, takes: { right: false, own: true } },
  { name: 'standing still', by: undefined, takes: { right: true, own: true } },
]

const SECRET = secretFor('standard')
const yaml = (name: string, rest: string) =>
  `bot: {name: ${name}, owner: spark-ori}\noutput: {channels: ["#tea"], template: "{body.marker}"}\n${rest}`
const BOTS = {
  'spark-ori-plain': yaml('spark-ori-plain', ''),
  'spark-ori-signed': yaml('spark-ori-signed', `trigger: {auth: {type: standard, secrets: ["${SECRET}"]}}\n`),
  'spark-ori-tick': yaml('spark-ori-tick', 'trigger: {type: schedule, schedule: {cron: "* * * * *"}}\n'),
  'spark-ori-quiet': yaml('spark-ori-quiet', 'trigger: {expect: {every: 1h}}\n'),
}
const AT_ONCE = 20
/** A storm would be thousands. The pruning that is hurried here takes some hundred. */
const MOST_READS = 2_000
/** One at each jump, and one for each minute that this may take. */
const MOST_TICKS = 12

class Turned {
  reads = 0
  #off = 0
  #stands: number | undefined

  readonly now = (): number => {
    this.reads++
    return this.#stands ?? Date.now() + this.#off
  }

  turn(by: number | undefined): void {
    if (by === undefined) this.#stands = Date.now()
    else {
      this.#stands = undefined
      this.#off = by
    }
  }
}

/** There while it runs, a restart, back while it runs, and another restart. */
async function walk(leap: Leap, posts: number): Promise<{ faults: string[]; readsPerSecond: number }> {
  const faults: string[] = []
  const expect = (isSo: boolean, fault: string) => void (isSo || faults.push(fault))
  const home = temporaryHome()
  const clock = new Turned()
  const options = {
    home,
    bots: BOTS,
    config: `${QUICK}history: {days: 30}\n`,
    machine: clock.now,
    pruneEveryMs: 20,
  }
  const markers: string[] = []
  const repeats = async (rig: Rig, when: string) => {
    let posted = 0
    for (let i = 0; i < markers.length; i += AT_ONCE) {
      const again = await Promise.all(markers.slice(i, i + AT_ONCE).map((marker) => send(rig.url, marker)))
      posted += again.filter((status) => status !== 'duplicate').length
    }
    expect(posted === 0, `${posted} repeats posted ${when}`)
  }
  const work = async (rig: Rig, part: string) => {
    const made = Array.from({ length: posts }, (_, i) => `${part} ${i}`)
    for (const marker of made) {
      markers.push(marker)
      expect((await send(rig.url, marker)) === 'posted', `${marker} was not posted`)
    }
  }
  let readsPerSecond = 0
  {
    await using rig = await startRig(options)
    await rig.server.store.deliveries.begin(
      delivery({ id: 'd-waiting', bot: 'spark-ori-gone', receivedAt: clock.now() }),
    )
    using ann = await Person.join(rig.ircPort, 'ann', { channels: '#tea' })
    await work(rig, 'before')
    const slow = half(rig.url, 'slow')
    clock.turn(leap.by)
    await work(rig, 'meanwhile')
    const before = clock.reads
    const began = performance.now()
    await pause(1_200)
    readsPerSecond = Math.round(((clock.reads - before) * 1_000) / (performance.now() - began))
    expect(readsPerSecond < MOST_READS, `${readsPerSecond} looks at the clock in a second`)
    await repeats(rig, 'while it was wrong')
    const right = await signed(rig.url, Date.now(), 'right')
    const own = await signed(rig.url, clock.now(), 'own')
    expect((right === 200) === leap.takes.right, `a sender with the right time got ${right}`)
    expect((own === 200) === leap.takes.own, `a sender with the machine's time got ${own}`)
    expect((await slow.finish()) === 200, 'a request that was under way was cut off')
    const uptime = rig.server.uptimeSeconds()
    expect(uptime >= 0 && uptime < 600, `up for ${uptime} s`)
    ann.type('PING here')
    expect((await ann.until(/PONG/)).includes('here'), 'a connection was ended')
  }
  {
    await using rig = await startRig(options)
    await repeats(rig, 'after a restart')
    await work(rig, 'restarted')
    clock.turn(0)
    await work(rig, 'back')
    await pause(300)
    await repeats(rig, 'with the clock right again')
    expect((await signed(rig.url, Date.now(), 'back')) === 200, 'a sender with the right time was refused')
  }
  {
    await using rig = await startRig(options)
    await repeats(rig, 'after the last restart')
    const { store } = rig.server
    const said = (await store.history('#tea', 5_000)).map(({ text }) => text)
    const mine = said.filter((text) => markers.includes(text))
    expect(mine.join() === markers.join(), 'a page is out of order, or has lost or doubled something')
    const rows = await store.deliveries.list({ limit: 1_000 })
    const isWaiting = (await store.deliveries.pending()).some(({ id }) => id === 'd-waiting')
    expect(isWaiting, 'a pending delivery is gone')
    const young = rows.filter(({ receivedAt, finishedAt }) => (finishedAt ?? receivedAt) < receivedAt).length
    expect(young === 0, `${young} deliveries ended before they came`)
    const soon = Date.now() + 2 * HOUR_MS
    const ahead = rows.filter(({ receivedAt }) => receivedAt > soon).length
    expect(ahead === 0, `${ahead} deliveries are still to come`)
    const ticks = rows.filter(({ bot }) => bot === 'spark-ori-tick').length
    expect(ticks <= MOST_TICKS, `${ticks} scheduled runs`)
  }
  return { faults, readsPerSecond }
}

/** The status of the answer. */
async function send(url: string, marker: string): Promise<unknown> {
  const { json } = await post(`${url}/spark-ori-plain`, { marker }, { 'Idempotency-Key': marker })
  return json['status']
}

async function signed(url: string, at: number, id: string): Promise<number> {
  const body = JSON.stringify({ marker: `signed ${id}` })
  const { headers } = sign('standard', { secret: SECRET, body, id, at })
  return (await post(`${url}/spark-ori-signed`, body, headers)).status
}

/** A request of which half is sent. */
function half(url: string, marker: string): { finish(): Promise<number | undefined> } {
  const body = JSON.stringify({ marker })
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length }
  const asking: ClientRequest = request(`${url}/spark-ori-plain`, { method: 'POST', headers, agent: false })
  const answered = once(asking, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => {})
  asking.write(body.slice(0, 4))
  return {
    async finish() {
      asking.end(body.slice(4))
      const [response] = await answered.catch(() => [undefined])
      response?.resume()
      return response?.statusCode
    },
  }
}

/** A real process, up for long enough to prune: 40 days ahead, and then right. */
async function turnReal(faults: string[]): Promise<string> {
  if (cannotTurnClocks) return `no process of its own: ${cannotTurnClocks}`
  const home = temporaryHome()
  writeBots(home, BOTS)
  const markers = Array.from({ length: 50 }, (_, i) => `m${i}`)
  for (const [round, days] of [0, 40, 0].entries()) {
    await using server = await startBy(byClock(days), home)
    for (const marker of markers) {
      const status = await send(server.url, marker)
      if (status !== (round === 0 ? 'posted' : 'duplicate'))
        faults.push(`${marker} was ${String(status)} by a process`)
    }
    // The first look for what is old comes after ten seconds.
    await pause(15_000)
    await server.stop()
  }
  return `${markers.length} more by a process whose clock was 40 days ahead for 15 s`
}
