import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payloadOf } from '../../test/rigs/bots.ts'
import { compile, render } from './template.ts'

test('filters change what a token shows, one after the other', () => {
  const push = {
    title: 'fix the kettle',
    sha: '0123456789abcdef',
    commits: [{ a: 1 }, 2],
    labels: ['a', 'b'],
    o: { x: 1, y: 2 },
    no: null,
    empty: '',
  }
  assert.equal(
    say('{body.sha|short} {sha|upper} {commits|count} {o|count}', push),
    '0123456 0123456789ABCDEF 2 2',
  )
  assert.equal(
    say('{title|truncate:8} {title|truncate:80} {title|upper|truncate:4}', push),
    'fix the… fix the kettle FIX…',
  )
  assert.equal(
    say(`{labels|join} {labels|join:"/"} {labels|join:' + '} {commits|join:", "}`, push),
    'a, b a/b a + b {"a":1}, 2',
  )
  assert.equal(
    say('{no|default:"-"} {empty|default:none} {nope.x|default:"a \\"b\\""} {title|default:x}', push),
    '- none a "b" fix the kettle',
  )
  assert.equal(say('{nope|upper|default:"-"} {nope|count|default:"0"}', push), '- 0')
  assert.deepEqual(say('{nope|upper} {title|count}', push), ['nope|upper', 'title|count'])
})

test('a character is never split, however many code units it has', () => {
  assert.equal(say('{s|truncate:3}', { s: '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧' }), '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧')
  assert.equal(say('{s|truncate:2}', { s: '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧' }), '👩‍👩‍👧…')
  assert.equal(say('{s|short}', { s: 'kettle👩‍👩‍👧 on' }), 'kettle👩‍👩‍👧')
  assert.equal(say('{s|short}', { s: 'ke\u0301ttle \u0301on' }), 'ke\u0301ttle \u0301')
  assert.equal(String(say('{s|truncate:2}', { s: `a${'\u0301'.repeat(100_000)}bc` })).length, 33)
})

test('an unknown filter is left as text, with a warning if a filter was meant', () => {
  const warned: [string, string, string | undefined][] = [
    ['{a|upper}', 'key', undefined],
    ['{x|truncat:80}', 'x|truncat:80', '{x|truncat:80}: there is no filter truncat: did you mean truncate?'],
    [
      '{x|truncate}',
      'x|truncate',
      '{x|truncate}: truncate takes a number from 1 to 9999, such as |truncate:80',
    ],
    ['{x|default}', 'x|default', '{x|default}: default takes a text, such as |default:"-"'],
    ['{x|upper:3}', 'x|upper:3', '{x|upper:3}: upper takes no argument: write |upper'],
    ['{x|joined:", "}', '{x|joined:", "}', '{x|joined:", "}: there is no filter joined: did you mean join?'],
    ['{x | upper}', '{x | upper}', '{x | upper}: write filters without spaces: {body.title|upper}'],
    ['{"a"|upper}', '{"a"|upper}', undefined],
    ['{|upper}', '|upper', undefined],
    ['{a||b}', 'a||b', undefined],
  ]
  for (const [template, result, warning] of warned) {
    const said = say(template, { 'a|upper': 'key' })
    assert.equal([said].flat()[0], result, template)
    assert.deepEqual(compile(template).warnings, warning === undefined ? [] : [warning], template)
  }
})

function say(template: string, value: object): string | readonly string[] {
  const rendered = render(compile(template), payloadOf(value))
  return rendered.ok ? rendered.text : rendered.unresolved
}
