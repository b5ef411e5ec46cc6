import assert from 'node:assert/strict'
import test from 'node:test'
import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import { payloadOf } from '../../../test/rigs/bots.ts'
import { compileRule } from './judge.ts'
import { build, type Machine, MATCHED_MAX_CHARS } from './machine.ts'
import { type Rule, ruleSchema } from './schema.ts'

function machine(source: string): Machine {
  const built = build(source)
  assert(built.ok, built.ok ? '' : `${source}: ${built.reason}`)
  return built.machine
}

function problem(source: string): string {
  const built = build(source)
  return built.ok ? 'no problem' : built.reason
}

test('a pattern matches where JavaScript matches', () => {
  const texts = [
    '',
    'a',
    'main',
    'release/1.2',
    'x\ny',
    'MAIN',
    'aab',
    '-',
    'é',
    '😀',
    ']',
    'a-b',
    '\u2028',
    'A_9',
    ' ',
  ]
  const patterns = [
    '^main$',
    '^release/\\d+\\.\\d+$',
    'a|b',
    '^(?:a|b)*$',
    'x.y',
    '[^a]',
    '[a-c]{2}',
    'a{2,}b',
    '\\w+',
    '\\W',
    '\\S',
    '\\s',
    '^.$',
    '^[\\w-]+$',
    '[\\]]',
    '()',
    '(a|)+$',
    '^$',
    'a*?',
    '\\-',
    '[\\d.]+$',
    '(?:ab?)?$',
    '^a{0}',
    '[^\\s]',
    '^😀$',
    '[😀é]',
    'a$|^m',
    '(^a|b$)',
    '[a\\-]',
    '[-a]',
    '[a-]',
  ]
  for (const pattern of patterns) {
    const ours = machine(pattern)
    const theirs = new RegExp(pattern.replaceAll('\\-', '-').replace('[a-]', '[a\\-]'), 'u')
    for (const text of texts)
      assert.equal(ours.matches(text), theirs.test(text), `${pattern} in ${JSON.stringify(text)}`)
  }
  assert(machine('(?i)^MaIn$').matches('mAiN'))
  assert(machine('(?i)[a-z]É').matches('Zé'))
})

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '\\s', '1', 'é', '😀', '\\.')
const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '{1,}', '*?')
const { pattern: patterns } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small' },
    atom,
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
  ),
  pattern: fc
    .array(
      fc.tuple(tie('piece'), times).map(([piece, count]) => piece + count),
      { maxLength: 4 },
    )
    .chain((pieces) => fc.constantFrom('', '', '|', '^', '$').map((mark) => withMark(pieces, mark))),
}))

function withMark(pieces: readonly string[], mark: string): string {
  if (mark === '^') return `^${pieces.join('')}`
  if (mark === '$') return `${pieces.join('')}$`
  return pieces.join(mark)
}

const theirWorld = createContext({ source: '', given: '' })
const theirSearch = new Script('new RegExp(source, "u").test(given)')

/** Nothing if JavaScript, which backtracks, has not decided within 20 ms: nested repeats take it years. */
function theyFind(source: string, given: string): boolean | undefined {
  Object.assign(theirWorld, { source, given })
  try {
    return theirSearch.runInContext(theirWorld, { timeout: 20 }) === true
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return
    throw error
  }
}

test('any pattern of the common subset matches exactly where JavaScript matches', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '1', ' ', '.', '\n', 'é', '😀', 'A', '_'),
    maxLength: 12,
  })
  fc.assert(
    fc.property(patterns, text, (source, given) => {
      fc.pre(!problem(source).startsWith('repeats too much'))
      const found = machine(source).matches(given)
      const theirs = theyFind(source, given)
      fc.pre(theirs !== undefined)
      assert.equal(found, theirs)
    }),
    { numRuns: 1_000 },
  )
})

test('a pattern that makes backtracking engines explode ends', () => {
  // A backtracking search would practically never end.
  assert.equal(machine('^(a+)+(a|aa)*(.*)*b$').matches('a'.repeat(MATCHED_MAX_CHARS)), false)
})

test('only the beginning of a long text is searched', () => {
  assert(machine('b').matches(`${'a'.repeat(MATCHED_MAX_CHARS - 1)}b`))
  assert(!machine('b').matches(`${'a'.repeat(MATCHED_MAX_CHARS)}b`))
})

test('unsupported syntax is refused with its position', () => {
  const refused = {
    '(a)\\1': 'at character 4: back-references are not supported',
    'x(?=a)': 'at character 2: only (?:…) is supported, and (?i) at the very beginning',
    '(?<!a)b': 'at character 1: only (?:…) is supported, and (?i) at the very beginning',
    'a\\b': 'at character 2: \\b is not supported',
    '\\u0041': 'at character 1: \\u is not supported',
    'a(b': 'at character 2: this ( is never closed',
    'a)b': 'at character 2: this ) closes nothing: write \\) for the character',
    '[a': 'at character 1: this [ is never closed',
    '[z-a]':
      'at character 3: this - does not stand between two characters in ascending order: write \\- for the character',
    '*a': 'at character 1: there is nothing to repeat',
    'a**': 'at character 3: there is nothing to repeat',
    '^*': 'at character 2: there is nothing to repeat',
    'a{3,2}': 'at character 2: the first number is larger than the second',
    'a{1000}': 'at character 2: at most 200 repeats',
    'a{': 'at character 2: write \\{ for the character',
    'a\\': 'at character 2: \\ stands at the end: write \\\\ for the character',
    '(a{100}){100}': 'repeats too much: use smaller numbers in { }',
    [`${'('.repeat(51)}${')'.repeat(51)}`]: 'at character 51: groups may nest at most 50 deep',
    ['a'.repeat(1_001)]: 'is longer than 1000 characters: shorten it',
  }
  for (const [source, why] of Object.entries(refused)) assert.equal(problem(source), why, source.slice(0, 20))
  assert.equal(problem(`${'('.repeat(40)}${'){200}'.repeat(40)}`), 'no problem')
  assert.equal(problem('(a)'.repeat(51)), 'no problem', 'side by side is not deep')
})

