// The same fuzz as in fuzz.test.ts, by real connections at a real server: less of it, through sockets, history and the store.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Act, PLACES, someActs } from './fuzz/acts.ts'
import { Guest } from './fuzz/guest.ts'
import { Person } from './person.ts'
import { ROUNDS } from './rounds.ts'
import { startRig, temporaryHome } from './rig.ts'

const LINES = 1_000 * ROUNDS
const SEED = Number(process.env['HOOKLINE_FUZZ_SEED'] ?? 1)
const bot =
  'bot: {name: spark-ori-ci, owner: spark-ori}\noutput: {channels: ["#a"], template: "{body.text}"}\n'

test(`${LINES} lines through sockets: everybody is told only what they may see, and the server keeps running`, async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ bots: { 'spark-ori-ci': bot }, home })
    await type(someActs(SEED, LINES), rig.ircPort)
    using late = await Person.join(rig.ircPort, 'latecomer')
    late.type('JOIN #late', 'PRIVMSG #late :is anybody here?')
    assert.deepEqual(
      (await late.settle()).filter((line) => line.startsWith('ERROR')),
      [],
    )
    late.type('QUIT')
    await late.gone()
    // Shortly after the last QUIT the sockets are closed; the bot stays.
    const { users, bots, connections } = rig.server.counts()
    assert.deepEqual({ users, bots, connections }, { users: 1, bots: 1, connections: 0 })
  }
  await using again = await startRig({ home })
  const said = await again.server.store.history('#late', 10)
  assert.deepEqual(
    said.map(({ text }) => text),
    ['is anybody here?'],
  )
  using database = new DatabaseSync(join(home.data, 'hookline.db'), { readOnly: true })
  assert.equal(database.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok')
})

/** Everybody types their part, waits for the others now and then, and leaves. */
async function type(acts: readonly Act[], port: number): Promise<void> {
  const guests: (Guest | undefined)[] = Array.from({ length: PLACES })
  for (const [i, act] of acts.entries()) {
    if (act.kind === 'send') {
      if (guests[act.place]?.isOpen !== true) {
        guests[act.place]?.check()
        guests[act.place] = await Guest.connect(port, act.greeting)
      }
      guests[act.place]?.send(act.bytes)
    } else if (act.kind === 'hang up') guests[act.place]?.socket.destroy()
    // What they send is read in chunks, and in turns, as it arrives; nobody runs ahead for ever.
    if (i % 20 === 0) await Promise.all(guests.map(async (guest) => guest?.settle()))
  }
  await Promise.all(guests.map(async (guest) => guest?.leave()))
  for (const guest of guests) guest?.check()
}
