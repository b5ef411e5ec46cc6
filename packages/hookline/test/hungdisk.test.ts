// A disk that does not answer for a while, under strace: senders are told so, chat goes on, and all is well again by itself.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { hookline } from './command.ts'
import { Person } from './person.ts'
import { type Answered, ask, post } from './post.ts'
import { PATIENT, temporaryHome, writeBots } from './rig.ts'
import { cannotTrace, startTraced } from './strace.ts'

const bot = 'spark-ori-ci'
const slow = 'spark-ori-hand'
/** The disk hangs longer than the server has patience, which is 5 s. */
const HANG_S = 9

test(
  `an fsync of ${HANG_S} s: 503 after 5 s, at once for what comes then; nothing is lost or doubled`,
  { skip: cannotTrace, timeout: 120_000 },
  async (t) => {
    const home = temporaryHome(t)
    const settings = (name: string) => `bot: {name: ${name}, owner: spark-ori}\noutput: {channels: ["#log"], `
    writeBots(home, {
      [bot]: `${settings(bot)}template: "{body.marker}"}\n`,
      [slow]: `${settings(slow)}dm_owner: false}\n`,
      [`${slow}/handler.mjs`]: 'export const handle = (payload) => payload.marker\n',
    })
    writeFileSync(home.config, `limits: {flood_protection: false}\n${PATIENT}`)
    const hang = `inject=fsync,fdatasync:delay_enter=${HANG_S * 1_000_000}:when=60`
    await using server = await startTraced(home, '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', hang)
    const send = (marker: string, name = bot): Promise<Answered> =>
      post(`${server.url}/${name}`, { marker }, { 'Idempotency-Key': marker })
    using ann = await Person.join(server.ircPort, 'ann')
    using bob = await Person.join(server.ircPort, 'bob')
    for (const person of [ann, bob]) person.type('JOIN #tea')
    await Promise.all([ann.settle(), bob.settle()])
    assert.equal((await send('warm', slow)).status, 200)

    const acknowledged: string[] = ['warm']
    let first: Answered
    let asked: number
    let took: number
    let n = 0
    // Until one meets the fsync that hangs.
    for (; ; n++) {
      asked = performance.now()
      first = await send(`marker ${n}`)
      took = performance.now() - asked
      if (first.status === 503) break
      assert.equal(first.status, 200)
      acknowledged.push(`marker ${n}`)
      assert.ok(n < 200, 'the disk never hung')
    }
    const refused = '{"error":"storage does not answer"}'
    assert.ok(took > 4_000, `${took} ms`)
    assert.deepEqual([first.text, first.headers['retry-after']], [refused, '10'])

    for (const name of [bot, slow]) assert.equal((await send('new', name)).text, refused)
    const health = await ask(`${server.url}/health`)
    assert.deepEqual([health.status, health.headers['retry-after']], [503, '5'])
    assert.match(health.text, /^\{"error":"not serving","detail":"the disk has not answered for \d s"\}$/)
    assert.match((await ask(`${server.url}/metrics`)).text, /^hookline_store_stuck_seconds [5-9]$/m)
    ann.type('PRIVMSG #tea :we can still talk')
    assert.match(await bob.until(/PRIVMSG/), /:we can still talk$/)
    assert.ok(performance.now() - asked < HANG_S * 1_000, 'none of these has waited for the disk')
    const { stdout } = await hookline(home, 'server', 'status')
    assert.match(stdout, /^storage +nothing can be written: the disk has not answered for \d s$/m)

    while ((await ask(`${server.url}/health`)).status !== 200) await ann.settle()
    for (const [marker, name] of [
      [`marker ${n}`, bot],
      ['new', slow],
    ] as const) {
      assert.equal((await send(marker, name)).status, 200)
      acknowledged.push(marker)
    }
    assert.equal((await send(`marker ${n}`)).json['status'], 'duplicate')
    const log = await server.stop()
    assert.equal(log.match(/"msg":"the disk does not answer/g)?.length, 1)
    assert.match(log, /"msg":"the disk answers again"/)

    using database = new DatabaseSync(join(home.data, 'hookline.db'), { readOnly: true })
    const rows = database.prepare('SELECT text, count(*) AS times FROM history GROUP BY text').all()
    const times = new Map(rows.map((row) => [String(row['text']), Number(row['times'])]))
    for (const marker of [...acknowledged, 'we can still talk']) assert.equal(times.get(marker), 1, marker)
    assert.equal(times.size, acknowledged.length + 1)
  },
)
