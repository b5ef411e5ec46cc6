// How a retried delivery is recognised.
import { hash } from 'node:crypto'
import type { BotAuth } from '../senders/authschema.ts'
import { isGeneral, ownProof } from '../senders/authtypes.ts'
import type { OwnId } from '../senders/sender.ts'
import { senders } from '../senders/senders.ts'
import type { Payload } from '../message/payload.ts'
import type { NewDelivery } from '../store/deliveryrows.ts'
import type { Headers } from '../senders/scheme.ts'

export type Identity = Required<Pick<NewDelivery, 'key' | 'isKeyEnough'>>

/**
 * The sender's id for a delivery; null if it has none: two equal bodies may well be two events. If the bot names its
 * service, that service's own id comes first. `proven` is the header of a signed id: no other header counts then, as
 * anybody could replay the request with a new one.
 */
export function identify(
  headers: Headers,
  { rough }: Pick<Payload, 'rough'>,
  auth?: BotAuth,
  proven: string | null = null,
): Identity {
  const { headers: own = [], field, isUnique = false } = ownIdOf(auth)
  const named = headerAmong(headers, proven === null ? own : [proven]) ?? fieldOf(rough, field)
  const unique = named === undefined ? uniqueAnywhere(headers, rough) : undefined
  const found = named ?? unique ?? headerAmong(headers, ANYWHERE)
  return {
    key: found !== undefined && found.length > LONGEST ? hash('sha256', found, 'hex') : (found ?? null),
    isKeyEnough: named === undefined ? unique !== undefined : isUnique,
  }
}

/**
 * Those of a batch: each its own id, as far as its body has one, else its place in the batch of that id, or of these bytes: a batch that
 * was accepted in part is sent again as a whole.
 */
export function identifyAll<T extends Element>(
  headers: Headers,
  elements: readonly T[],
  auth?: BotAuth,
  proven: string | null = null,
): readonly (T & Identity)[] {
  const named = identify(headers, { rough: {} }, auth, proven).key
  const ofBatch = named ?? hash('sha256', Buffer.concat(elements.map(({ body }) => body)), 'base64url')
  return elements.map((element, index) => {
    const own = identify({}, element.payload, auth)
    return { ...element, ...(own.key === null ? { key: `${ofBatch} ${index}`, isKeyEnough: false } : own) }
  })
}

interface Element {
  readonly payload: Pick<Payload, 'rough'>
  readonly body: Uint8Array
}

function headerAmong(headers: Headers, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (isId(value)) return value
  }
  return undefined
}

function fieldOf(body: Payload['rough'], field: string | undefined): string | undefined {
  const value = field !== undefined && Object.hasOwn(body, field) ? body[field] : undefined
  return isId(value) ? value : undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function ownIdOf(auth: BotAuth | undefined): OwnId {
  return auth === undefined || isGeneral(auth.type) ? {} : (ownProof(auth.type).id ?? {})
}

/** Of a sender whose ids are unlike anybody else's. */
function uniqueAnywhere(headers: Headers, body: Payload['rough']): string | undefined {
  for (const uniqueId of UNIQUE) {
    const id = uniqueId(headers, body)
    if (id !== undefined) return id
  }
  return undefined
}

const UNIQUE = Object.values(senders).flatMap(({ uniqueId }) => uniqueId ?? [])

/** Headers that always mean a delivery id, whoever sends it: as anybody may, the body has to be the same as well. */
const ANYWHERE = Object.values(senders)
  .flatMap(({ proofs = {} }) => Object.values(proofs))
  .flatMap(({ id }) => (id?.isCommon ? [] : (id?.headers ?? [])))

const LONGEST = 200
