// What was acknowledged is in the history exactly once, however the server ended. HOOKLINE_ROUNDS=10 for ten times as many kills.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCommand } from './command.ts'
import { check, Crew, finish, newHome } from './crew.ts'
import { Person } from './person.ts'
import { ROUNDS } from './rounds.ts'

/** For one test, however busy the machine is. */
const deadline = { timeout: 900_000 }

const kills = 5 * ROUNDS
const stops = 2 * ROUNDS

test(
  `kill -9, ${kills} times with 16 senders: no acknowledged delivery is missing, and none is there twice`,
  deadline,
  async (t) => {
    const home = newHome(t)
    const crew = new Crew()
    for (let round = 0; round < kills; round++) {
      await using server = await startCommand(home)
      crew.serverAt(server.url)
      // At a different moment of the work in each round; handlers included, so that every round goes on.
      await crew.acknowledged(16 + ((round * 7) % 80))
      server.child.kill('SIGKILL')
      await server.exit
    }
    await using last = await startCommand(home)
    crew.serverAt(last.url)
    await finish(crew, last)
    assert.ok(crew.resent > 0, 'none of the senders had a reason to send again')
    check(crew, home)
    t.diagnostic(`${crew.markers.size} acknowledged, ${crew.resent} sent again`)
  },
)

test(
  `SIGTERM, ${stops} times: exit code 0 within 10 s, nothing lost; a connected user gets ERROR`,
  deadline,
  async (t) => {
    const home = newHome(t)
    const crew = new Crew()
    let slowest = 0
    for (let round = 0; round < stops; round++) {
      await using server = await startCommand(home)
      using ann = await Person.join(server.ircPort, 'ann')
      crew.serverAt(server.url)
      await crew.acknowledged(16 + ((round * 9) % 80))
      const asked = performance.now()
      await server.stop()
      slowest = Math.max(slowest, performance.now() - asked)
      assert.match((await ann.gone()).at(-1) ?? '', /^ERROR :.*shutting down/i)
    }
    assert.ok(slowest < 10_000, `one took ${slowest} ms`)
    await using last = await startCommand(home)
    crew.serverAt(last.url)
    await finish(crew, last)
    check(crew, home)
    t.diagnostic(`${crew.markers.size} acknowledged, the slowest stop took ${Math.round(slowest)} ms`)
  },
)
