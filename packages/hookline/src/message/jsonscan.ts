// Scans JSON text without building anything: how deep it nests, whether its numbers need care, where it is wrong.

/** Where the nesting passes `most` levels. The text need not be valid: the parser refuses it later. */
export function passesDepth(text: string, most: number): number | undefined {
  if (opensAtMost(text, most)) return undefined
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === BRACE || code === BRACKET) {
      if (++depth > most) return at
    } else if (code === BRACE_END || code === BRACKET_END) depth--
  }
  return undefined
}

/** Whether JavaScript might print some number with other digits than it was written with. */
export function hasUnusualNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at)
      if (!isUsual(text, at, end)) return true
      at = end - 1
    }
  }
  return false
}

/** A quick check that counts brackets in strings too; enough for most payloads. */
function opensAtMost(text: string, most: number): boolean {
  let left = most
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left-- === 0) return false
    }
  }
  return true
}

/** `line 3, column 14`, both from 1; columns count UTF-16 code units. */
export function positionOf(text: string, at: number): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`
}

/** The first place where `text` stops being JSON. Only called for text that the parser refused. */
export function findFault(text: string): { at: number; what: string } {
  // What is open, innermost last: `{` waits for a key or an end, `[` for an element or an end.
  const open: number[] = []
  let wants: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' = 'value'
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const code = text.charCodeAt(at)
    const inside = open.at(-1)
    if (inside === undefined && wants === 'comma or end') return { at, what: 'something follows the end' }

    if (wants === 'colon') {
      if (code !== COLON) return { at, what: 'a colon is missing' }
      wants = 'value'
      at++
    } else if (wants.endsWith('or end') && code === (inside === BRACE ? BRACE_END : BRACKET_END)) {
      open.pop()
      wants = 'comma or end'
      at++
    } else if (wants === 'comma or end') {
      if (code !== COMMA) return { at, what: `a comma or ${inside === BRACE ? '}' : ']'} is missing` }
      wants = inside === BRACE ? 'key' : 'value'
      at++
    } else if (wants.startsWith('key') && code !== QUOTE) {
      return { at, what: 'a key in double quotes is missing' }
    } else if (code === BRACE || code === BRACKET) {
      open.push(code)
      wants = code === BRACE ? 'key or end' : 'value or end'
      at++
    } else if (code === QUOTE) {
      const fault = stringFault(text, at)
      if (fault) return fault
      wants = wants.startsWith('key') ? 'colon' : 'comma or end'
      at = endOfString(text, at) + 1
    } else {
      const word = LITERAL.exec(text.slice(at, at + 6))?.[0]
      const end = word === undefined ? endOfNumber(text, at) : at + word.length
      if (word === undefined && !NUMBER.test(text.slice(at, end))) return { at, what: 'a value is missing' }
      wants = 'comma or end'
      at = end
    }
  }
  return { at: text.length, what: 'it ends too early' }
}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const COLON = 0x3a
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d

const LITERAL = /^(?:true|false|null)/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Integers of up to 15 digits are below 2^53 and print as they were written. */
function isUsual(text: string, from: number, end: number): boolean {
  const digits = text.charCodeAt(from) === MINUS ? from + 1 : from
  if (end - digits > 15 || (digits > from && text.charCodeAt(digits) === 0x30)) return false
  for (let at = digits; at < end; at++) if (!isDigit(text.charCodeAt(at))) return false
  return true
}

/** The quote that ends the string which begins at `from`, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

function stringFault(text: string, from: number): { at: number; what: string } | undefined {
  const end = endOfString(text, from)
  for (let at = from + 1; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20) return { at, what: 'a string contains a control character' }
    if (code !== BACKSLASH) continue
    if (!/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at, at + 6)))
      return { at, what: 'an unknown escape' }
    at++
  }
  return end === text.length ? { at: end, what: 'a string is not closed' } : undefined
}

function endOfNumber(text: string, from: number): number {
  let at = from
  while (at < text.length && isNumberPart(text.charCodeAt(at))) at++
  return at
}

function isNumberPart(code: number): boolean {
  return isDigit(code) || code === MINUS || code === 0x2b || code === 0x2e || code === 0x45 || code === 0x65
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
  }
  return at
}
