// Takes a bot's request: reads the body up to the limit, verifies the raw bytes, parses them, and hands the delivery
// on.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Bots } from '../bots/bots.ts'
import { parseBatch, parsePayload, type Payload } from '../message/payload.ts'
import { eventFor } from '../bots/plan.ts'
import type { Bot } from '../bots/roster.ts'
import type { Doorkeeper } from './admission.ts'
import { type Answer, notActiveBecause, notFound, refuse, shuttingDown } from './answer.ts'
import { type Proof, prove } from './auth.ts'
import { declaredLength, isCoded, readBody } from './body.ts'
import { challengeOf } from './challenge.ts'
import { codingOf, UNDERSTOOD, unpackedBody } from './coding.ts'
import type { Connections } from './connections.ts'
import { identify, identifyAll, type Identity } from './dedupe.ts'
import type { Deliveries, Incoming } from './deliveries.ts'
import { aboutForm, jsonOf } from './form.ts'
import { keptHeaders } from './headers.ts'
import type { Refusals } from './refusals.ts'
import { type Reply, replyFor, replyOk, replyWith } from './reply.ts'
import { URL_SECRET } from '../senders/schemes.ts'

export interface IntakeOptions {
  readonly bots: Pick<Bots, 'get'>
  readonly deliveries: Pick<Deliveries, 'accept' | 'acceptAll'>
  readonly connections: Pick<Connections, 'grow' | 'work'>
  readonly refusals: Refusals
  readonly now: () => number
  /** Largest body in bytes; a larger one gets 413. */
  readonly bodyBytes: number
  readonly doorkeeper: Doorkeeper
}

export class Intake {
  readonly #options: IntakeOptions

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /**
   * `secret` is what follows the bot's name in the path; `waiting` is given if the sender expects 100 Continue. Undefined
   * when the sender hung up before the body was complete: nothing is stored then.
   */
  async take(
    admitted: Bot,
    secret: string | undefined,
    request: IncomingMessage,
    waiting: ServerResponse | undefined,
  ): Promise<Reply | undefined> {
    const { bodyBytes, bots, connections, deliveries, doorkeeper, now, refusals } = this.#options
    const { name } = admitted
    const coding = codingOf(request.headers)
    if (coding === 'unknown')
      return refusals.refuse(name, unknownCoding, now(), { 'Accept-Encoding': UNDERSTOOD })
    const unread = whyUnread(request, bodyBytes)
    if (unread) return refusals.refuse(name, unread, now())
    waiting?.writeContinue()
    const body = await readBody(request, bodyBytes, (bytes) => connections.grow(request, bytes))
    if (body.kind === 'cut off') return undefined
    if (body.kind === 'too large') return refusals.refuse(name, tooLarge(bodyBytes), now())
    connections.work(request)
    const plain = coding === undefined ? body.bytes : await unpackedBody(body.bytes, coding, bodyBytes)
    if (plain === 'too large') return refusals.refuse(name, tooLarge(bodyBytes), now())
    if (plain === 'broken') return refusals.refuse(name, broken, now())

    const receivedAt = now()
    // The sender may have taken its time: what counts is the bot as it is now.
    const bot = bots.get(name)
    if (!bot) return refusals.refuse(name, notFound, receivedAt)
    const turnedAway = bot === admitted ? undefined : doorkeeper.turnAway(bot, secret, request)
    if (turnedAway) return turnedAway
    const { headers } = request
    const proof = proveEither(bot, carried(headers, secret), [plain, body.bytes], receivedAt)
    if (proof.kind !== 'proven') return this.#refuse(bot, proof, receivedAt)
    const json = jsonOf(headers, plain)
    const parsed = bot.settings?.trigger.batch ? parseBatch(json) : parsePayload(json)
    if (!parsed.ok) {
      const detail = parsed.detail + aboutForm(headers, plain)
      return refusals.refuse(name, refuse(400, parsed.error, detail), receivedAt)
    }
    const auth = bot.settings?.trigger.auth
    // Slack sends this once, before the first event: it is no delivery, and should not appear in the chat.
    const challenge = 'payload' in parsed ? challengeOf(auth, parsed.payload) : undefined
    if (challenge !== undefined) return replyOk('application/json', JSON.stringify({ challenge }))

    const kept = keptHeaders(headers, auth, secret)
    const incoming = (payload: Payload, bytes: Uint8Array, identity: Identity): Incoming => ({
      ...identity,
      event: eventFor(bot.settings, kept, payload),
      headers: kept,
      body: bytes,
      receivedAt,
    })
    const answer =
      'payload' in parsed
        ? await deliveries.accept(
            bot,
            parsed.payload,
            incoming(parsed.payload, json, identify(headers, parsed.payload, auth, proof.id)),
          )
        : await deliveries.acceptAll(
            bot,
            identifyAll(headers, parsed.elements, auth, proof.id).map(
              ({ payload, body: bytes, ...identity }) => [payload, incoming(payload, bytes, identity)],
            ),
          )
    // One with an id was accepted, and failed.
    if ('error' in answer.body && answer.body.id === undefined && answer !== shuttingDown)
      return refusals.refuse(name, answer, now())
    return replyFor(answer, bot.settings?.trigger.reply)
  }

  /** The sender is told no more than that; the log says why. */
  #refuse(bot: Bot, proof: Exclude<Proof, { kind: 'proven' }>, receivedAt: number): Reply {
    const { refusals } = this.#options
    if (proof.kind === 'unproven') {
      refusals.note(bot.name, proof.reason, receivedAt)
      return replyWith(refuse(401, 'unauthorized'))
    }
    refusals.note(bot.name, 'unreadable', receivedAt, { problems: proof.problems })
    return replyWith(notActiveBecause('one of its secrets cannot be read: see the server log'))
  }
}

/** The refusal of a body that cannot be understood, or is declared too large. */
function whyUnread(request: IncomingMessage, most: number): Answer | undefined {
  if (isCoded(request))
    return refuse(501, 'transfer coding not supported', 'send it with Content-Length, or in chunks alone')
  return (declaredLength(request) ?? 0) > most ? tooLarge(most) : undefined
}

const unknownCoding = refuse(
  415,
  'content encoding not supported',
  `send it without Content-Encoding, or with one of ${UNDERSTOOD}`,
)
const broken = refuse(400, 'the body is not what its Content-Encoding says')

/** A sender that compresses may sign the body as it was before or as it travels. */
function proveEither(
  bot: Bot,
  headers: IncomingHttpHeaders,
  [plain, travelled]: readonly [Uint8Array, Uint8Array],
  receivedAt: number,
): Proof {
  const proof = prove(bot, headers, plain, receivedAt)
  if (proof.kind !== 'unproven' || travelled === plain) return proof
  const other = prove(bot, headers, travelled, receivedAt)
  return other.kind === 'proven' ? other : proof
}

function tooLarge(most: number): Answer {
  return refuse(413, 'body too large', `at most ${most} bytes`)
}

/** Adds the URL's secret as a header value, which has one character per byte. */
function carried(headers: IncomingHttpHeaders, secret: string | undefined): IncomingHttpHeaders {
  if (secret === undefined) return headers
  return { ...headers, [URL_SECRET]: Buffer.from(secret).toString('latin1') }
}
