// Parses the parameters of CHATHISTORY.
// https://ircv3.net/specs/extensions/chathistory
import { TARGET_BYTES } from '../../../irc/names.ts'
import { byteLength, cutText } from '../../../irc/split.ts'
import { parseTime } from '../../../irc/time.ts'
import type { Failure } from '../../command.ts'
import type { Anchor, Cut, History } from '../../past.ts'

export type HistoryQuery =
  | { readonly kind: 'page'; readonly target: string; readonly cut: Cut; readonly limit: number }
  | { readonly kind: 'targets'; readonly first: number; readonly second: number; readonly limit: number }

interface Fault {
  readonly kind: 'fault'
  readonly failure: Failure
}

/** How many parameters each takes, including its own name. */
const PARAMS: ReadonlyMap<string, number> = new Map([
  ['LATEST', 4],
  ['BEFORE', 4],
  ['AFTER', 4],
  ['AROUND', 4],
  ['BETWEEN', 5],
  ['TARGETS', 4],
])

export function parseHistoryQuery(
  params: readonly string[],
  { history, most }: { history: History; most: number },
): HistoryQuery | Fault {
  const [typed = '', ...rest] = params
  const name = typed.toUpperCase()
  const count = PARAMS.get(name)
  if (count === undefined) return fault([typed], 'No such subcommand')
  if (params.length < count) return fault([name], 'Insufficient parameters')
  if (params.length > count) return fault([name], 'Too many parameters')
  const [target = '', ...given] = name === 'TARGETS' ? ['', ...rest] : rest
  // It is repeated in the line that opens the page.
  if (byteLength(target) > TARGET_BYTES) return fault([name, target], 'No such target')
  const limitText = given.pop() ?? ''
  const limit = parseLimit(limitText, most)
  if (limit === undefined) return fault([name, limitText], 'The limit must be a positive number')

  // "*" is for LATEST alone; Kiwi IRC sends BEFORE * and means the same.
  if (given[0] === '*' && (name === 'LATEST' || name === 'BEFORE'))
    return { kind: 'page', target, cut: { kind: 'newest' }, limit }
  const anchors: Anchor[] = []
  for (const text of given) {
    const anchor = parseAnchor(text, history)
    if (anchor === undefined) return badAnchor(name, target, text)
    anchors.push(anchor)
  }
  const [first = { time: 0 }, second = { time: 0 }] = anchors
  if (name !== 'TARGETS') return { kind: 'page', target, cut: cutOf(name, first, second), limit }
  if ('id' in first || 'id' in second) return fault([name], 'TARGETS accepts only timestamps')
  return { kind: 'targets', first: first.time, second: second.time, limit }
}

/** How many messages are asked for, at most `most`; undefined for anything but a positive number. */
export function parseLimit(text: string, most: number): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), most) : undefined
}

function cutOf(name: string, first: Anchor, second: Anchor): Cut {
  switch (name) {
    case 'BEFORE':
      return { kind: 'newest', before: first }
    case 'AFTER':
      return { kind: 'oldest', after: first }
    case 'AROUND':
      return { kind: 'around', middle: first }
    case 'BETWEEN':
      return { kind: 'between', first, second }
    default:
      return { kind: 'newest', after: first }
  }
}

/** `timestamp=…` or `msgid=…` */
function parseAnchor(text: string, history: History): Anchor | undefined {
  const equals = text.indexOf('=')
  const value = text.slice(equals + 1)
  switch (text.slice(0, Math.max(equals, 0)).toLowerCase()) {
    case 'timestamp': {
      const time = parseTime(value)
      return time === undefined ? undefined : { time }
    }
    case 'msgid':
      return value === '' ? undefined : { id: value, time: history.timeOf(value) }
    default:
      return undefined
  }
}

function badAnchor(name: string, target: string, text: string): Fault {
  const why = 'Not a timestamp or a msgid'
  const type = /^([^=]+)=/.exec(text)?.[1]?.toLowerCase()
  if (type === undefined || type === 'timestamp' || type === 'msgid') return fault([name, text], why)
  // Both in full would leave no room for the reason.
  const shown = cutText(text, REF_BYTES)
  return { kind: 'fault', failure: ['INVALID_MSGREFTYPE', [name, target, shown], why] }
}

/** Of a reference to a message, as far as it is repeated. */
const REF_BYTES = 64

function fault(context: readonly string[], text: string): Fault {
  return { kind: 'fault', failure: ['INVALID_PARAMS', context, text] }
}
