// What happens to a chat while it is fuzzed, as data: it can be repeated, reduced and printed.
import { Chance } from './chance.ts'
import { someBatch, someGreeting, someLine } from './lines.ts'
import { CHANNELS, NICKS } from './words.ts'

/** How many connections there are at once. */
export const PLACES = 12

export type Act =
  /** Bytes of one read. A place without a connection gets one first, which says `greeting`. */
  | {
      readonly kind: 'send'
      readonly place: number
      readonly greeting: readonly string[]
      /** One that is not registered yet says it again. */
      readonly retries: boolean
      readonly bytes: Buffer
      /** They arrive although we stopped reading, or after we hung up. */
      readonly isRude: boolean
    }
  | { readonly kind: 'hang up'; readonly place: number }
  /** Nothing more is read there, until reading resumes. */
  | { readonly kind: 'stall' | 'drain'; readonly place: number }
  /** Slow work completes. */
  | { readonly kind: 'answer' }
  /** Collected output is written. */
  | { readonly kind: 'turn' }
  | { readonly kind: 'pass'; readonly ms: number }
  | {
      readonly kind: 'bot'
      readonly does: BotAct
      readonly nick: string
      readonly target: string
      readonly text: string
    }

export type BotAct = 'appear' | 'leave' | 'draft' | 'publish' | 'redact' | 'notice' | 'move'
const BOT_ACTS: readonly BotAct[] = [
  'appear',
  'leave',
  'draft',
  'draft',
  'publish',
  'publish',
  'redact',
  'notice',
  'move',
]

/** Acts that hold about so many lines. */
export function someActs(seed: number, lines: number): Act[] {
  const chance = new Chance(seed)
  const acts: Act[] = []
  for (let count = 0; count < lines;) {
    const sent = someSend(chance, `L${count}`)
    count += sent.lines
    acts.push(sent.act)
    if (chance.isHit(55)) acts.push({ kind: 'turn' })
    if (chance.isHit(50)) acts.push({ kind: 'answer' })
    if (chance.isHit(12)) acts.push(somethingElse(chance))
  }
  return acts
}

function someSend(chance: Chance, label: string): { act: Act; lines: number } {
  const lines = chance.isHit(6)
    ? someBatch(chance, label)
    : Array.from({ length: chance.isHit(15) ? 1 + chance.below(6) : 1 }, (_, i) =>
        someLine(chance, `${label}.${i}`),
      )
  const text = Buffer.from(lines.map((line) => `${line}${chance.isHit(95) ? '\r\n' : '\n'}`).join(''))
  const bytes = chance.isHit(6) ? mutated(chance, text) : text
  const act: Act = {
    kind: 'send',
    place: chance.below(PLACES),
    greeting: someGreeting(chance),
    retries: chance.isHit(70),
    bytes,
    isRude: chance.isHit(5),
  }
  return { act, lines: lines.length }
}

/** As a broken or hostile program would send it. */
function mutated(chance: Chance, bytes: Buffer): Buffer {
  const at = chance.below(bytes.length)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (chance.below(8)) {
    case 0: // no end: the next line is its tail
      return before
    case 1:
      return Buffer.concat([before, Buffer.from([chance.below(256)]), after])
    case 2:
      return Buffer.concat([before, after.subarray(1)])
    case 3: {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ (1 << chance.below(8))
      return copy
    }
    case 4:
      return Buffer.concat([
        before,
        Buffer.from(chance.pick(['\r', '\n', '\0', '\r\n', ' ', ':', '@', ';'])),
        after,
      ])
    case 5:
      return Buffer.concat([before, Buffer.from([0xe2, 0x98]), after])
    case 6:
      return Buffer.concat([before, Buffer.alloc(chance.pick([100, 500, 4_200, 9_000]), 'x'), after])
    default:
      return Buffer.concat([before, after, before, after])
  }
}

function somethingElse(chance: Chance): Act {
  const place = chance.below(PLACES)
  switch (chance.below(10)) {
    case 0:
      return { kind: 'hang up', place }
    case 1:
      return { kind: 'stall', place }
    case 2:
    case 3:
      return { kind: 'drain', place }
    case 4:
    case 5:
      return { kind: 'pass', ms: chance.isHit(6) ? 100_000 : chance.pick([1, 50, 1_000, 1_000, 10_000]) }
    default:
      return {
        kind: 'bot',
        does: chance.pick(BOT_ACTS),
        nick: chance.pick(['spark-bot', 'spark-ori-ci', '9bot', ...NICKS]),
        target: chance.pick([...CHANNELS, ...NICKS]),
        text: chance.pick(['one line', 'two\nlines', 'x'.repeat(300), '☕']),
      }
  }
}

/** For a person to read, and to type again. */
export function describe(act: Act): string {
  if (act.kind !== 'send') return JSON.stringify(act)
  const { place, bytes, greeting, isRude } = act
  const hello = greeting.length === 0 ? '' : `   (when new: ${greeting.join(' ⏎ ')})`
  return `${place}${isRude ? '!' : ''} > ${JSON.stringify(bytes.toString('latin1'))}${hello}`
}
