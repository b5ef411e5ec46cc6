// The machine's clock is put back while the server runs: nobody waits for it, and what is said is still the latest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Person } from './person.ts'
import { startRig, temporaryHome } from './rig.ts'

const HOUR_MS = 3_600_000

const config =
  'logging: {level: error}\naccounts: {password_cost: 4}\nlimits: {flood_burst: 5, flood_lines_per_second: 100}\n'

test('when the clock is put back nobody is kept waiting, and what is said then comes after what was said before', async () => {
  let back = 0
  await using rig = await startRig({ config, machine: () => Date.now() - back })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/chathistory message-tags' })
  ann.type('JOIN #tea', 'PRIVMSG #tea :before')
  await ann.settle()
  back = HOUR_MS
  ann.type('PRIVMSG #tea :after', 'CHATHISTORY LATEST #tea * 2')
  assert.deepEqual(textsOf(await ann.settle()), ['before', 'after'])
})

test('the same for a server that starts with a clock that is behind what was said', async () => {
  const home = temporaryHome()
  {
    await using rig = await startRig({ config, home, keepsHome: true })
    using ann = await Person.join(rig.ircPort, 'ann')
    ann.type('JOIN #tea', 'PRIVMSG #tea :before')
    await ann.settle()
  }
  await using rig = await startRig({ config, home, machine: () => Date.now() - HOUR_MS })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/chathistory message-tags' })
  ann.type('JOIN #tea', 'PRIVMSG #tea :after', 'CHATHISTORY LATEST #tea * 2')
  assert.deepEqual(textsOf(await ann.settle()), ['before', 'after'])
})

test('a clock that is put back by more than a day is believed, and nobody is kept waiting for it either', async () => {
  let back = 0
  await using rig = await startRig({ config, machine: () => Date.now() - back })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'server-time' })
  back = 48 * HOUR_MS
  for (let line = 0; line < 30; line++) ann.type(`PING ${line}`)
  const pong = await ann.until(/PONG spark 29/)
  const ahead = Date.parse(/time=([^ ;]+)/.exec(pong)?.[1] ?? '') - (Date.now() - back)
  assert.ok(Math.abs(ahead) < HOUR_MS, `${ahead} ms ahead`)
})

function textsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => / PRIVMSG #tea :(.*)$/.exec(line)?.[1] ?? [])
}
