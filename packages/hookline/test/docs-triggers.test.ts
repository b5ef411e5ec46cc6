// docs/triggers.md: its bots are in a real server, its conversations are played, its commands typed, its fields counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HAPPENINGS } from '../src/bots/file/triggertypes.ts'
import { TestClock } from './clock.ts'
import { play } from './conversation.ts'
import { type Block, nameIn, playPage, rowsOf, typeCommands } from './docs.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig } from './rig.ts'

const page = 'triggers'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  let bots: Block[] = []
  await playPage(page, {
    'yaml bot': (block) => bots.push(block),
    conversation: async ({ lines }) => {
      assert.ok(bots.length > 0, 'nobody to talk to')
      await play([...bots.map(asFile), ...lines].join('\n'))
      bots = []
    },
    console: (block) => typeCommands(block, rig),
  })
  assert.deepEqual(bots, [], 'a bot that nobody talks to')
})

test('the tables name every kind of event, and every field of every payload', async () => {
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 0))
  const bot = (name: string, trigger: string) =>
    `bot: {name: ${name}, owner: spark-ori}\ntrigger: {${trigger}}\noutput: {channels: ["#log"]}\n`
  const on = `type: event, on: [${HAPPENINGS.join(', ')}], match: {command: "!a"}, bots: [spark-ori-ci], rate: 99/1s`
  await using rig = await startRig({
    clock,
    bots: {
      'spark-ori-all': bot('spark-ori-all', on),
      'spark-ori-ci': bot('spark-ori-ci', 'expect: every 1h'),
      'spark-ori-cron': bot('spark-ori-cron', 'type: schedule, cron: "0 10 * * *", timezone: UTC'),
    },
  })
  using ann = await Person.join(rig.ircPort, 'ann')
  using bob = await Person.join(rig.ircPort, 'bob')
  ann.type('JOIN #log', 'TOPIC #log :x', 'PRIVMSG #log :!a b')
  await ann.settle()
  bob.type('JOIN #log', 'PART #log', 'JOIN #log', 'NICK rob')
  await bob.settle()
  ann.type('KICK #log rob')
  await ann.settle()
  bob.type('JOIN #log', 'QUIT')
  await bob.gone()
  await post(`${rig.url}/spark-ori-ci`, {})
  clock.moveTo(clock.now() + 3_600_000)

  const told = new Map(rowsOf(page).map(([event = '', fields = '']) => [event, fields]))
  const { deliveries } = rig.server.store
  const wanted = HAPPENINGS.map((kind) => (kind === 'delivery' ? 'delivery.posted' : `chat.${kind}`))
  wanted.push('schedule', 'expect.missed')
  const found = new Map<string, string>()
  const end = performance.now() + 60_000
  while (wanted.some((event) => !found.has(event))) {
    assert.ok(performance.now() < end, `only ${[...found.keys()].join()}`)
    for (const { event, id } of await deliveries.list({ limit: 100 })) found.set(event ?? '', id)
  }
  const common = fieldsIn(told.get('`chat.join`') ?? '')
  for (const event of wanted) {
    const { body } = (await deliveries.get(found.get(event) ?? '')) ?? {}
    const payload = JSON.parse(Buffer.from(body ?? []).toString()) as object
    const row = [...told].find(([name]) => fieldsIn(name).includes(event))?.[1] ?? assert.fail(event)
    const fields = [...(row.startsWith('the same') ? common : []), ...fieldsIn(row), 'event']
    const named = new Set(fields.filter((field) => field !== 'match.command'))
    assert.deepEqual([...named].toSorted(), Object.keys(payload).toSorted(), event)
  }
})

/** As a conversation has it. */
function asFile({ lines }: Block): string {
  return [`@ ${nameIn(lines)}`, ...lines.map((each) => `  ${each}`)].join('\n')
}

function fieldsIn(cell: string): string[] {
  return [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)
}
