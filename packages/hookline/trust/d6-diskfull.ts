// D6: a disk that is really full, and then has room again.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { accountOf, Crew, finish, newHome } from '../test/crew.ts'
import { cannotMount } from '../test/mounts.ts'
import { Person } from '../test/person.ts'
import { PATIENT, UNLIMITED } from '../test/rig.ts'
import { fill, seenFromHere, startOnSmallDisk } from '../test/smalldisk.ts'
import { figure } from './figure.ts'
import { percentile } from './numbers.ts'

export default figure({
  id: 'D6',
  promise:
    'On a full disk senders get 503 and chat goes on; with room again, so do deliveries; nothing is lost',
  goal: '503 alone, PING p99 under 50 ms, back within 5 s of room, 0 lost, 0 doubled',
  small: { seconds: 5 },
  whole: { seconds: 60 },
  isTimed: true,
  async measure({ seconds }) {
    if (cannotMount) return { figure: `not shown: ${cannotMount}`, isMet: true }
    const home = newHome()
    writeFileSync(home.config, `${UNLIMITED}${PATIENT}`)
    mkdirSync(home.data)
    const crew = new Crew()
    const pings: number[] = []
    let back: number
    {
      await using server = await startOnSmallDisk(home)
      const disk = seenFromHere(server, home)
      using ann = await Person.join(server.ircPort, 'ann')
      crew.serverAt(server.url)
      while (crew.markers.size < 50) await wait(10)
      const ballast = join(disk, 'ballast')
      fill(ballast)
      for (const end = performance.now() + seconds * 1_000; performance.now() < end; await wait(20)) {
        const began = performance.now()
        await ann.settle()
        pings.push(performance.now() - began)
      }
      const before = crew.markers.size
      rmSync(ballast)
      const room = performance.now()
      while (crew.markers.size === before) await wait(10)
      back = (performance.now() - room) / 1_000
      const stop = () => {
        // Its disk goes with it. By now nothing is written.
        for (const name of ['hookline.db', 'hookline.db-wal'])
          copyFileSync(join(disk, name), join(home.data, name))
        return server.stop()
      }
      await finish(crew, { url: server.url, stop })
    }
    const { lost, doubled, strange } = accountOf(crew, home)
    const p99 = percentile(pings, 99)
    return {
      figure: `PING p99 ${p99.toFixed(1)} ms, back in ${back.toFixed(1)} s, ${lost.length} lost, ${doubled.length} doubled of ${crew.markers.size}, ${strange.length} other answers`,
      isSound: lost.length + doubled.length + strange.length === 0,
      isMet: p99 < 50 && back < 5 && lost.length + doubled.length + strange.length === 0,
    }
  },
})