test('no text makes parsing a pattern throw', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab01(){}[]^$.|*+?\\-,:i=!<'.split('')), maxLength: 20 })
  fc.assert(
    fc.property(text, (source) => void problem(source)),
    { numRuns: 1_000 },
  )
})

const push = {
  action: 'opened',
  ref: 'refs/heads/main',
  n: 3,
  draft: false,
  nothing: null,
  labels: ['bug', 'p1', 7],
  commits: [{ message: 'fix the kettle' }],
}

function why(rule: Rule, { event = 'push' as string | null, headers = {} } = {}): string | undefined {
  const payload = payloadOf(JSON.stringify(push).replace('"n":3', '"n":3.0'))
  return compileRule(ruleSchema.parse(rule))(payload, { event, headers })
}

test('events match by full name, with an action or with a star, ignoring case', () => {
  for (const events of [
    ['push'],
    ['PUSH'],
    ['issues', 'push'],
    ['push.opened'],
    ['push.*'],
    ['p*h'],
    ['*'],
    ['*opened'],
  ])
    assert.equal(why({ events }), undefined, events.join())
  assert.equal(
    why({ events: ['pull_request.*', 'pus', 'ush', 'push.closed', 'p*x', 'pus*ush'] }),
    'events: push.opened is not among them',
  )
  assert.equal(why({ events: ['*'] }, { event: null }), 'events: the delivery has no event')
})

test('a rule checks values, and names the part that did not hold', () => {
  const holds: Rule[] = [
    { exists: 'body.ref' },
    { exists: ['ref', 'commits.0.message', 'headers.X-Kind'] },
    { equals: { ref: 'refs/heads/main', n: 3, draft: false, nothing: null } },
    { equals: { 'body.action': ['closed', 'opened'] } },
    { equals: { event: 'push' } },
    { contains: { ref: 'heads', labels: 'bug' } },
    { contains: { labels: '7' } },
    { matches: { ref: '^refs/heads/(main|release)', 'headers.x-kind': '(?i)A$', n: '^3' } },
    { any: [{ exists: 'nope' }, { exists: 'ref' }] },
    { all: [{ exists: 'n' }, { exists: 'ref' }] },
    { not: { equals: { action: 'closed' } } },
    {},
  ]
  for (const rule of holds)
    assert.equal(why(rule, { headers: { 'x-kind': 'a' } }), undefined, JSON.stringify(rule))

  const fails: [Rule, string][] = [
    [{ exists: 'nothing' }, 'exists: nothing is not there'],
    [{ exists: ['ref', 'x.y'] }, 'exists: x.y is not there'],
    [{ equals: { ref: 'main' } }, 'equals: ref is not main'],
    [{ equals: { n: '3' } }, 'equals: n is not the text "3"'],
    [{ equals: { action: ['a', 'b'] } }, 'equals: action is not in the list'],
    [{ equals: { commits: 'x' } }, 'equals: commits is not x'],
    [{ contains: { labels: 'bu' } }, 'contains: labels does not contain bu'],
    [
      { contains: { commits: '{"message":"fix the kettle"}' } },
      'contains: commits does not contain {"message":"fix the kettle"}',
    ],
    [{ contains: { n: '3' } }, 'contains: n does not contain 3'],
    [{ matches: { ref: '^main$' } }, 'matches: ref does not match ^main$'],
    [{ matches: { commits: '.' } }, 'matches: commits does not match .'],
    [{ any: [{ exists: 'a' }, { exists: 'b' }] }, 'any: none of them holds'],
    [{ all: [{ exists: 'n' }, { exists: 'b' }] }, 'all.1.exists: b is not there'],
    [{ not: { exists: 'ref' } }, 'not: exists holds'],
  ]
  for (const [rule, reason] of fails) assert.equal(why(rule), reason)
})

test('a number that would be rounded is refused: it would match other numbers', () => {
  const fits = (value: unknown) => ruleSchema.safeParse({ equals: { id: value } }).success
  for (const value of [9_007_199_254_740_991, -3, 1.5, 1e-7, '9007199254740993'])
    assert.ok(fits(value), String(value))
  for (const value of [9_007_199_254_740_992, -9_007_199_254_740_992, 1e21])
    assert.equal(fits([1, value]), false, String(value))
  const exactly: Rule = { matches: { id: '^9007199254740993$' } }
  const judge = compileRule(exactly)
  const judged = (json: string) => judge(payloadOf(json), { event: null, headers: {} }) === undefined
  assert.deepEqual(['{"id":9007199254740993}', '{"id":9007199254740992}'].map(judged), [true, false])
})
