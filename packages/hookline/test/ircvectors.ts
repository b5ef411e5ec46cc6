// The public vectors of ircdocs/parser-tests (CC0, https://github.com/ircdocs/parser-tests), in vectors/irc; those of host names are left out,
// since we read none.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, type Message, parse } from '../src/irc/message.ts'
import { fold, matchesMask, splitUserhost } from '../src/irc/names.ts'

/** Throws unless it holds. */
type Check = () => void

/** Each of the vectors, by what it is about. */
export const ircVectors: Readonly<Record<string, readonly Check[]>> = {
  'msg-split: a line is split into its parts': read<{ input: string; atoms: Atoms }>('msg-split').map(
    ({ input, atoms }) =>
      () =>
        assert.deepEqual(parse(input), messageOf(atoms), input),
  ),
  'msg-join: a message is formatted in one of the valid ways': read<{
    atoms: Atoms
    matches: readonly string[]
  }>('msg-join').map(({ atoms, matches }) => () => {
    const line = format(messageOf(atoms))
    assert(matches.includes(line), `${line} is none of ${matches.join(' | ')}`)
  }),
  'userhost-split: a source is split into its parts': read<{ source: string; atoms: object }>(
    'userhost-split',
  ).map(
    ({ source, atoms }) =>
      () =>
        assert.deepEqual(splitUserhost(source), atoms, source),
  ),
  'mask-match: a mask matches these and not those': read<{
    mask: string
    matches: readonly string[]
    fails: readonly string[]
  }>('mask-match').flatMap(({ mask, matches, fails }) => [
    ...matches.map((text) => () => assert(matchesMask(fold(mask), fold(text)), `${mask} means ${text}`)),
    ...fails.map(
      (text) => () => assert(!matchesMask(fold(mask), fold(text)), `${mask} does not mean ${text}`),
    ),
  ]),
}

interface Atoms {
  readonly tags?: Readonly<Record<string, string>>
  readonly source?: string
  readonly verb: string
  readonly params?: readonly string[]
}

function read<T>(name: string): readonly T[] {
  const file = join(import.meta.dirname, 'vectors/irc', `${name}.json`)
  const { tests } = JSON.parse(readFileSync(file, 'utf8')) as { tests: readonly T[] }
  assert(tests.length > 0)
  return tests
}

function messageOf({ tags = {}, source, verb, params = [] }: Atoms): Message {
  const message = { tags: new Map(Object.entries(tags)), command: verb, params }
  return source === undefined ? message : { ...message, source }
}
