// The public vectors of ircdocs/parser-tests (CC0, https://github.com/ircdocs/parser-tests), in test/vectors/irc; those of host names are
// left out, since we read none.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { format, type Message, parse } from './message.ts'
import { fold, matchesMask, splitUserhost } from './names.ts'

const folder = join(import.meta.dirname, '../../test/vectors/irc')

interface Atoms {
  readonly tags?: Readonly<Record<string, string>>
  readonly source?: string
  readonly verb: string
  readonly params?: readonly string[]
}

test('msg-split: a line is split into its parts', () => {
  const tests = vectors<{ input: string; atoms: Atoms }>('msg-split')
  for (const { input, atoms } of tests) assert.deepEqual(parse(input), messageOf(atoms), input)
})

test('msg-join: a message is formatted in one of the valid ways', () => {
  const tests = vectors<{ atoms: Atoms; matches: readonly string[] }>('msg-join')
  for (const { atoms, matches } of tests) {
    const line = format(messageOf(atoms))
    assert(matches.includes(line), `${line} is none of ${matches.join(' | ')}`)
  }
})

test('userhost-split: a source is split into its parts', () => {
  const tests = vectors<{ source: string; atoms: object }>('userhost-split')
  for (const { source, atoms } of tests) assert.deepEqual(splitUserhost(source), atoms, source)
})

test('mask-match: a mask matches these and not those', () => {
  const tests = vectors<{ mask: string; matches: readonly string[]; fails: readonly string[] }>('mask-match')
  for (const { mask, matches, fails } of tests) {
    for (const text of matches) assert(matchesMask(fold(mask), fold(text)), `${mask} means ${text}`)
    for (const text of fails) assert(!matchesMask(fold(mask), fold(text)), `${mask} does not mean ${text}`)
  }
})

function vectors<T>(name: string): readonly T[] {
  const { tests } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { tests: readonly T[] }
  assert(tests.length > 0)
  return tests
}

function messageOf({ tags = {}, source, verb, params = [] }: Atoms): Message {
  const message = { tags: new Map(Object.entries(tags)), command: verb, params }
  return source === undefined ? message : { ...message, source }
}
