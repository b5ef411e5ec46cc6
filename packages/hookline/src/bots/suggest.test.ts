import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { payloadOf } from '../../test/rigs/bots.ts'
import { suggest } from './suggest.ts'
import { compile, render } from '../message/template.ts'

test('paths common to all payloads are listed with type, list length and one value', () => {
  const payloads = [
    '{"n":1.0,"who":{"name":"Ada\\u0007 \\n@ann","mail":null},"commits":[{"id":"a"},{"id":"b"}],"empty":{},"only":1}',
    '{"n":"two","who":{"name":"Alan","mail":"x"},"commits":[{"id":"c"}],"empty":{}}',
  ].map(payloadOf)
  assert.deepEqual(
    suggest(payloads, 2).paths.map(({ token, types, lengths, sample }) => [
      token,
      types.join(),
      lengths,
      sample,
    ]),
    [
      ['{body.n}', 'number,text', null, '1.0'],
      ['{body.commits}', 'list', [1, 2], ''],
      ['{body.empty}', 'object', null, ''],
      ['{body.who.name}', 'text', null, 'Ada @\u200bann'],
      ['{body.who.mail}', 'null,text', null, 'null'],
      ['{body.commits.0.id}', 'text', null, 'a'],
    ],
  )
  assert.deepEqual(
    suggest(payloads, 1).paths.find(({ token }) => token === '{body.only}'),
    { token: '{body.only}', in: 1, types: ['number'], lengths: null, sample: '1' },
  )
})

test('keys that no token can hold are counted, as are paths beyond the bounds', () => {
  const odd = suggest([payloadOf('{"a b":1,"c|d":2,"{e}":3,"f":{"g\\"":4},"":5,"h[0]":6}')], 1)
  assert.deepEqual([odd.paths, odd.unwritable], [[], 6])
  const wide = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`k${index}`, index]))
  const many = suggest([payloadOf(JSON.stringify(wide))], 1)
  assert.deepEqual([many.paths.length, many.more], [300, 100])
  const vast = (key: string) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [key + index, index])))
  assert.equal(suggest([payloadOf(vast('k'))], 1).more, 4_700, 'of 5,000 that were looked at')
  assert.equal(suggest([payloadOf(vast('a b'))], 1).unwritable, 5_000)
  const deep = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`
  assert.deepEqual(suggest([payloadOf(deep)], 1).paths, [])
})

test('a template of all suggested tokens resolves in every payload they came from', () => {
  const keys = fc.oneof(
    fc.constantFrom('a', 'b', 'a.b', 'b.0', '0', '[', ']', '__proto__', 'body'),
    fc.string({ maxLength: 3 }),
  )
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }))
  fc.assert(
    fc.property(fc.array(values.object, { minLength: 1, maxLength: 3 }), (bodies) => {
      const payloads = bodies.map((body) => payloadOf(JSON.stringify(body)))
      const { paths } = suggest(payloads, payloads.length)
      const template = compile(paths.map(({ token }) => token).join(' '))
      assert.deepEqual(template.warnings, [])
      for (const each of payloads) assert.equal(render(template, each).ok, true, JSON.stringify(paths))
    }),
  )
})
