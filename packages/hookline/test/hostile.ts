// A real server in a process of its own, with a hostile handler; beside it another bot is posted to, and a person pings.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Attack, nodeHandler, pythonHandler } from './attacks.ts'
import { startCommand } from './command.ts'
import { outputOf } from './control.ts'
import { Person } from './person.ts'
import { type Answered, post } from './post.ts'
import { untilNone } from './processes.ts'
import { PATIENT, temporaryHome, writeBots } from './rig.ts'

export const HOSTILE_FILES = ['handler.py', 'handler.mjs'] as const
export type HostileFile = (typeof HOSTILE_FILES)[number]

/** The neighbour's, between posts: as often as it is asked without one, the machine is busy with nothing else. */
const PAUSE_MS = 10
/** Of one call. */
export const HOSTILE_MS = 1_000
export const SECRET = 'not-a-real-secret-1f0e9d8c'
export const TOKEN = 'not-a-real-token-7a6b5c4d'

/** What became of one attack. */
export interface Attacked {
  /** How long its delivery took, and the neighbour's slowest meanwhile. */
  readonly tookMs: number
  readonly neighbourMs: number
  /** Of the server's memory, in bytes. */
  readonly growth: number
}

/** `form` is the line of bot.yaml that isolates the handlers, or none. */
export async function startHostile(form: 'handler: {}' | '', pauseMs = PAUSE_MS) {
  const home = temporaryHome()
  const label = form === '' ? 'old' : 'new'
  const wild = {
    'handler.py': `spark-ori-py-${label}${process.pid}`,
    'handler.mjs': `spark-ori-js-${label}${process.pid}`,
  } as const
  const calm = 'spark-ori-calm'
  for (const name of Object.values(wild)) {
    const isolation = form === '' ? '' : 'handler: {files: [{path: data, write: true}]}\n'
    const auth = 'trigger: {auth: {type: token, secrets: ["file:secret"]}}'
    writeBots(home, {
      [name]: `bot: {name: ${name}, owner: spark-ori}\n${auth}\n${isolation}`,
      [`${name}/secret`]: `${SECRET}\n`,
    })
    mkdirSync(join(home.bots, name, 'data'))
  }
  writeBots(home, {
    [calm]: `bot: {name: ${calm}, owner: spark-ori}\noutput: {channels: ["#builds"], template: "{body.n}"}\n`,
  })
  writeFileSync(
    home.config,
    `limits: {flood_protection: false}\nlogging: {level: info}\nhandlers: {timeout_ms: ${HOSTILE_MS}}\n${PATIENT}`,
  )
  const server = await startCommand(home)
  const ann = await Person.join(server.ircPort, 'ann')
  const neighbourMs: number[] = []
  const pingMs: number[] = []

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
      if (pauseMs > 0) await wait(pauseMs)
    }
    return await settled
  }

  const deliver = (file: HostileFile, payload: object): Promise<Answered> =>
    post(`${server.url}/${wild[file]}`, payload, { authorization: `Bearer ${SECRET}` })

  function save(file: HostileFile, code: string): void {
    writeBots(home, { [`${wild[file]}/${file}`]: code })
  }

  /** With `mark` in the command of whatever it starts. */
  function arm(file: HostileFile, attack: Attack, mark = ''): void {
    save(file, (file === 'handler.py' ? pythonHandler : nodeHandler)(attack, mark))
  }

  /** The mark of the worker that answers. */
  async function warm(file: HostileFile): Promise<string> {
    const { status, json } = await deliver(file, { warm: true })
    assert.equal(status, 200)
    return String(json['message'])
  }

  async function mend(file: HostileFile): Promise<string> {
    const python = 'import os\ndef handle(payload, bot):\n    return os.environ["HOOKLINE_WORKER"]\n'
    const node = "export const handle = () => process.env['HOOKLINE_WORKER']\n"
    save(file, file === 'handler.py' ? python : node)
    return await warm(file)
  }

  /** Fails unless it ends as it should, nothing of it is left, and the mended handler works. */
  async function attack(file: HostileFile, each: Attack): Promise<Attacked> {
    const bot = wild[file]
    const mark = `attack-by-${bot}`
    arm(file, each, mark)
    if (!each.atImport) await warm(file)
    const memory = residentBytes(server.child.pid)
    const before = neighbourMs.length
    const started = performance.now()
    const outside = readlinkSync('/proc/self/ns/pid')
    const filler = 'x'.repeat(500_000)
    const { status, json } = await beside(deliver(file, { token: TOKEN, outside, filler }))
    const tookMs = performance.now() - started
    const growth = residentBytes(server.child.pid) - memory

    const expected = (file === 'handler.mjs' ? each.nodeError : undefined) ?? each.error
    assert.deepEqual([status, json['error']], expected ? [500, 'internal error'] : [200, undefined])
    if (expected) {
      const { error } = await outputOf<{ error: string }>(home, 'bot deliveries show', {
        id: String(json['id']),
      })
      assert.match(error, expected)
    }
    assert.ok(growth < 64 << 20, 'the server does not keep what the handler pours out')

    const mended = await mend(file)
    await untilNone(bot, `HOOKLINE_WORKER=${mended}`)
    await untilNone(mark)
    rmSync(join(home.bots, bot, 'data', 'big'), { force: true })
    return { tookMs, growth, neighbourMs: Math.max(...neighbourMs.slice(before)) }
  }

  return {
    server,
    neighbourMs,
    pingMs,
    beside,
    deliver,
    arm,
    attack,
    /** Its log, once everything has ended. */
    async stop(): Promise<string> {
      const log = await server.stop()
      ann[Symbol.dispose]()
      for (const bot of Object.values(wild)) await untilNone(bot)
      return log
    },
    async [Symbol.asyncDispose]() {
      ann[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
      rmSync(home.folder, { recursive: true, force: true })
    },
  }
}

export function quantile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(part * (times.length - 1))] ?? Infinity
}

function residentBytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
