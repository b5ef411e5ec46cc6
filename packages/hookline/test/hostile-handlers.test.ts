// Sixteen kinds of hostile handler against a real server in a process of its own: it, the people in it and
// the bot next door go on, nothing that was started is left, and the mended handler works.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findNamespace } from '../src/bots/handler/namespace.ts'
import { type Attack, ATTACKS, nodeHandler, PRINTS_SECRET, pythonHandler } from './attacks.ts'
import { type Started, startCommand } from './command.ts'
import { outputOf } from './control.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { untilNone } from './processes.ts'
import { PATIENT, temporaryHome, writeBots } from './rig.ts'

const TIMEOUT_MS = 1_000
/** A few ms on a dedicated machine; on a shared one a processor may be taken away for longer. */
const PATIENCE_MS = 2_000
const SECRET = 'not-a-real-secret-1f0e9d8c'
const TOKEN = 'not-a-real-token-7a6b5c4d'

const wild = {
  'handler.py': `spark-ori-py${process.pid}`,
  'handler.mjs': `spark-ori-js${process.pid}`,
} as const
const FILES = ['handler.py', 'handler.mjs'] as const
const calm = 'spark-ori-calm'
const home = temporaryHome()
const neighbourMs: number[] = []
const pingMs: number[] = []
let server: Started
let ann: Person

before(async () => {
  const auth = 'trigger: {auth: {type: token, secrets: ["file:secret"]}}'
  for (const name of Object.values(wild))
    writeBots(home, {
      [name]: `bot: {name: ${name}, owner: spark-ori}\n${auth}\n`,
      [`${name}/secret`]: `${SECRET}\n`,
    })
  writeBots(home, {
    [calm]: `bot: {name: ${calm}, owner: spark-ori}\noutput: {channels: ["#builds"], template: "{body.n}"}\n`,
  })
  writeFileSync(
    home.config,
    `limits: {flood_protection: false}\nlogging: {level: info}\nhandlers: {timeout_ms: ${TIMEOUT_MS}}\n${PATIENT}`,
  )
  server = await startCommand(home)
  ann = await Person.join(server.ircPort, 'ann')
})

after(async () => {
  ann[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
  rmSync(home.folder, { recursive: true, force: true })
})

test('first, how fast the bot next door answers while nobody attacks', async (t) => {
  await beside(new Promise((resolve) => setImmediate(resolve)), 200)
  t.diagnostic(summary(neighbourMs))
  for (const times of [neighbourMs, pingMs]) times.length = 0
})

for (const file of FILES) {
  for (const attack of ATTACKS) {
    test(`${file} ${attack.kind}`, async (t) => {
      if (attack.needsNamespace && !(await findNamespace()).ok)
        return t.skip('this system has no namespaces for us')
      const bot = wild[file]
      const mark = `attack-by-${bot}`
      arm(file, attack, mark)
      if (!attack.atImport) await warm(bot)
      const memory = residentBytes()

      const before = neighbourMs.length
      const started = performance.now()
      const { status, json } = await beside(deliver(bot, { token: TOKEN, filler: 'x'.repeat(500_000) }))
      const took = performance.now() - started
      const worst = Math.max(...neighbourMs.slice(before)).toFixed(0)
      t.diagnostic(
        `took ${took.toFixed(0)} ms, ${(residentBytes() - memory) >> 20} MiB up, neighbour at most ${worst} ms`,
      )

      const expected = (file === 'handler.mjs' ? attack.nodeError : undefined) ?? attack.error
      assert.deepEqual([status, json['error']], expected ? [500, 'internal error'] : [200, undefined])
      if (expected) assert.match(await errorOf(String(json['id'])), expected)
      assert.ok(residentBytes() - memory < 64 << 20, 'the server does not keep what the handler pours out')

      const mended = await mend(file)
      await untilNone(bot, `HOOKLINE_WORKER=${mended}`)
      await untilNone(mark)
      rmSync(join(home.bots, bot, 'big'), { force: true })
    })
  }
}

test('meanwhile the bot next door and the people in the chat were answered', (t) => {
  t.diagnostic(`neighbour: ${summary(neighbourMs)}`)
  t.diagnostic(`ping: ${summary(pingMs)}`)
  assert.ok(
    quantile(neighbourMs, 0.99) < PATIENCE_MS,
    `a delivery to the neighbour: p99 ${quantile(neighbourMs, 0.99)} ms`,
  )
  assert.ok(quantile(pingMs, 0.99) < PATIENCE_MS, `a ping: p99 ${quantile(pingMs, 0.99)} ms`)
})

test('no secret is in the log, and the server ends normally', async () => {
  for (const file of FILES) {
    arm(file, PRINTS_SECRET)
    assert.equal((await deliver(wild[file], { token: TOKEN })).status, 500)
  }
  const log = await server.stop()
  assert.match(log, /the secret is \[secret\]/)
  assert.match(log, /\?token=\[secret\]/)
  for (const secret of [SECRET, TOKEN]) assert.ok(!log.includes(secret), 'a secret is in the log')
  ann[Symbol.dispose]()
  for (const bot of Object.values(wild)) await untilNone(bot)
})

/** While `under` runs, and at least a few times, the neighbour is posted to and somebody pings. */
async function beside<T>(under: Promise<T>, atLeast = 10): Promise<T> {
  const outcome = { isThere: false }
  const settled = under.finally(() => (outcome.isThere = true))
  settled.catch(() => {})
  for (let n = 0; n < atLeast || !outcome.isThere; n++) {
    const posted = performance.now()
    const { status, json } = await post(`${server.url}/${calm}`, { n })
    neighbourMs.push(performance.now() - posted)
    assert.deepEqual([status, json['message']], [200, String(n)])
    const typed = performance.now()
    await ann.settle()
    pingMs.push(performance.now() - typed)
  }
  return await settled
}

function summary(times: readonly number[]): string {
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(times, part).toFixed(1))
  return `${times.length} times, p50 ${p50} ms, p99 ${p99} ms`
}

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(part * (times.length - 1))] ?? Infinity
}

/** The mark of the worker that answers. */
async function warm(bot: string): Promise<string> {
  const { status, json } = await deliver(bot, { warm: true })
  assert.equal(status, 200)
  return String(json['message'])
}

/** With `mark` in the command of whatever it starts. */
function arm(file: keyof typeof wild, attack: Attack, mark = ''): void {
  save(file, (file === 'handler.py' ? pythonHandler : nodeHandler)(attack, mark))
}

function save(file: keyof typeof wild, code: string): void {
  writeBots(home, { [`${wild[file]}/${file}`]: code })
}

async function mend(file: keyof typeof wild): Promise<string> {
  const python = 'import os\ndef handle(payload, bot):\n    return os.environ["HOOKLINE_WORKER"]\n'
  const node = "export const handle = () => process.env['HOOKLINE_WORKER']\n"
  save(file, file === 'handler.py' ? python : node)
  return await warm(wild[file])
}

function deliver(bot: string, payload: object) {
  return post(`${server.url}/${bot}`, payload, { authorization: `Bearer ${SECRET}` })
}

async function errorOf(id: string): Promise<string> {
  return (await outputOf<{ error: string }>(home, 'bot deliveries show', { id })).error
}

function residentBytes(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
