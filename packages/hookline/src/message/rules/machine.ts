// Matches a pattern in time linear to the text: all ways through it are followed at once, without backtracking.
import { type Refusable, refuse } from '../../failure/refusal.ts'
import { type Node, readPattern } from './pattern.ts'

export interface Machine {
  /** Whether the pattern is found anywhere in the first `MATCHED_MAX_CHARS` of `text`. */
  matches(text: string): boolean
}

/** Text beyond is ignored. With the number of states this bounds the work for a rule: 50 ms at worst, usually microseconds. */
export const MATCHED_MAX_CHARS = 4 * 1024
const MOST_STATES = 500

/** Of a pattern as it is written. Refuses what is none, and one that has too many states once its repeats are written out. */
export function build(pattern: string): Refusable<{ machine: Machine }> {
  const read = readPattern(pattern)
  if (!read.ok) return read
  const { root, ignoresCase } = read.pattern
  const states: State[] = []
  try {
    const start = add(states, root, put(states, { kind: 'found' }))
    return { ok: true, machine: { matches: (text) => run(states, start, text, ignoresCase) } }
  } catch (error) {
    if (error instanceof RangeError) return refuse('repeats too much: use smaller numbers in { }')
    throw error
  }
}

/** `next` and `other` are places in the list of states. */
type State =
  | { readonly kind: 'found' }
  | { readonly kind: 'start' | 'end'; readonly next: number }
  | {
      readonly kind: 'set'
      readonly ranges: readonly number[]
      readonly isNegated: boolean
      readonly next: number
    }
  | { readonly kind: 'either'; next: number; readonly other: number }

/** Thompson's construction, from the end backwards: returns the place where `node` begins if `next` follows it. */
function add(states: State[], node: Node, next: number): number {
  switch (node.kind) {
    case 'empty':
      return next
    case 'start':
    case 'end':
      return put(states, { kind: node.kind, next })
    case 'set':
      return put(states, { ...node, next })
    case 'sequence':
      return node.nodes.reduceRight((after, inner) => add(states, inner, after), next)
    case 'choice':
      return node.nodes
        .map((inner) => add(states, inner, next))
        .reduceRight((other, inner) => put(states, { kind: 'either', next: inner, other }))
    case 'repeat': {
      let after = next
      if (node.most === Infinity) {
        const loop = { kind: 'either' as const, next: -1, other: next }
        after = put(states, loop)
        loop.next = add(states, node.node, after)
      } else {
        for (let more = node.most - node.least; more > 0; more--) {
          after = put(states, { kind: 'either', next: add(states, node.node, after), other: next })
        }
      }
      for (let times = node.least; times > 0; times--) {
        const before = after
        after = add(states, node.node, before)
        // Repeating nothing gives nothing: without this, nested repeats of it would take for ever.
        if (after === before) break
      }
      return after
    }
  }
}

function put(states: State[], state: State): number {
  if (states.length >= MOST_STATES) throw new RangeError('too many states')
  return states.push(state) - 1
}

function run(states: readonly State[], start: number, whole: string, ignoresCase: boolean): boolean {
  const text = whole.slice(0, MATCHED_MAX_CHARS)
  let now = new Places(states)
  let then = new Places(states)
  for (let at = 0; ;) {
    if (now.enter(start, at === 0, at === text.length)) return true
    if (at === text.length) return false
    const code = text.codePointAt(at) ?? 0
    const folded = ignoresCase ? otherCases(code) : undefined
    at += code > 0xffff ? 2 : 1
    for (let index = 0; index < now.count; index++) {
      const state = states[now.list[index] ?? 0]
      if (state?.kind !== 'set') continue
      const isIn = holds(state.ranges, code) || (folded?.some((other) => holds(state.ranges, other)) ?? false)
      if (isIn !== state.isNegated && then.enter(state.next, false, at === text.length)) return true
    }
    ;[now, then] = [then, now]
    then.clear()
  }
}

/** The states reached at one place of the text, each once. */
class Places {
  readonly list: Int32Array
  count = 0
  readonly #states: readonly State[]
  readonly #seen: Uint32Array
  #round = 1
  readonly #open: number[] = []

  constructor(states: readonly State[]) {
    this.#states = states
    this.list = new Int32Array(states.length)
    this.#seen = new Uint32Array(states.length)
  }

  clear(): void {
    this.count = 0
    this.#round++
  }

  /** Adds `place` and all states reached from it without a character; true when the pattern is found. */
  enter(place: number, isStart: boolean, isEnd: boolean): boolean {
    const open = this.#open
    open.push(place)
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#seen[at] === this.#round) continue
      this.#seen[at] = this.#round
      const state = this.#states[at]
      if (!state) continue
      switch (state.kind) {
        case 'found':
          open.length = 0
          return true
        case 'set':
          this.list[this.count++] = at
          break
        case 'either':
          open.push(state.other, state.next)
          break
        case 'start':
          if (isStart) open.push(state.next)
          break
        case 'end':
          if (isEnd) open.push(state.next)
          break
      }
    }
    return false
  }
}

function holds(ranges: readonly number[], code: number): boolean {
  for (let index = 0; index < ranges.length; index += 2) {
    if (code >= (ranges[index] ?? 0) && code <= (ranges[index + 1] ?? 0)) return true
  }
  return false
}

/** A character's other cases, those that are exactly one character. */
function otherCases(code: number): readonly number[] | undefined {
  const char = String.fromCodePoint(code)
  const others = [char.toLowerCase(), char.toUpperCase()].filter((other) => other !== char)
  const codes = others
    .map((other) => ({ other, code: other.codePointAt(0) ?? 0 }))
    .flatMap(({ other, code: one }) => (String.fromCodePoint(one) === other ? one : []))
  return codes.length > 0 ? codes : undefined
}
