// Messages of bots after they were said: taken back, and belonging together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hookline } from './command.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig } from './rig.ts'

const bot = 'spark-ori-ci'
const caps = 'message-tags draft/message-redaction'

test('bot retract: who reads redactions is told in every channel and as the owner, and nobody else', async () => {
  const output = '{channels: ["#builds", "#Dev"], dm_owner: true, template: "{state}"}'
  await using rig = await startRig({
    bots: { [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: ${output}` },
  })
  using ori = await Person.join(rig.ircPort, 'spark-ori', { caps })
  using ann = await Person.join(rig.ircPort, 'ann', { caps })
  using bob = await Person.join(rig.ircPort, 'bob', { caps: 'message-tags' })
  for (const person of [ann, bob]) {
    person.type('JOIN #builds,#dev')
    await person.settle()
  }
  await ann.settle()
  const { json } = await post(`${rig.url}/${bot}`, { state: 'oops' })
  const said = [...(await ann.settle()), ...(await ori.settle())]
  assert.equal(said.length, 3)

  const id = String(json['id'])
  const { code, stdout } = await hookline(rig.home, 'bot', 'retract', id, '--reason', 'a\nb')
  assert.deepEqual([code, stdout], [0, `${id} taken back in #builds #Dev spark-ori\n`])
  const heard = [...(await ann.settle()), ...(await ori.settle())]
  const expected = said.map(
    (line, i) => `REDACT ${['#builds', '#Dev', 'spark-ori'][i]} ${msgidOf(line)} :a b`,
  )
  assert.deepEqual(
    heard.map((line) => line.replace(/^@\S+ :spark-ori-ci!bot@spark /, '')),
    expected,
  )
  assert.ok(heard.every((line) => line.includes(';bot ')))
  assert.doesNotMatch((await bob.settle()).join('\n'), /REDACT/)
  const direct = await rig.server.store.history('spark-ori spark-ori-ci', 10)
  assert.deepEqual(
    direct.map(({ text, redacted }) => [text, redacted?.reason]),
    [['', 'a b']],
  )
})

function msgidOf(line: string): string {
  return /msgid=(\w+)/.exec(line)?.[1] ?? assert.fail(line)
}
