// L4: as many connections as a large team never has.
import { readFileSync } from 'node:fs'
import { CHECKOUT } from '../bench/arguments.ts'
import { gather } from '../bench/client.ts'
import { startCrowd } from '../bench/crowd.ts'
import { Pulse } from '../bench/pulse.ts'
import { startSubject } from '../bench/subject.ts'
import { figure } from './figure.ts'

export default figure({
  id: 'L4',
  promise: 'Thousands of people fit into one channel, and a message reaches all of them at once',
  goal: '10,000 within 60 s and 350 MB, a message to all within 1.5 s, and nobody waits 50 ms for it; all gone: memory back within 20 %',
  small: { clients: 500 },
  whole: { clients: 10_000 },
  isTimed: true,
  async measure({ clients }) {
    const most = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
    // The server keeps some for webhooks, its database and handlers.
    if (most < clients + 2_000)
      return { figure: `not shown: ulimit -n is ${most}, and ${clients + 2_000} are needed`, isMet: true }
    await using server = await startSubject(CHECKOUT)
    const channel = '#crowd'
    const [founder] = await gather(server.ircPort, ['founder'], [channel])
    // While nobody sees the others, ten thousand can come without each being told of each.
    founder?.send(`MODE ${channel} +u\r\n`)
    await founder?.settle()
    const calm = server.residentKiB() ?? 0
    const began = performance.now()
    const pulse = new Pulse(server.ircPort)
    let toAll = 0
    let stall = 0
    let full = 0
    let came = 0
    {
      await using crowd = await startCrowd('members', { port: server.ircPort, count: clients, channel })
      came = (performance.now() - began) / 1_000
      full = (server.residentKiB() ?? 0) / 1_024
      await pulse.begin()
      stall = await pulse.during(async () => {
        const said = performance.now()
        founder?.send(`PRIVMSG ${channel} :hello\r\n`)
        // Each answers a PING behind the message.
        await crowd.order('settle')
        toAll = (performance.now() - said) / 1_000
      }, 100)
    }
    await pulse.end()
    await founder?.settle()
    const left = (server.residentKiB() ?? 0) / calm
    return {
      figure: `${clients} within ${came.toFixed(1)} s and ${Math.round(full)} MB, a message to all in ${toAll.toFixed(2)} s, others waited ${Math.round(stall)} ms at most; all gone: ${left.toFixed(2)} times the memory of before`,
      isSound: full < 350,
      isMet: came < 60 && full < 350 && toAll < 1.5 && stall < 50 && left < 1.2,
    }
  },
})
