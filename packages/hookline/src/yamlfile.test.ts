import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { formatProblem, readYaml } from './yamlfile.ts'

const schema = z.strictObject({
  name: z.string(),
  size: z.strictObject({ width: z.int().default(1), kind: z.enum(['small', 'large']).optional() }).optional(),
  tags: z.array(z.string()).default([]),
  limits: z.record(z.string(), z.strictObject({ calls: z.number() })).optional(),
  port: z.union([z.number(), z.strictObject({ first: z.number() })]).optional(),
})

function problems(text: string): string[] {
  const read = readYaml(text, 'x.yaml', schema)
  assert.equal(read.ok, false)
  return read.ok ? [] : read.problems.map(formatProblem)
}

test('a file that fits is its value, with defaults', () => {
  const read = readYaml('name: a # me\nsize: {}\n', 'x.yaml', schema)
  assert.deepEqual(read.ok && read.value, { name: 'a', size: { width: 1 }, tags: [] })
})

test('each problem says where it is, in the order of the lines', () => {
  assert.deepEqual(problems('name: 7\nsize:\n  widht: 3\n  kind: medium\ntags: [a, 5]\n'), [
    'x.yaml:1:7 name: must be text: put it in quotes',
    'x.yaml:3:3 size.widht: unknown key: did you mean width?',
    'x.yaml:4:9 size.kind: must be one of small, large',
    'x.yaml:5:11 tags.1: must be text: put it in quotes',
  ])
})

test('a missing key is shown at the key above it, a missing value at its key', () => {
  assert.deepEqual(problems('tags: []\n'), ['x.yaml:1:1 name: is required'])
  assert.deepEqual(problems('name: a\nlimits:\n  bob: {}\n'), ['x.yaml:3:3 limits.bob.calls: is required'])
  assert.deepEqual(problems('name:\n'), ['x.yaml:1:1 name: must be text; it is empty'])
  assert.deepEqual(problems(''), ['x.yaml:1:1: must be a group of keys'])
  assert.deepEqual(problems('- a'), ['x.yaml:1:1: must be a group of keys'])
})

test('an unknown key that resembles none lists those that are known there', () => {
  assert.deepEqual(problems('name: a\nsize: {colour: red}\n'), [
    'x.yaml:2:8 size.colour: unknown key: known here are width, kind',
  ])
  assert.deepEqual(problems('name: a\nlimits:\n  bob: {calls: 1, cals: 2}\n'), [
    'x.yaml:3:19 limits.bob.cals: unknown key: did you mean calls?',
  ])
  assert.deepEqual(problems('name: a\n__proto__: 1\n').length, 1)
})

test('what is too much or too little is told by its bound', () => {
  const bounded = z.strictObject({
    lines: z.int().min(1).max(100).optional(),
    words: z.string().max(3).optional(),
    list: z.array(z.string()).min(1).max(3, 'three will do').optional(),
  })
  const read = (text: string) => {
    const file = readYaml(text, 'x.yaml', bounded)
    return file.ok ? [] : file.problems.map(({ message }) => message)
  }
  assert.deepEqual(read('lines: 0\nwords: abcd\nlist: []\n'), [
    'must be 1 at least',
    'must have 3 characters at most',
    'must have 1 entry at least',
  ])
  assert.deepEqual(read('lines: 101\nlist: [a, b, c, d]\n'), ['must be 100 at most', 'three will do'])
})

test('of a union, the branch that fits best speaks', () => {
  assert.deepEqual(problems('name: a\nport: {first: x}\n'), ['x.yaml:2:15 port.first: must be a number'])
})

test('syntax errors carry line and column', () => {
  assert.deepEqual(problems('name: a\ntags: [a, b\n')[0]?.slice(0, 10), 'x.yaml:3:1')
  assert.deepEqual(problems('name: a\nsize: {kind: a, kind : b}\n"name": b\n'), [
    'x.yaml:2:17: kind is there twice: keep one of them',
    'x.yaml:3:1: "name" is there twice: keep one of them',
  ])
  assert.deepEqual(problems('name: a\n---\nname: b\n'), [
    'x.yaml:2:1: a second document begins here, and a file has one: take this line out',
  ])
  assert.match(problems('name: !secret a\n')[0] ?? '', /^x\.yaml:1:7: Unresolved tag/)
})

