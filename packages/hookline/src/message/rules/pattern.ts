// Parses regular expressions for rules: the part of the usual syntax that can be matched in linear time.
import { type Refusable, refuse } from '../../failure/refusal.ts'

/** `ranges` are pairs of code points, both ends included. */
export type Node =
  | { readonly kind: 'empty' | 'start' | 'end' }
  | { readonly kind: 'set'; readonly ranges: readonly number[]; readonly isNegated: boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly nodes: readonly Node[] }
  /** `most` may be Infinity. */
  | { readonly kind: 'repeat'; readonly node: Node; readonly least: number; readonly most: number }

export interface Pattern {
  readonly root: Node
  readonly ignoresCase: boolean
}

/** A longer one is refused. */
const PATTERN_MAX_CHARS = 1_000

/**
 * Understands literals, classes, `\d \w \s` and their opposites, `. ^ $ | ( ) (?: ) ? * + {m,n}` and `(?i)` in front.
 * Everything else is refused with its position: back-references and lookaround do not fit a linear-time matcher.
 */
export function readPattern(text: string): Refusable<{ pattern: Pattern }> {
  if (text.length > PATTERN_MAX_CHARS)
    return refuse(`is longer than ${PATTERN_MAX_CHARS} characters: shorten it`)
  const ignoresCase = text.startsWith('(?i)')
  const reader = new Reader(text, ignoresCase ? 4 : 0)
  try {
    return { ok: true, pattern: { root: reader.read(), ignoresCase } }
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message)
    throw error
  }
}

class Refusal extends Error {}

/** More repeats than this, or groups deeper, are refused: each costs states. */
const MOST_REPEATS = 200
const MOST_DEPTH = 50

class Reader {
  readonly #text: string
  #at: number
  #depth = 0

  constructor(text: string, at: number) {
    this.#text = text
    this.#at = at
  }

  read(): Node {
    const node = this.#choice()
    if (this.#at < this.#text.length) this.#refuse('this ) closes nothing: write \\) for the character')
    return node
  }

  #choice(): Node {
    const nodes = [this.#sequence()]
    while (this.#take('|')) nodes.push(this.#sequence())
    return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'choice', nodes }
  }

  #sequence(): Node {
    const nodes: Node[] = []
    while (this.#at < this.#text.length && !this.#sees('|') && !this.#sees(')')) {
      const isMark = this.#sees('^') || this.#sees('$')
      nodes.push(this.#repeated(this.#atom(), isMark))
    }
    return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'sequence', nodes }
  }

  #repeated(node: Node, isMark: boolean): Node {
    const from = this.#at
    const times = this.#times()
    if (!times) return node
    if (isMark) this.#refuse('there is nothing to repeat', from)
    // Greedy or lazy makes no difference to whether it matches.
    this.#take('?')
    if (this.#times()) this.#refuse('there is nothing to repeat', this.#at - 1)
    return { kind: 'repeat', node, ...times }
  }

