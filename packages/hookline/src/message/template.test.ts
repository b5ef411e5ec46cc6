import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { character } from '../../test/character.ts'
import type { JsonValue } from './payload.ts'
import { payloadOf } from '../../test/rigs/bots.ts'
import { msWorked } from '../../test/worked.ts'
import { compile, render, renderFallback } from './template.ts'
import { compileText } from './templates.ts'

function say(
  template: string,
  json: string | object,
  roots: Record<string, JsonValue> = {},
): string | readonly string[] {
  const rendered = render(compile(template), payloadOf(json), roots)
  return rendered.ok ? rendered.text : rendered.unresolved
}

test('a token names a value of the payload', () => {
  const push =
    '{"repository":{"full_name":"a/b"},"commits":[{"message":"fix"}],"action":"opened","n":1.0,"ok":true,"no":null}'
  assert.equal(say('{body.action} on {body.repository.full_name}', push), 'opened on a/b')
  assert.equal(say('{action}: {body.commits.0.message}', push), 'opened: fix')
  assert.equal(
    say('{n} {ok} {no} {body.repository} {commits}', push),
    '1.0 true null {"full_name":"a/b"} [{"message":"fix"}]',
  )
  assert.equal(say('{body}', '{"a":9007199254740993}'), '{"a":9007199254740993}')
})

test('tokens without a value are reported, each once', () => {
  assert.deepEqual(say('{body.a} {body.b.c} {x} {x}', '{"a":1}'), ['body.b.c', 'x'])
  for (const path of [
    'body.s.0',
    'body.s.length',
    'body.list.length',
    'body.list.2',
    'body.list.-1',
    'body.list.00',
    'body.list.0.x',
    'n.rawJSON',
    '...',
    'body.',
    '|upper',
    '|default:x',
  ]) {
    assert.deepEqual(say(`{${path}}`, '{"s":"abc","list":[1,2],"n":1.0}'), [path])
  }
})

test('inherited properties are never reached', () => {
  for (const path of [
    '__proto__',
    'constructor',
    'body.constructor.name',
    'toString',
    'body.a.__proto__',
    'headers.constructor',
  ]) {
    assert.deepEqual(say(`{${path}}`, '{"a":{}}', { headers: {} }), [path])
  }
  assert.equal(say('{__proto__.x}', '{"__proto__":{"x":"own"}}'), 'own')
})

test('a key that contains dots wins over the split path, at every level', () => {
  assert.equal(say('{body.a.b}', '{"a.b":1,"a":{"b":2}}'), '1')
  assert.equal(say('{body.x.a.b}', '{"x":{"a.b":1,"a":{"b":2}}}'), '1')
  assert.equal(say('{body.a.b.c}', '{"a.b":1,"a":{"b":{"c":2}}}'), '2')
  assert.equal(say('{body.l.0.a.b}', '{"l":[{"a.b":3}]}'), '3')
})

test('extra roots take precedence over keys of the payload, if they are present', () => {
  assert.equal(say('{headers.x-event}', '{"headers":{"x-event":"a"}}', { headers: { 'x-event': 'b' } }), 'b')
  assert.equal(say('{headers.x-event}', '{"headers":{"x-event":"a"}}'), 'a')
})

test('double braces are literal braces', () => {
  const table = {
    '{{body.a}}': '{body.a}',
    '{{{body.a}}}': '{1}',
    '{{}}': '{}',
    'a }} b {{ c': 'a } b { c',
    '{ {{x}} }': '{ {x} }',
  }
  for (const [template, text] of Object.entries(table)) assert.equal(say(template, '{"a":1}'), text)
})

test('braces around spaces, quotes or nothing are plain text', () => {
  for (const text of [
    '{}',
    '{ body.a }',
    '{"a": {"b": 1}}',
    '{"a":{"b":{}}}',
    "{'a'}",
    '{',
    '}',
    'if (x) { y }',
    '{a b}',
  ]) {
    assert.equal(say(text, '{"a":1}'), text)
  }
  assert.equal(say('{"text":{"value":"{body.a}"}}', '{"a":1}'), '{"text":{"value":"1"}}')
})

