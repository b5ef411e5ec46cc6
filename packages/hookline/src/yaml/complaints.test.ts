import assert from 'node:assert/strict'
import test from 'node:test'
import { z } from 'zod'
import { formatProblem, readYaml } from './yamlfile.ts'

const schema = z.strictObject({
  name: z.string(),
  size: z.strictObject({ width: z.int().default(1), kind: z.enum(['small', 'large']).optional() }).optional(),
  tags: z.array(z.string()).default([]),
  limits: z
    .record(z.string().regex(/^[a-z]+$/, 'must be a word'), z.strictObject({ calls: z.number() }))
    .optional(),
  port: z.union([z.number(), z.strictObject({ first: z.number() })]).optional(),
})

function problems(text: string): string[] {
  const read = readYaml(text, 'x.yaml', schema)
  assert.equal(read.ok, false)
  return read.ok ? [] : read.problems.map(formatProblem)
}

test('problems have their position, in line order', () => {
  assert.deepEqual(problems('name: 7\nsize:\n  widht: 3\n  kind: medium\ntags: [a, 5]\n'), [
    'x.yaml:1:7 name: must be text: put it in quotes',
    'x.yaml:3:3 size.widht: unknown key: did you mean width?',
    'x.yaml:4:9 size.kind: must be one of small, large',
    'x.yaml:5:11 tags.1: must be text: put it in quotes',
  ])
})

test('a missing key is reported at its parent, a missing value at its key', () => {
  assert.deepEqual(problems('tags: []\n'), ['x.yaml:1:1 name: is required'])
  assert.deepEqual(problems('name: a\nlimits:\n  bob: {}\n'), ['x.yaml:3:3 limits.bob.calls: is required'])
  assert.deepEqual(problems('name:\n'), ['x.yaml:1:1 name: must be text; it is empty'])
  assert.deepEqual(problems(''), ['x.yaml:1:1: must be a group of keys: name, size, tags, limits, port'])
  assert.deepEqual(problems('- a'), ['x.yaml:1:1: must be a group of keys: name, size, tags, limits, port'])
})

test('a key that is not allowed is reported with the reason', () => {
  assert.deepEqual(problems('name: a\nlimits:\n  b b: {calls: 1}\n'), [
    'x.yaml:3:3 limits.b b: must be a word',
  ])
  // The library would leave it out without a word.
  assert.deepEqual(problems('name: a\nlimits: {__proto__: {calls: 1}}\n'), [
    'x.yaml:2:10: __proto__ cannot be a key here',
  ])
})

test('an unknown key that resembles none lists the known ones', () => {
  assert.deepEqual(problems('name: a\nsize: {colour: red}\n'), [
    'x.yaml:2:8 size.colour: unknown key: use one of width, kind',
  ])
  assert.deepEqual(problems('name: a\nlimits:\n  bob: {calls: 1, cals: 2}\n'), [
    'x.yaml:3:19 limits.bob.cals: unknown key: did you mean calls?',
  ])
  assert.deepEqual(problems('name: a\n__proto__: 1\n').length, 1)
})

test('values too large or too small are reported with their bound', () => {
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
    'must be at least 1',
    'must have at most 3 characters',
    'must have at least 1 entry',
  ])
  assert.deepEqual(read('lines: 101\nlist: [a, b, c, d]\n'), ['must be at most 100', 'three will do'])
})

test('in a union, the best-matching branch is reported', () => {
  assert.deepEqual(problems('name: a\nport: {first: x}\n'), ['x.yaml:2:15 port.first: must be a number'])
})
