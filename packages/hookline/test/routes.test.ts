// output.routes: where a message goes and whom it wakes, depending on its payload.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig } from './rig.ts'

const bot = 'spark-ori-alerts'
const file = `
bot: {name: ${bot}, owner: spark-ori}
output:
  channels: ["#alerts"]
  mention: claude
  template: "{body.level} {body.text}"
  burst: 2/1h
  routes:
    - when: {equals: {body.level: debug}}
      mention: null
    - when: {any: [{equals: {body.team: db}}, {matches: {body.text: "(?i)postgres"}}]}
      channels: ["#db"]
      mention: dba
`

test('the first matching route decides where and whom; without a match the defaults apply; each place has its own burst', async () => {
  await using rig = await startRig({ bots: { [bot]: file } })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #alerts,#db')
  const joined = await ann.settle()
  assert.ok(
    ['#alerts', '#db'].every((channel) =>
      joined.some((line) => line.includes(` ${channel} :`) && line.includes(bot)),
    ),
    'the bot is in the channels of its routes too',
  )
  const send = async (payload: object) => {
    const { json } = await post(`${rig.url}/${bot}`, payload)
    return [json['status'], json['message'], json['channels']]
  }
  assert.deepEqual(await send({ level: 'error', text: 'one' }), ['posted', '@claude error one', ['#alerts']])
  assert.deepEqual(await send({ level: 'debug', text: 'two' }), ['posted', 'debug two', ['#alerts']])
  assert.deepEqual(await send({ level: 'error', text: 'POSTGRES is slow' }), [
    'posted',
    '@dba error POSTGRES is slow',
    ['#db'],
  ])
  assert.deepEqual(await send({ level: 'error', team: 'db', text: 'four' }), [
    'posted',
    '@dba error four',
    ['#db'],
  ])
  assert.deepEqual(await send({ level: 'error', team: 'db', text: 'five' }), ['queued', undefined, undefined])
  assert.deepEqual(await send({ level: 'error', text: 'six' }), ['posted', '@claude error six', ['#alerts']])
})

test('a channel named twice gets one message, also by a route; names the chat distinguishes are two', async () => {
  const named = file
    .replace('["#alerts"]', '["#alerts", "#Alerts", "#Über", "#über"]')
    .replace('["#db"]', '["#db", "#DB"]')
  await using rig = await startRig({ bots: { [bot]: named } })
  const channelsOf = async (payload: object) => (await post(`${rig.url}/${bot}`, payload)).json['channels']
  assert.deepEqual(await channelsOf({ level: 'error', text: 'one' }), ['#alerts', '#Über', '#über'])
  assert.deepEqual(await channelsOf({ level: 'error', team: 'db', text: 'two' }), ['#db'])
})