test('tokens of other template languages are plain text, with a warning', () => {
  const why =
    'is plain text here: a token is {body.name}, with one brace and no spaces; or set output.engine: liquid'
  for (const [template, said, foreign] of [
    ['by {{ body.who }}', 'by { body.who }', '{{ body.who }}'],
    ['by {{body.who}}', 'by {body.who}', '{{body.who}}'],
    ['by {{ who }}', 'by { who }', '{{ who }}'],
    ['by {{ .Who }}', 'by { .Who }', '{{ .Who }}'],
    ['by { body.who }', 'by { body.who }', '{ body.who }'],
    ['{% if body.who %}x', '{% if body.who %}x', '{% if body.who %}'],
  ] as const) {
    assert.equal(say(template, { who: 'ann' }), said)
    assert.deepEqual(compile(template).warnings, [`${foreign} ${why}`])
  }
  for (const template of ['{{who}}', '{"body": {body.who}}', '100 %} {', 'body.who', '{{"a": 1}}'])
    assert.deepEqual(compile(template).warnings, [], template)
})

test('foreign path syntax and unclosed tokens get a warning with the intended form', () => {
  const dots = 'is not a path: dots reach into lists and objects,'
  for (const [template, warning] of [
    ['{body.items[0].name}', `{body.items[0].name} ${dots} {body.items.0.name}`],
    ['{items[0]["a"]}', `{items[0]["a"]} ${dots} {items.0.a}`],
    ["{body['t']}", `{body['t']} ${dots} {body.t}`],
    ['{$.items.0}', `{$.items.0} ${dots} {body.items.0}`],
    ["{body['a b'].c}", `{body['a b'].c} is not a path: a key with spaces needs output.engine: liquid`],
    ['by {body.who and {body.t}', '{body.who is plain text here: close it, {body.who}'],
    ['by {body.who', '{body.who is plain text here: close it, {body.who}'],
    [
      'in {repository.full_name',
      '{repository.full_name is plain text here: close it, {repository.full_name}',
    ],
  ] as const)
    assert.deepEqual(compile(template).warnings, [warning])
  for (const template of [
    '{body.a:b}',
    '{body.@x}',
    '[{body.a}]',
    '{"body.a": [1]}',
    '{a|join:"["}',
    '{body',
    '{{body.who',
    'if (a) {return}',
  ])
    assert.deepEqual(compile(template).warnings, [], template)
})

test('a token in a Liquid template is plain text, with a warning', () => {
  const warnings = (text: string) => compileText('liquid', text, 'output.template').warnings
  assert.deepEqual(warnings('{body.who} and {headers.X-A|upper}'), [
    '{body.who} is plain text in Liquid: write {{ body.who }}',
    '{headers.X-A|upper} is plain text in Liquid: write {{ headers.x-a }}',
  ])
  assert.deepEqual(warnings('{{ body.who }} {{body.who}} {who} {"body.who"}'), [])
})

test('header names ignore case, and the event is a root if there is one', () => {
  const roots = { headers: { 'x-github-event': 'push', 'x.y': 'dot' }, event: 'push' }
  assert.equal(
    say('{headers.X-GitHub-Event} {headers.x.y} {event} {body.event}', { event: 'theirs' }, roots),
    'push dot push theirs',
  )
  assert.equal(say('{headers}', {}, roots), '{"x-github-event":"push","x.y":"dot"}')
  assert.equal(
    say('{event} {headers.a}', { event: 'theirs', headers: { a: 1 } }, { headers: {} }),
    'theirs 1',
  )
  // PagerDuty's payload has an object of that name.
  assert.equal(
    say('{event.event_type}', { event: { event_type: 'incident.triggered' } }, roots),
    'incident.triggered',
  )
})

