// What an owner is told of failed deliveries: the first at once, the others as a count, before the server is gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestClock } from './clock.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { type Rig, startRig, temporaryHome } from './rig.ts'

const bot = 'spark-ori-ci'
const bots = {
  [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: {template: "{body.text}", fallback: error}\n`,
}

test('failures within a minute of the first are reported when the minute is over, or the server stops', async () => {
  const clock = new TestClock(Date.UTC(2026, 3, 3, 9, 0))
  await using rig = await startRig({ bots, clock })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  await fail(rig, 3)
  await owner.until(/PRIVMSG spark-ori :delivery d-\S+ failed: /)
  clock.moveTo(clock.now() + 60_000)
  await owner.until(
    /PRIVMSG spark-ori :2 more deliveries failed \(see: hookline bot deliveries spark-ori-ci --failed\)$/,
  )
  await fail(rig, 1)
  assert.deepEqual(await owner.settle(), [])
  rig.server.stop()
  const last = await owner.gone()
  assert.match(last[0] ?? '', /PRIVMSG spark-ori :1 more delivery failed/)
})

test('an absent owner is told of all of them after a restart', async (t) => {
  const home = temporaryHome(t)
  {
    await using rig = await startRig({ home, bots })
    await fail(rig, 3)
  }
  await using rig = await startRig({ home })
  using owner = await Person.connect(rig.ircPort)
  owner.type('NICK spark-ori', 'USER ori 0 * :Ori')
  await owner.until(/\] delivery d-\S+ failed: /)
  await owner.until(/\] 2 more deliveries failed/)
})

test('if a bot may not speak, its owner is told in which channel, and why', async () => {
  const moderated = 'spark-ori-cd'
  const file = `bot: {name: ${moderated}, owner: spark-ori}\noutput: {channels: ["#tea"]}\n`
  await using rig = await startRig({ bots: { [moderated]: file } })
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  owner.type('JOIN #tea', 'MODE #tea +m', `MODE #tea -v ${moderated}`)
  await owner.settle()
  assert.equal((await post(`${rig.url}/${moderated}`, {})).status, 500)
  await owner.until(/delivery d-\S+ failed: #tea: Cannot send to channel \(\+m\)/)
})

async function fail({ url }: Rig, count: number): Promise<void> {
  for (let n = 0; n < count; n++) assert.equal((await post(`${url}/${bot}`, {})).status, 500)
}
