// The thread of the store ends by itself: the server ends at once, says why, and the next one has all that was acknowledged.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startBy, startCommand } from './command.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { temporaryHome, writeBots } from './rig.ts'

const bot = 'spark-ori-ci'
const handled = 'spark-ori-hand'

/** Node runs it in every thread: the store's ends when a file appears. */
const UNTIL = `
import { existsSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const end = process.env.END_OF_STORE
if (!isMainThread && end) setInterval(() => { if (existsSync(end)) process.exit(3) }, 10)
`

for (const signal of [undefined, 'SIGTERM'] as const) {
  const what = signal === undefined ? 'nobody stops it' : `${signal} comes`
  test(`the store's thread ends while deliveries and handlers run, and ${what}: exit code 2, without draining`, async (t) => {
    const home = temporaryHome(t)
    writeBots(home, {
      [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#log"], template: "{body.n}"}\n`,
      [handled]: `bot: {name: ${handled}, owner: spark-ori}\noutput: {channels: ["#log"]}\n`,
      // It never returns.
      [`${handled}/handler.mjs`]:
        'export const handle = () => new Promise(() => setInterval(() => {}, 1e6))\n',
    })
    const preload = join(home.folder, 'until.mjs')
    const end = join(home.folder, 'end')
    writeFileSync(preload, UNTIL)
    const by = ['env', `NODE_OPTIONS=--import=${preload}`, `END_OF_STORE=${end}`]
    await using server = await startBy(by, home)
    using ann = await Person.join(server.ircPort, 'ann')
    ann.type('JOIN #log')
    await ann.settle()
    const send = (n: number) => post(`${server.url}/${bot}`, { n }, { 'Idempotency-Key': `k${n}` })
    assert.equal((await send(1)).status, 200)
    const running = post(`${server.url}/${handled}`, {}).then(
      ({ status }) => status,
      () => 'cut off',
    )
    // Its call is on disk by then.
    assert.equal((await send(2)).status, 200)

    writeFileSync(end, '')
    const began = performance.now()
    if (signal) server.child.kill(signal)
    // Refused or cut off, never acknowledged, from now on.
    for (let n = 3; ; n++) {
      const answer = await send(n).catch(() => undefined)
      if (answer?.status !== 200) break
    }
    assert.deepEqual(await server.exit, [2, null])
    const took = performance.now() - began
    // Draining what can no longer be finished would take ten.
    assert.ok(took < 5_000, `${took} ms`)
    assert.notEqual(await running, 200)
    const log = await server.log
    assert.match(log, /"msg":"the store has stopped, and so does the server"/)
    const last = JSON.parse(log.trimEnd().split('\n').at(-1) ?? '') as {
      message: string
      remediation: string
    }
    assert.equal(
      last.message,
      'the server has ended, because its store has stopped: the thread of the store has ended',
    )
    assert.match(last.remediation, /^start it again: nothing that was acknowledged is lost/)

    await using next = await startCommand(home)
    for (const n of [1, 2]) {
      const again = await post(`${next.url}/${bot}`, { n }, { 'Idempotency-Key': `k${n}` })
      assert.equal(again.json['status'], 'duplicate')
    }
  })
}