  #times(): { least: number; most: number } | undefined {
    if (this.#take('*')) return { least: 0, most: Infinity }
    if (this.#take('+')) return { least: 1, most: Infinity }
    if (this.#take('?')) return { least: 0, most: 1 }
    BRACES.lastIndex = this.#at
    const found = BRACES.exec(this.#text)
    if (!found) return undefined
    const [whole, first, comma, second] = found
    const least = Number(first)
    const upTo = second ? Number(second) : Infinity
    const most = comma === undefined ? least : upTo
    if (least > most) this.#refuse('the first number is larger than the second')
    if (least > MOST_REPEATS || (most > MOST_REPEATS && most !== Infinity))
      this.#refuse(`at most ${MOST_REPEATS} repeats`)
    this.#at += whole.length
    return { least, most }
  }

  #atom(): Node {
    const from = this.#at
    const char = this.#next()
    switch (char) {
      case '^':
        return { kind: 'start' }
      case '$':
        return { kind: 'end' }
      case '.':
        return { kind: 'set', ranges: LINE_ENDS, isNegated: true }
      case '(':
        return this.#group(from)
      case '[':
        return this.#class(from)
      case '\\':
        return this.#escape(from)
      case '*':
      case '+':
      case '?':
        return this.#refuse('there is nothing to repeat', from)
      case '{':
      case '}':
      case ']':
        return this.#refuse(`write \\${char} for the character`, from)
      default:
        return literal(char)
    }
  }

  #group(from: number): Node {
    if (++this.#depth > MOST_DEPTH) this.#refuse(`groups may nest at most ${MOST_DEPTH} deep`, from)
    if (this.#sees('?') && !this.#take('?:')) {
      this.#refuse('only (?:…) is supported, and (?i) at the very beginning', from)
    }
    const node = this.#choice()
    if (!this.#take(')')) this.#refuse('this ( is never closed', from)
    this.#depth--
    return node
  }

  #class(from: number): Node {
    const isNegated = this.#take('^')
    const ranges: number[] = []
    while (!this.#take(']')) {
      if (this.#at >= this.#text.length) this.#refuse('this [ is never closed', from)
      const first = this.#member()
      if (!this.#sees('-') || this.#text[this.#at + 1] === ']' || this.#at + 1 >= this.#text.length) {
        ranges.push(...first)
        continue
      }
      const dash = this.#at
      this.#next()
      const last = this.#member()
      const [low, high] = [onlyIn(first), onlyIn(last)]
      if (low === undefined || high === undefined || low > high)
        return this.#refuse(
          'this - does not stand between two characters in ascending order: write \\- for the character',
          dash,
        )
      ranges.push(low, high)
    }
    return { kind: 'set', ranges, isNegated }
  }

  #member(): readonly number[] {
    const from = this.#at
    const char = this.#next()
    if (char !== '\\') return pair(char)
    const node = this.#escape(from)
    if (node.kind !== 'set' || node.isNegated) return this.#refuse('this cannot stand inside [ ]', from)
    return node.ranges
  }

  #escape(from: number): Node {
    if (this.#at >= this.#text.length)
      this.#refuse('\\ stands at the end: write \\\\ for the character', from)
    const char = this.#next()
    const ranges = CLASSES[char.toLowerCase()]
    if (ranges) return { kind: 'set', ranges, isNegated: /^[DWS]$/.test(char) }
    const control = CONTROLS[char]
    if (control !== undefined) return literal(control)
    if (/^[1-9]$/.test(char)) this.#refuse('back-references are not supported', from)
    if (/^[A-Za-z0-9]$/.test(char)) this.#refuse(`\\${char} is not supported`, from)
    return literal(char)
  }

  /** One whole character. */
  #next(): string {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)
    this.#at += char.length
    return char
  }

  #sees(char: string): boolean {
    return this.#text[this.#at] === char
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #refuse(what: string, at = this.#at): never {
    throw new Refusal(`at character ${at + 1}: ${what}`)
  }
}

const BRACES = /\{(\d{1,4})(,(\d{0,4}))?\}/y

// What \d, \w, \s and . mean in ECMAScript 2025, 22.2.2.
const CLASSES: Readonly<Record<string, readonly number[]>> = {
  d: [0x30, 0x39],
  w: [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a],
  s: [
    9, 13, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f,
    0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff,
  ],
}
const LINE_ENDS = [10, 10, 13, 13, 0x2028, 0x2029]
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }

function literal(char: string): Node {
  return { kind: 'set', ranges: pair(char), isNegated: false }
}

/** The character, if the ranges hold just one. */
function onlyIn([low, high, ...more]: readonly number[]): number | undefined {
  return low === high && more.length === 0 ? low : undefined
}

function pair(char: string): readonly number[] {
  const code = char.codePointAt(0) ?? 0
  return [code, code]
}
