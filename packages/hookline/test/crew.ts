// Sixteen senders that post without a pause, and what must be true of whatever they were acknowledged.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import type { Home } from '../src/home/home.ts'
import type { Started } from './command.ts'
import { post } from './post.ts'
import { PATIENT, temporaryHome, writeBots } from './rig.ts'

const plain = 'spark-ori-plain'
const handled = 'spark-ori-handled'

/** Everything that waits is posted before anything later: the answer to one more post shows that it is done. */
export async function finish(
  crew: Crew,
  last: Pick<Started, 'url'> & { stop(): Promise<unknown> },
): Promise<void> {
  await crew.stop()
  for (const bot of [plain, handled]) {
    const { status } = await post(`${last.url}/${bot}`, { marker: `the end of ${bot}` })
    assert.equal(status, 200)
  }
  await last.stop()
}

export function check(crew: Crew, home: Home): void {
  assert.deepEqual(accountOf(crew, home), { strange: [], lost: [], doubled: [], open: 0 })
}

export interface Account {
  /** Answers that are no acknowledgement and no 503. */
  readonly strange: readonly string[]
  /** Acknowledged, and not in the history. */
  readonly lost: readonly string[]
  /** More than once in the history. */
  readonly doubled: readonly string[]
  /** Deliveries that are pending or failed. */
  readonly open: number
}

/** Call when the server has ended. */
export function accountOf(crew: Crew, home: Home): Account {
  using database = new DatabaseSync(join(home.data, 'hookline.db'), { readOnly: true })
  const times = new Map<string, number>()
  for (const { text } of database.prepare('SELECT text FROM history').all()) {
    // What is posted long after it came says so, before its text.
    const marker = /(?:client|the end) .*$/.exec(String(text))?.[0] ?? String(text)
    times.set(marker, (times.get(marker) ?? 0) + 1)
  }
  const open = database.prepare("SELECT count(*) AS n FROM deliveries WHERE status IN ('pending', 'failed')")
  return {
    strange: crew.strange,
    lost: [...crew.markers].filter((marker) => !times.has(marker)),
    doubled: [...times].filter(([, count]) => count !== 1).map(([text]) => text),
    open: Number(open.get()?.['n']),
  }
}

/** Sixteen senders that post without a pause, each on one connection that it keeps. */
export class Crew {
  /** Acknowledged with 200 or 202. */
  readonly markers = new Set<string>()
  readonly strange: string[] = []
  /** Posts that were sent again, because no answer came. */
  resent = 0
  readonly #clients: readonly Promise<void>[]
  #server = Promise.withResolvers<string>()
  #isStopped = false
  #counted = 0
  #isHandlerHeard = false
  #wanted: { count: number; resolve: () => void } | undefined

  constructor() {
    this.#clients = Array.from({ length: 16 }, (_, id) => this.#work(id))
  }

  serverAt(url: string): void {
    this.#counted = 0
    this.#isHandlerHeard = false
    this.#server.resolve(url)
  }

  /** Resolves with so many acknowledgements of this server, one of a handler bot among them. The clients then wait for the next. */
  async acknowledged(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wanted = { count, resolve }
    await promise
    this.#wanted = undefined
    this.holdOn()
  }

  /** The server is gone: the clients wait for the next. */
  holdOn(): void {
    this.#server = Promise.withResolvers()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#clients)
  }

  async #work(id: number): Promise<void> {
    const bot = id % 4 === 3 ? handled : plain
    const isKeyed = id % 2 === 1
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let count = 0; !this.#isStopped; count++) {
      const marker = `client ${id} post ${count}`
      // Without a key nobody knows whether it was posted, so it is never sent again.
      while (!(await this.#send(agent, bot, marker, isKeyed)) && isKeyed) this.resent++
    }
    agent.destroy()
  }

  /** False when no acknowledgement came. */
  async #send(agent: Agent, bot: string, marker: string, isKeyed: boolean): Promise<boolean> {
    const server = this.#server
    const url = await server.promise
    try {
      const headers = isKeyed ? { 'Idempotency-Key': marker } : {}
      const asking = request(`${url}/${bot}`, { method: 'POST', agent, headers })
      asking.end(JSON.stringify({ marker }))
      const [response] = (await once(asking, 'response')) as [IncomingMessage]
      const text = Buffer.concat(await response.toArray()).toString()
      const status = response.statusCode ?? 0
      if (status === 200 || status === 202) return this.#count(bot, marker)
      if (status !== 503) this.strange.push(`${status} ${text}`)
    } catch {
      // Refused or cut off: the server is gone or stopping.
    }
    return false
  }

  #count(bot: string, marker: string): true {
    this.markers.add(marker)
    this.#counted++
    this.#isHandlerHeard ||= bot === handled
    if (this.#wanted && this.#isHandlerHeard && this.#counted >= this.#wanted.count) this.#wanted.resolve()
    return true
  }
}

export function newHome(t?: TestContext): Home {
  const home = temporaryHome(t)
  writeBots(home, {
    [plain]: botFile(plain, 'template: "{body.marker}"'),
    [handled]: botFile(handled, 'dm_owner: false'),
    [`${handled}/handler.py`]: 'async def handle(payload, bot):\n    return payload["marker"]\n',
  })
  writeFileSync(home.config, `logging: {level: error}\n${PATIENT}`)
  return home
}

function botFile(name: string, output: string): string {
  return `bot: {name: ${name}, owner: spark-ori}\noutput:\n  channels: ["#log"]\n  ${output}\n`
}
