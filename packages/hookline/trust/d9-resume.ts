// D9: a stop leaves deliveries without an outcome, such as a crowd that came while a handler was slow. The next start must get through them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '../src/store/store.ts'
import { startCommand } from '../test/command.ts'
import { silent } from '../test/log.ts'
import { post } from '../test/post.ts'
import { PATIENT, temporaryHome, writeBots } from '../test/rig.ts'
import { delivery } from '../test/rigs/store.ts'
import { figure } from './figure.ts'

const BOTS = Array.from({ length: 10 }, (_, n) => `spark-ori-${n}`)
/** One in so many cannot be posted: its body is no JSON any more. */
const POISON = 500

export default figure({
  id: 'D9',
  promise:
    'Deliveries that a stop left pending are posted once, in their order; a broken one holds up nobody',
  goal: '10,000 of ten bots within 10 s after the start; 0 missing, twice or out of order',
  small: { pending: 1_000 },
  whole: { pending: 10_000 },
  isTimed: true,
  async measure({ pending }) {
    const home = temporaryHome()
    const settings = 'output: {channels: ["#log"], template: "{body.n}"}'
    writeBots(
      home,
      Object.fromEntries(BOTS.map((bot) => [bot, `bot: {name: ${bot}, owner: spark-ori}\n${settings}\n`])),
    )
    writeFileSync(home.config, `logging: {level: error}\n${PATIENT}`)
    await fill(home.data, pending)
    await using server = await startCommand(home)
    const began = performance.now()
    // What comes now waits for what came before.
    const last = await Promise.all(BOTS.map((bot) => post(`${server.url}/${bot}`, { n: 'last' })))
    const seconds = (performance.now() - began) / 1_000
    await server.stop()

    using database = new DatabaseSync(join(home.data, 'hookline.db'), { readOnly: true })
    const said = database.prepare('SELECT nick, text FROM history ORDER BY seq').all()
    const order = new Map(BOTS.map((bot) => [bot, [] as number[]]))
    for (const row of said)
      if (row['text'] !== 'last') order.get(String(row['nick']))?.push(Number(row['text']))
    const wanted = Array.from({ length: pending }, (_, n) => n).filter((n) => n % POISON !== 0)
    const posted = [...order.values()].flat()
    const missing = wanted.length - new Set(posted).size
    const twice = posted.length - new Set(posted).size
    const astray = [...order.values()].filter((each) => each.some((n, at) => n < (each[at - 1] ?? -1))).length
    const count = database.prepare('SELECT count(*) AS n FROM deliveries WHERE status = ?')
    const failed = Number(count.get('failed')?.['n'])
    const open = Number(count.get('pending')?.['n'])
    return {
      figure: `${pending} in ${seconds.toFixed(1)} s: ${missing} missing, ${twice} twice, ${astray} bots out of order; ${failed} broken ones failed`,
      isSound: missing + twice + astray + open === 0,
      isMet:
        missing + twice + astray + open === 0 &&
        failed === pending - wanted.length &&
        last.every(({ status }) => status === 200) &&
        seconds < 10,
    }
  },
})

/** As after a crash: on disk, without an outcome. */
async function fill(folder: string, pending: number): Promise<void> {
  const store = await openStore(folder, { log: silent })
  const receivedAt = Date.now() - 60_000
  const begin = (n: number) => {
    const body = Buffer.from(n % POISON === 0 ? '{"n":' : JSON.stringify({ n }))
    const bot = BOTS[Math.floor(n / 7) % BOTS.length] ?? ''
    return store.deliveries.begin(
      delivery({ id: `d-${String(n).padStart(6, '0')}`, bot, receivedAt: receivedAt + n, body }),
    )
  }
  for (let n = 0; n < pending; n += 1_000)
    await Promise.all(Array.from({ length: Math.min(1_000, pending - n) }, (_, each) => begin(n + each)))
  await store.close()
}
