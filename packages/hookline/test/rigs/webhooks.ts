// Shared setup of the webhook tests: the real store, listener and chat, and bots whose composers a test writes.
import assert from 'node:assert/strict'
import type { DisposableTempDir } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestChat } from '../chat.ts'
import { TestClock } from '../clock.ts'
import { newFolder } from '../folder.ts'
import { logTo, silent } from '../log.ts'
import { type Answered, ask } from '../post.ts'
import { authTypeOf, type SenderName } from '../sign.ts'
import { openInThread } from '../storethread.ts'
import type { BotAuth } from '../../src/senders/authschema.ts'
import type { BotSettings } from '../../src/bots/file/botfile.ts'
import type { Composed } from '../../src/message/composed.ts'
import { presenceOf } from '../../src/bots/destination.ts'
import type { FoundHandler } from '../../src/handlers/find.ts'
import type { Payload } from '../../src/message/payload.ts'
import { bareOutput, bareTrigger, payloadOf } from './bots.ts'
import type { Bot } from '../../src/bots/roster.ts'
import type { Removed } from '../../src/bots/trash.ts'
import type { UserKey } from '../../src/chat/state.ts'
import type { VirtualUsers } from '../../src/chat/virtual.ts'
import { StoreFailure } from '../../src/store/failure.ts'
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts'
import { Deliveries, type DeliveriesOptions, type Incoming } from '../../src/webhooks/deliveries.ts'
import { type ListenerOptions, WebhookListener } from '../../src/webhooks/listener.ts'
import { Metrics } from '../../src/webhooks/metrics.ts'
import { RefusedWebhooks } from '../../src/webhooks/refused.ts'

const MORNING = Date.UTC(2026, 3, 3, 9, 15)

class RigBots {
  readonly composers = new Map<string, (payload: Payload, id: string) => Composed | Promise<Composed>>()
  readonly #all = new Map<string, Bot>()
  readonly #chat: VirtualUsers

  constructor({ virtualUsers }: TestChat) {
    this.#chat = virtualUsers
  }

  get(name: string): Bot | undefined {
    return this.#all.get(name)
  }

  removed(): Removed | undefined {
    return undefined
  }

  allRemoved(): readonly [] {
    return []
  }

  async handlerSoonOf({ handler, folder }: Bot): Promise<FoundHandler> {
    const found = handler === undefined ? undefined : { name: handler, path: join(folder, handler) }
    return { handler: found && { ...found, language: 'python', stamp: '' }, problem: undefined, warnings: [] }
  }

  async compose(bot: Bot, payload: Payload, facts: { id: string }): Promise<Composed> {
    return await this.#composed(bot, payload, facts)
  }

  render(bot: Bot, payload: Payload, facts: { id: string }): Composed {
    const composed = this.#composed(bot, payload, facts)
    assert.ok(!(composed instanceof Promise), `${bot.name} takes its time to compose, and so needs a handler`)
    return composed
  }

  /** Unless told otherwise, a bot posts the field `say`, or the whole payload. */
  #composed({ name }: Bot, payload: Payload, { id }: { id: string }): Composed | Promise<Composed> {
    return this.composers.get(name)?.(payload, id) ?? saying(payload)
  }

  /** Composes nothing for this bot, which needs a handler, until `release` is called. `asked`: the first waits. */
  hold(name: string): { asked: Promise<void>; release: () => void } {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    this.composers.set(name, async (payload) => {
      asked.resolve()
      await released.promise
      return saying(payload)
    })
    return { asked: asked.promise, release: released.resolve }
  }

  /** Only an active bot is in the chat. One that is there already stays, with what it is given now. */
  add(...facts: Parameters<typeof botOf>): Bot {
    const { status, settings, ...made } = botOf(...facts)
    const { name } = made
    let bot: Bot
    if (status === 'active') {
      assert.ok(settings)
      bot = { ...made, status, settings, user: this.#enter(settings) }
    } else bot = { ...made, status, settings, user: this.#leave(name) }
    this.#all.set(name, bot)
    return bot
  }

  remove(name: string): void {
    this.#leave(name)
    this.#all.delete(name)
  }

  #enter(settings: BotSettings): UserKey {
    const { name } = settings
    const channels = presenceOf(settings)
    const present = this.get(name)?.user
    if (present !== undefined) {
      this.#chat.moveTo(present, channels)
      return present
    }
    const guest = { nick: name, username: 'bot', realname: name, channels, isBot: true }
    const appeared = this.#chat.appear(guest)
    return appeared.ok ? appeared.user : assert.fail(appeared.reason)
  }

  #leave(name: string): undefined {
    const present = this.get(name)?.user
    if (present !== undefined) this.#chat.leave(present, 'Stopped')
  }
}

/** In no chat. Unless told otherwise, it is active and posts to #builds. */
function botOf(
  name: string,
  output: Partial<BotSettings['output']> = {},
  facts: Partial<Omit<Bot, 'user'>> &
    Partial<
      Pick<BotSettings['trigger'], 'auth' | 'rate' | 'allowFrom' | 'expiresAt' | 'batch' | 'reply'>
    > = {},
): Omit<Bot, 'user'> {
  const { auth, rate, allowFrom, expiresAt, batch = false, reply, ...rest } = facts
  const settings: BotSettings = {
    name,
    owner: 'spark-ori',
    description: '',
    created: undefined,
    trigger: { ...bareTrigger, auth, rate, allowFrom, expiresAt, batch, reply },
    output: { ...bareOutput, channels: ['#builds'], ...output },
    handler: undefined,
  }
  const state = { status: 'active', problems: [], warnings: [], handler: undefined } as const
  return { name, folder: tmpdir(), settings, ...state, ...rest }
}

