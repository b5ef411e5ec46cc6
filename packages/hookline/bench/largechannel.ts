// A channel of ten thousand: how long nobody else is answered while one is told all of it.
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from './client.ts'
import { startCrowd } from './crowd.ts'
import type { Figures } from './figures.ts'
import { Pulse } from './pulse.ts'
import { CHANNEL, startSubject } from './subject.ts'

const MEMBERS = 10_000
const ROUNDS = 5
const CALM_MS = 500
const AFTER_MS = 300

export async function measureLargeChannel(checkout: string): Promise<Figures> {
  await using server = await startSubject(checkout)
  const founder = new Client(server.ircPort, 'founder')
  // While nobody sees the others (+u), ten thousand can come without each being told of each.
  founder.send(`JOIN ${CHANNEL}\r\nMODE ${CHANNEL} +u\r\n`)
  await founder.settle()
  await using crowd = await startCrowd('members', {
    port: server.ircPort,
    count: MEMBERS,
    channel: CHANNEL,
  })
  founder.send(`MODE ${CHANNEL} -u\r\n`)
  await founder.settle()
  await crowd.order('settle')

  const pulse = new Pulse(server.ircPort)
  await pulse.begin()
  const asking = (lines: string) => async () => {
    founder.send(lines)
    await founder.settle()
  }
  let comer: Client | undefined
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    calm: () => wait(CALM_MS),
    names: asking(`NAMES ${CHANNEL}\r\n`),
    who: asking(`WHO ${CHANNEL}\r\n`),
    join: async () => {
      comer = new Client(server.ircPort, 'comer')
      comer.send(`JOIN ${CHANNEL}\r\n`)
      await comer.settle()
    },
    say: asking(`PRIVMSG ${CHANNEL} :hello\r\n`),
    quit: async () => await comer?.close(),
  }
  const worst: Record<string, number> = {}
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [what, act] of Object.entries(acts)) {
      const stall = await pulse.during(act, AFTER_MS)
      // The first round warms up.
      if (round > 0) worst[`${what}_stall_ms`] = Math.max(worst[`${what}_stall_ms`] ?? 0, stall)
      await crowd.order('settle')
    }
  }
  await pulse.end()
  await founder.close()
  return worst
}