test('a name that is taken for a comment is told once, where it stands', () => {
  const told = (at: string) => [`x.yaml:${at}: # begins a comment: write "#name" in quotes`]
  assert.deepEqual(problems('name: a\ntags: [#a, #b]\nsize: {}\n'), told('2:8'))
  assert.deepEqual(problems('name: "[, #a"\ntags: ["#a", \'it\', x, #b]\n'), told('2:23'))
  assert.deepEqual(problems('name: a\nlimits: {tags: [ #a]}\n'), told('2:18'))
  assert.notDeepEqual(problems('name: a\ntags: [a, # b\n'), told('2:11'))
  assert.equal(readYaml('name: a\ntags: [a, #b\n  c]\n', 'x.yaml', schema).ok, true)
})

test('a text that wants quotes is told so, once, where it goes wrong', () => {
  const told = {
    '{n}': '1:7 name: must be text: put it in quotes',
    '[{n}]': '1:7 name: must be text: put it in quotes',
    '{n} pushed {m}': '1:11: nothing is expected here any more: put the whole text in quotes',
    '[{n}] pushed': '1:13: nothing is expected here any more: put the whole text in quotes',
    '"{n}" pushed': '1:13: nothing is expected here any more: put the whole text in quotes',
    'Build: {n}': '1:7: a second ": " in one line: put the whole text in quotes',
    '@{n}': '1:7: no text begins with this character: put the whole text in quotes',
    '*{n}*': '1:7: no text begins with this character: put the whole text in quotes',
    '#{n}': '1:7: # begins a comment: put the whole text in quotes',
    'PR #{n} by {m}': '1:10: # begins a comment: put the whole text in quotes',
    '> {n}': '1:9: behind | or > the text begins on the next line',
    '"\\d"': '1:8: in double quotes \\ begins an escape: write \\\\, or put the text in single quotes',
    'a\n  b: c': '1:7: the line below is indented too far, or this text wants quotes',
  }
  for (const [text, problem] of Object.entries(told))
    assert.equal(problems(`name: ${text}\ntags: []\n`)[0], `x.yaml:${problem}`)
  assert.equal(problems('name: [x] {n}\nlimits: {bob: {calls: 1}}\ntags: ["#a"]\n').length, 1)
  const block = readYaml('name: |\n  PR #{n}: {m}\n', 'x.yaml', schema)
  assert.deepEqual(block.ok && block.value.name, 'PR #{n}: {m}\n')
})

test('no problem says what the file holds, which may be a secret', () => {
  for (const text of [
    'name: [x] {n}\ntags: ["sesame"]\n',
    'name: "a" b\ntags:\n  - sesame\n',
    'name: > sesame\n',
    'name: !sesame\n',
    'name: *sesame\n',
    'tags: [a] sesame: b\n',
    'name: {a: sesame}}\ntags: [sesame]\n',
  ])
    assert.doesNotMatch(problems(text).join('\n'), /sesame/)
})

test('aliases are refused', () => {
  assert.deepEqual(problems('name: &n a\ntags: [*n]\n'), [
    'x.yaml:2:8: aliases are not allowed: write the value out',
  ])
})

test('64 KiB is the most that is read', () => {
  assert.equal(readYaml(`name: ${'a'.repeat(65_530)}`, 'x.yaml', schema).ok, true)
  assert.deepEqual(problems(`name: ${'é'.repeat(33_000)}`), ['x.yaml:1:1: is longer than 64 KiB: shorten it'])
})

test('no text makes it throw, however deep', () => {
  for (const deep of ['[', '{a: ', '- ', '? ']) {
    assert.equal(readYaml(deep.repeat(10_000), 'x.yaml', schema).ok, false)
  }
  assert.equal(readYaml('['.repeat(20_000) + ']'.repeat(20_000), 'x.yaml', schema).ok, false)
  const piece = fc.constantFrom(
    'name',
    'size',
    'tags',
    ': ',
    '\n',
    '  ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '&a',
    '*a',
    '"',
    '!',
    '|',
    '#',
    '?',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const read = readYaml(pieces.join(''), 'x.yaml', schema)
      if (!read.ok)
        assert.ok(
          read.problems.length > 0 && read.problems.every(({ line, column }) => line > 0 && column > 0),
        )
    }),
  )
})