/** With this and nothing else in its bot.yaml. */
export function botWith(auth: BotAuth | undefined): Bot {
  return { ...botOf('spark-ori-ghci', {}, { auth }), status: 'inactive', user: undefined }
}

export function authOf(name: SenderName, ...secrets: readonly string[]): BotAuth {
  return { type: authTypeOf(name), secrets }
}

function saying({ value: { say }, text }: Payload): Composed {
  return message(typeof say === 'string' ? say : text)
}

export function message(text: string): Composed {
  return { kind: 'message', text, unresolved: [], composedBy: 'output.template' }
}

/** As a full disk answers. */
export async function refuse(): Promise<never> {
  throw new StoreFailure('full', 'database or disk is full')
}

/** A delivery as the listener would pass it on; `say` is what a bot of the rig says to it. */
export function payload(say: string, more: object = {}, key: string | null = null): [Payload, Incoming] {
  const text = JSON.stringify({ say, ...more })
  return [payloadOf(text), { key, event: null, headers: {}, body: Buffer.from(text), receivedAt: MORNING }]
}

export class Rig {
  readonly #clock = new TestClock(MORNING)
  readonly chat = new TestChat(this.#clock)
  readonly bots = new RigBots(this.chat)
  readonly metrics: Metrics
  readonly logged: { data: object; text: string }[] = []
  readonly log = logTo((data, text) => void this.logged.push({ data, text }))
  readonly folder: DisposableTempDir
  readonly store: Store
  readonly deliveries: Deliveries
  readonly refused: RefusedWebhooks
  /** What owners were told besides deliveries. */
  readonly ownersTold: string[] = []
  port = 0
  #ids = 0
  #listener: WebhookListener | undefined

  static async create(
    options: Partial<StoreOptions & DeliveriesOptions & ListenerOptions> = {},
  ): Promise<Rig> {
    const folder = newFolder()
    const opening = openInThread(folder.path, options.maxPages)
    const store = await openStore(folder.path, { log: silent, opening, ...options })
    const rig = new Rig(folder, store, options)
    const { bots, deliveries, metrics, refused } = rig
    rig.#listener = new WebhookListener({
      bots,
      deliveries,
      metrics,
      refused,
      log: rig.log,
      now: () => rig.now,
      bodyBytes: 1024 * 1024,
      ...options,
    })
    const { port } = await rig.#listener.listen({ host: '127.0.0.1', port: 0 })
    rig.port = port
    return rig
  }

  private constructor(folder: DisposableTempDir, store: Store, options: Partial<DeliveriesOptions>) {
    this.folder = folder
    this.store = store
    this.metrics = new Metrics(store)
    this.deliveries = this.newDeliveries(options)
    this.refused = this.newRefused()
  }

  newRefused(): RefusedWebhooks {
    const { log, metrics, store } = this
    return new RefusedWebhooks({
      memory: store.botState,
      metrics,
      log,
      later: (ms, run) => this.#clock.later(ms, run),
      tellOwner: (_, text) => void this.ownersTold.push(text),
    })
  }

  newDeliveries(options: Partial<DeliveriesOptions> = {}): Deliveries {
    const { bots, chat, store, metrics, log } = this
    const ids = { newId: () => `d-${this.#ids++}`, newMessageId: () => `k-${this.#ids++}` }
    return new Deliveries({
      bots,
      chat: chat.virtualUsers,
      store,
      metrics,
      log,
      serverName: 'spark',
      now: () => this.now,
      later: (ms, run) => this.#clock.later(ms, run),
      maxLines: 10,
      answerWithinMs: 60_000,
      ...ids,
      ...options,
    })
  }

  get now(): number {
    return this.#clock.now()
  }

  set now(time: number) {
    this.#clock.moveTo(time)
  }

  get listener(): WebhookListener {
    if (!this.#listener) throw new Error('not listening')
    return this.#listener
  }

  post(
    path: string,
    body: string | Uint8Array | object,
    headers: OutgoingHttpHeaders = {},
  ): Promise<Answered> {
    const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    return ask(this.#urlOf(path), { method: 'POST', headers, body: bytes })
  }

  ask(method: string, path: string): Promise<Answered> {
    return ask(this.#urlOf(path), { method })
  }

  #urlOf(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`
  }

  async history(conversation = '#builds'): Promise<readonly string[]> {
    return (await this.store.history(conversation, 1000)).map(({ text }) => text)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.listener.drain(100)
    await this.deliveries.drain(100)
    await this.store.close()
    this.folder.remove()
  }
}

/** The beginning of a POST as sent on the wire. */
export function head(name: string, headers: string): string {
  return `POST /${name} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`
}

/** Sends these bytes, and reads until the connection closes. */
export async function raw(port: number, text: string): Promise<{ status: number; body: string }> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  const answer = await everything(socket)
  return { status: Number(answer.slice(9, 12)), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }
}

export async function everything(socket: Socket): Promise<string> {
  return Buffer.concat(await socket.toArray()).toString()
}
