// The machine's clock is set back while the server runs: nobody has to wait, and new messages are still the latest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hookline } from './command.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig, temporaryHome, writeBots } from './rig.ts'

const HOUR_MS = 3_600_000

const config =
  'logging: {level: error}\naccounts: {password_cost: 4}\nlimits: {flood_burst: 5, flood_lines_per_second: 100}\n'

test('when the clock is set back nobody is kept waiting, and later messages sort after earlier ones', async () => {
  let back = 0
  await using rig = await startRig({ config, machine: () => Date.now() - back })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/chathistory message-tags' })
  ann.type('JOIN #tea', 'PRIVMSG #tea :before')
  await ann.settle()
  back = HOUR_MS
  ann.type('PRIVMSG #tea :after', 'CHATHISTORY LATEST #tea * 2')
  assert.deepEqual(textsOf(await ann.settle()), ['before', 'after'])
})

test('on a server started with a clock behind its history, new messages sort after the old ones', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ config, home })
    using ann = await Person.join(rig.ircPort, 'ann')
    ann.type('JOIN #tea', 'PRIVMSG #tea :before')
    await ann.settle()
  }
  await using rig = await startRig({ config, home, machine: () => Date.now() - HOUR_MS })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/chathistory message-tags' })
  ann.type('JOIN #tea', 'PRIVMSG #tea :after', 'CHATHISTORY LATEST #tea * 2')
  assert.deepEqual(textsOf(await ann.settle()), ['before', 'after'])
})

test('a clock set back by more than a day is wrong: time goes on as before, and nobody is kept waiting either', async () => {
  let back = 0
  await using rig = await startRig({ config, machine: () => Date.now() - back })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'server-time' })
  back = 48 * HOUR_MS
  for (let line = 0; line < 30; line++) ann.type(`PING ${line}`)
  const pong = await ann.until(/PONG spark 29/)
  const ahead = Date.parse(/time=([^ ;]+)/.exec(pong)?.[1] ?? '') - Date.now()
  assert.ok(Math.abs(ahead) < HOUR_MS, `${ahead} ms ahead`)
})

test('kept messages and retractions are never earlier than what they refer to', async () => {
  const bot = 'spark-ori-ci'
  const file = `bot: {name: ${bot}, owner: spark-ori}
output: {channels: ["#tea"], mention: claude, dm_owner: true, template: "{body.s}"}
`
  let ahead = HOUR_MS
  await using rig = await startRig({ config, machine: () => Date.now() + ahead })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#tea' })
  writeBots(rig.home, { [bot]: file })
  await rig.server.bots.start(bot)
  // It was wrong until now.
  ahead = 0
  const { json } = await post(`${rig.url}/${bot}`, { s: 'red' })
  await hookline(rig.home, 'bot', 'retract', String(json['id']))
  const { status } = await post(`${rig.url}/${bot}`, { s: 'green' })
  assert.equal(status, 200)
  const [red, green] = await rig.server.store.history('#tea', 2)
  assert.ok(red?.redacted && green)
  assert.ok(red.redacted.time >= red.time, `${red.redacted.time - red.time} ms after it was said`)

  ann.type('RENAME #tea #coffee')
  await ann.settle()
  const { messages: toClaude } = await rig.server.store.kept.of('claude')
  const { messages: toOwner } = await rig.server.store.kept.of('spark-ori')
  assert.deepEqual([toClaude.length, toOwner.length], [1, 2])
  for (const { time, text } of [...toClaude, ...toOwner])
    assert.ok(time >= green.time, `${time - green.time} ms after it: ${text}`)
})

function textsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => / PRIVMSG #tea :(.*)$/.exec(line)?.[1] ?? [])
}