test('a payload neither changes the colour before it nor makes one of a code that ends it', () => {
  assert.equal(
    say('\x034{n} \x0304{s} \x034,1{n} \x0304{n} \x03{n}', { n: 5, s: ',7x' }),
    '\x034\x02\x025 \x0304\x02\x02,7x \x034,1\x02\x025 \x03045 \x03\x02\x025',
  )
})

test('the last line break and blank lines are removed, others stay', () => {
  assert.equal(say('a\n{b}\n', '{"b":"x\\r\\ny\\n\\nz"}'), 'a\nx\ny\nz')
  assert.equal(say('{b}\n\n', '{"b":" \\n"}'), '')
})

test('an @nick from the payload wakes nobody; email addresses and the author’s own @nick stay', () => {
  assert.equal(say('@ann {b}', '{"b":"@bob (@bob) a@b.c, @ 5"}'), '@ann @\u200bbob (@\u200bbob) a@b.c, @ 5')
  assert.equal(say('{a}{b}', '{"a":"@","b":"bob"}'), '@\u200bbob')
  assert.equal(say('{b}', '{"b":"@\\u0002bob \\u0002@bob"}'), '@\u200bbob @\u200bbob')
  assert.equal(renderFallback(payloadOf('{"b":"@bob"}')), '{"b":"@\u200bbob"}')
})

test('control characters and bidi marks of the payload are removed; the author’s formatting stays', () => {
  assert.equal(
    say('\x02{b}\x0f', '{"b":"\\u0003a\\u0000\\u0007\\u001b[1m\\u007f\\u0085\\u202e\\u2066\\u200f\\tb"}'),
    '\x02a[1m b\x0f',
  )
})

test('a huge template with a huge payload ends', () => {
  const big = payloadOf(`{"a":"${'x'.repeat(1_000_000)}"}`)
  const rendered = render(compile('{body}'.repeat(1000)), big)
  assert.ok(rendered.ok && rendered.text.length < 5 * 1024 * 1024 + 2 && rendered.text.endsWith('…'))
})

const forbidden = /[[\p{Cc}\p{Bidi_Control}]--\n]/v
const waking = /(?<![\p{L}\p{N}_/])@[^\s\u200b]/u

test('no template and payload make it throw or pass anything harmful from the payload', () => {
  const value = fc.oneof(
    fc.string({ unit: character }),
    fc.constantFrom('@bob', '\r\n', '\u0000', 'a\tb', '@', '\u202e'),
    fc.jsonValue(),
  )
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'a.b', '__proto__', 'constructor', '0'), value)
  const piece = fc.constantFrom(
    '{',
    '}',
    'body',
    'a',
    'b',
    '.',
    '0',
    '{a}',
    '{body.b}',
    ' ',
    '"',
    '__proto__',
    'constructor',
    '\n',
    'é',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 15 }), object, (pieces, contents) => {
      const source = payloadOf(JSON.stringify(contents))
      const rendered = render(compile(pieces.join('')), source)
      for (const text of [rendered.ok ? rendered.text : '', renderFallback(source)]) {
        assert.doesNotMatch(text, forbidden)
        assert.doesNotMatch(text, waking)
        assert.ok(text.isWellFormed())
        assert.ok(!text.includes('native code'))
      }
    }),
    { numRuns: 300 },
  )
})

test('a template with many line breaks takes no longer for each of them', () => {
  const msOf = (breaks: number) =>
    msWorked(() => assert.equal(say(`a${'\n'.repeat(breaks)}{body.x}\n\n`, { x: 'b' }), 'a\nb'))
  msOf(1_000)
  const [few, many] = [5_000, 50_000].map((breaks) => Math.min(...[1, 2, 3].map(() => msOf(breaks))))
  assert.ok(
    few !== undefined && many !== undefined && many < 40 * Math.max(few, 0.1),
    `${few} ms, then ${many} ms`,
  )
})
