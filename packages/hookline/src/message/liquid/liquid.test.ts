import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { payloadOf } from '../../../test/rigs/bots.ts'
import { msWorked } from '../../../test/worked.ts'
import type { Envelope } from '../payload.ts'
import { compileLiquid, renderLiquid } from './engine.ts'

const none: Envelope = { event: null, headers: {} }

function render(template: string, json: string, envelope = none) {
  const read = compileLiquid(template)
  assert(read.ok, read.ok ? '' : read.reason)
  return renderLiquid(read.parts, payloadOf(json), envelope)
}

function say(template: string, json = '{}', envelope = none): string {
  const rendered = render(template, json, envelope)
  return rendered.ok ? rendered.text : rendered.reason
}

function problem(template: string): string {
  const read = compileLiquid(template)
  return read.ok ? 'no problem' : read.reason
}

test('a template has conditions and loops, and knows the event, the action and the headers', () => {
  const push =
    '{"ref":"refs/heads/main","commits":[{"message":"one"},{"message":"two"}],"action":"done","event":"theirs"}'
  const text =
    '{{ event }}.{{ action }} {{ headers.x-kind }}/{{ body.event }} {{ ref }}\n' +
    '{% for commit in body.commits %}{% if commit.message != "one" %}- {{ commit.message }}{% endif %}\n{% endfor %}'
  assert.equal(
    say(text, push, { event: 'push', headers: { 'x-kind': 'a' } }),
    'push.done a/theirs refs/heads/main\n- two',
  )
  assert.equal(say('{{ event }}', push), 'theirs')
})

test('values print as in token templates, and arithmetic works', () => {
  const json = '{"n":5.0,"big":9007199254740993,"list":[1,{"a":null}],"o":{"x":true},"no":null}'
  assert.equal(
    say('{{ n | plus: 1 }} {{ big }} {{ list }} {{ o }} [{{ no }}]', json),
    '6 9007199254740993 [1,{"a":null}] {"x":true} []',
  )
})

test('missing values are reported, unless a default is given', () => {
  const rendered = render(
    '{{ a.b }}{{ a.b | upcase }}{{ c | bold }}{{ d | default: "-" }}{% if e %}{{ f }}{% endif %}{{ no }}',
    '{"no":null}',
  )
  assert.deepEqual(rendered, { ok: true, text: '-', unresolved: ['a.b', 'c'] })
})

test('arithmetic without a result is reported as a missing value', () => {
  assert.deepEqual(render('{{ 7 | divided_by: n }}{{ n | modulo: 0 }}{{ 7 | divided_by: 2 }}', '{"n":0}'), {
    ok: true,
    text: '3.5',
    unresolved: ['7 | divided_by', 'n | modulo'],
  })
})

test('inherited properties are never reached', () => {
  for (const path of [
    'constructor',
    'body.constructor',
    'body.__proto__',
    'a.toString',
    'headers.constructor',
  ])
    assert.deepEqual(render(`x{{ ${path} }}`, '{"a":"s"}'), { ok: true, text: 'x', unresolved: [path] })
})

test('objects can be compared and joined, whatever their keys', () => {
  const text = '{% if o > 0 %}more{% else %}less{% endif %} {{ list | join: "," }} {{ o }}'
  const json = '{"o":{"toString":0},"list":[{"toString":{"valueOf":1}}]}'
  assert.equal(say(text, json), 'less {"toString":{"valueOf":1}} {"toString":0}')
})

test('short, branch, duration, money and truncate print what a person would write', () => {
  assert.equal(
    say(
      '{{ "0123456789" | short }} {{ "kettle👩‍👩‍👧 on" | short }} {{ "refs/tags/v1" | branch }} {{ s | first_line }}',
      '{"s":"\\none\\r\\ntwo"}',
    ),
    '0123456 kettle👩‍👩‍👧 v1 one',
  )
  assert.equal(
    say(
      '{{ 0 | duration }} {{ 59.6 | duration }} {{ 7325 | duration }} {{ 90061 | duration }} {{ "x" | duration }}',
    ),
    '0s 1m 2h 2m 1d 1h x',
  )
  assert.equal(
    say(
      '{{ s | duration }}|{{ s | money: "eur" }}|{{ list | duration }}|{{ yes | duration }}',
      '{"s":"","list":[],"yes":true}',
    ),
    '||[]|true',
    'what is no number stays as it is',
  )
  assert.equal(
    say('{{ 1234 | money: "eur" }} {{ 500 | money: "jpy" }} {{ 5 | money: "x" }}'),
    '12.34 EUR 500 JPY 0.05 X',
  )
  const sent = ['huf', 'isk', 'idr', 'ugx', 'mga', 'kwd'].map((code) => `{{ 150000 | money: "${code}" }}`)
  assert.equal(
    say(sent.join(' ')),
    '1500.00 HUF 1500.00 ISK 1500.00 IDR 1500.00 UGX 150000 MGA 150.000 KWD',
    'as Stripe sends them, and not as shops write them',
  )
  assert.equal(say('{{ "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧" | truncate: 2 }}'), '👩‍👩‍👧…')
  const long = JSON.stringify({ s: 'x'.repeat(10_001) })
  assert.equal(say('{{ s | truncate: 1000000000 }}', long), `${'x'.repeat(9_998)}…`)
  assert.equal(say('{{ "a" | truncate: -1 }}{{ s | truncate: "?" }}', long), `a${'x'.repeat(49)}…`)
})

test('an author can format in text, in quotes and with filters', () => {
  assert.equal(
    say('\x02a\x02 {{ "\x1db\x1d" }} {{ "c" | bold }} {{ "d" | colour: "light grey" | italic }}'),
    '\x02a\x02 \x1db\x1d \x02c\x02 \x1d\x0315d\x03\x1d',
  )
  assert.equal(say('{{ s | bold }}', '{"s":"one\\n\\ntwo"}'), '\x02one\x02\n\x02two\x02')
})

test('a value beside a colour does not change it', () => {
  assert.equal(say('{{ s | colour: "red" }}{{ n }}', '{"s":",7x","n":5}'), '\x0304\x02\x02,7x\x03\x02\x025')
  assert.equal(
    say('\x034{{ n }} \x0304{{ s }} \x034,1{{ n }} \x03{{ n }}', '{"s":",7x","n":5}'),
    '\x034\x02\x025 \x0304\x02\x02,7x \x034,1\x02\x025 \x03\x02\x025',
  )
})

test('a payload cannot format, reorder, break lines or wake anybody, however it is printed', () => {
  const evil = '\u0001ACTION\u0001 \u0002\u00034x \u202ex\u2066 \u0000\r @bob ＠bob \ufdd0y\ufde8'
  const json = JSON.stringify({ s: evil, [evil]: evil, list: [evil] })
  const ways = [
    '{{ s }}',
    '{{ s | bold }}',
    '{{ s | colour: "red" }}',
    '{{ body }}',
    '{{ list | join: s }}',
    '{{ s | append: s }}',
    '{% assign x = s %}{{ x }}',
    '{% capture x %}{{ s }}{% endcapture %}{{ x }}',
    '{% for x in body %}{{ x }}{% endfor %}',
    '{{ s | split: "" | reverse | join: "" }}',
    '{{ headers.x-evil }}',
    '{{ event }}',
    '{{ nope | default: s }}',
    '{{ s | upcase }}',
    '{{ s | json }}',
    '{{ s | url_encode }}',
    '{{ s | truncate: 20 }}',
    '{{ s | escape }}',
    '{{ s | replace: "x", s }}',
  ]
  for (const way of ways) {
    const text = say(way, json, { event: evil, headers: { 'x-evil': evil } })
    // Only the codes that the template asked for, and no @ before a nick.
    const own = ['\x0304', '\x03', '\x02'].reduce((rest, code) => rest.replaceAll(code, ''), text)
    assert(!/[\p{Cc}\p{Bidi_Control}\uFDD0-\uFDEF]/u.test(own), `${way} → ${JSON.stringify(text)}`)
    assert(!/[@＠]\w/.test(text), `${way} → ${JSON.stringify(text)}`)
    if (!/bold|colour/.test(way)) assert.equal(own, text, way)
  }
})

test('no payload produces harmful output', () => {
  const harmful = fc.string({
    unit: fc.constantFrom(
      '@',
      'a',
      '\x02',
      '\x03',
      '4',
      ',',
      '\u202e',
      '\ufdd1',
      '\ufde8',
      '\n',
      ' ',
      '\x01',
    ),
  })
  const template = compileLiquid(
    '{{ a }}{{ b | colour: "red" }}{{ c | bold }}{{ a | append: b | append: c }}{{ body }}',
  )
  assert(template.ok)
  fc.assert(
    fc.property(harmful, harmful, harmful, (a, b, c) => {
      const rendered = renderLiquid(template.parts, payloadOf({ a, b, c }), none)
      assert(rendered.ok)
      const shown = rendered.text.replaceAll('\x01', '␁').replaceAll('\x03', '␃')
      assert(
        !/[\u202e\ufdd0-\ufdef␁]|(?<![\p{L}\p{N}_/])@a|␃(?!\D|04(?!,\d)|$)/u.test(shown),
        JSON.stringify(rendered.text),
      )
    }),
  )
})

test('a template that takes too long, uses too much memory or prints too much is stopped', () => {
  assert.match(
    say('{% for a in (1..99999) %}{% for b in (1..99999) %}.{% endfor %}{% endfor %}'),
    /^line 1, column \d+ of the template: template render limit exceeded$/,
  )
  assert.match(say('{% for a in (1..999999999) %}{% endfor %}'), /memory alloc limit exceeded$/)
  const digits = JSON.stringify({ s: '9'.repeat(300_000) })
  assert.equal(
    say('{{ s | slice: s }}{{ "abc" | slice: 1, s }}{{ "abc" | slice: -2, 2 }}', digits).slice(-50),
    'line 1, column 19 of the template: memory alloc limit exceeded'.slice(-50),
  )
  assert.equal(say('{{ "abc" | slice: 1 }}{{ "abc" | slice: -2, 2 }}'), 'bbc')
  const huge = JSON.stringify({ s: 'x'.repeat(3_000_000) })
  assert.match(say('{{ s }}{{ s }}', huge), /the message is too long$/)
  const many = JSON.stringify({ many: Array(20_000).fill(0) })
  const text = 'x'.repeat(1_000)
  for (const part of [text, `{% raw %}${text}{% endraw %}`]) {
    assert.match(say(`{% for a in many %}${part}{% endfor %}`, many), /the message is too long$/)
    const captured = `{% capture b %}{% for a in many %}${part}{% endfor %}{% endcapture %}`
    assert.match(say(captured, many), /the message is too long$/)
  }
})

test('a template is not stopped because the machine did other work meanwhile', (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => (now += 10_000))
  assert.equal(say('{% for a in (1..9) %}{{ a }}{% endfor %}'), '123456789')
})

test('a property named by the payload is read in time linear in its size', () => {
  const items = Array.from({ length: 2_000 }, (_, n) => ({ a: n }))
  const json = JSON.stringify({ items, path: 'a.'.repeat(50_000), by: 'a' })
  const ms = msWorked(() => {
    for (const filter of ['sort', 'sort_natural', 'map', 'sum', 'where', 'group_by', 'has', 'find']) {
      for (const property of ['items', 'path']) render(`{{ items | ${filter}: ${property} }}`, json)
    }
  })
  assert.ok(ms < 5_000, `${ms} ms`)
  assert.equal(say('{{ items | map: by | last }} {{ items | where: by, 7 }}', json), '1999 [{"a":7}]')
})

test('mrkdwn: shows what Slack would show', () => {
  const shown = (text: string) => say('{{ t | mrkdwn }}', JSON.stringify({ t: text }))
  assert.equal(
    shown('<https://a.example/?b=1&amp;c|the list> &lt;b&gt;'),
    'the list (https://a.example/?b=1&c) <b>',
  )
  assert.equal(
    shown('<https://a.example> <https://a.example|https://a.example>'),
    'https://a.example https://a.example',
  )
  assert.equal(
    shown('<mailto:a@b.example|a@b.example> <#C1|tea> <!here> &amp;lt;'),
    'a@b.example tea here &lt;',
  )
  assert.equal(shown('Ada <ada> 1 < 2 > 0'), 'Ada <ada> 1 < 2 > 0')
  assert.equal(
    shown('*bold* _it_ ~gone~ `a *b*` *<https://a.example/a_b_c|l*>*'),
    '\x02bold\x02 \x1dit\x1d gone \x11a *b*\x11 *l* (https://a.example/a_b_c)*',
  )
  assert.equal(shown('snake_case_name 2*3*4 * a * __init__'), 'snake_case_name 2*3*4 * a * __init__')
  assert.equal(shown(':tada::+1::skin-tone-2: :no_such_thing: 12:30:45'), '🎉👍 :no_such_thing: 12:30:45')
})

test('markdown: shows what Discord would show', () => {
  const shown = (text: string) => say('{{ t | markdown }}', JSON.stringify({ t: text }))
  assert.equal(
    shown('**bold** *it* _it_ ~~gone~~ __under__ `a*b`'),
    '\x02bold\x02 \x1dit\x1d \x1dit\x1d gone under \x11a*b\x11',
  )
  assert.equal(
    shown('[the list](https://a.example/a_b_c) <https://a.example/x_y_z> https://a.example/_q_'),
    'the list (https://a.example/a_b_c) https://a.example/x_y_z https://a.example/_q_',
  )
  assert.equal(shown('# Tea\n> quoted :tada: <:tea:7>'), 'Tea\nquoted 🎉 :tea:')
})

test('parse_json: an object in a text, cleaned like every other value; nothing for other texts', () => {
  const shown = (text: unknown) => say('{{ t | parse_json | json }}', JSON.stringify({ t: text }))
  assert.equal(shown('{"a":{"b":[1,"two"]}}'), '{"a":{"b":[1,"two"]}}')
  assert.equal(shown('[1]'), '')
  assert.equal(shown('{"a":'), '')
  assert.equal(
    say(
      '{% assign x = t | parse_json %}{{ x.a }}!',
      '{"t":"{\\"a\\":\\"\\\\u0003\\\\u0002\\\\ufdd0red\\"}"}',
    ),
    'red!',
  )
})

test("excerpt: somebody's own words, and whether there are more", () => {
  const shown = (text: string) => say('{{ t | excerpt: 20 }}', JSON.stringify({ t: text }))
  assert.equal(shown('One line\n'), 'One line')
  assert.equal(shown('> so he said\r\n>\r\n\r\nI agree\r\nFully.'), 'I agree …')
  assert.equal(shown('> only\n> quoted'), 'only …')
  assert.equal(shown('>'), '>')
  assert.equal(shown('twenty characters and more\nlines'), 'twenty characters a…')
  assert.equal(say('{{ t | excerpt: 20 }}', '{"t":{"type":"doc"}}'), '')
})

test('template errors are reported with their position', () => {
  assert.equal(
    problem('a\n{{ b | upcas }}'),
    'line 2, column 1 of the template: there is no filter upcas: did you mean upcase?',
  )
  assert.equal(
    problem('{% unles x %}'),
    'line 1, column 1 of the template: there is no tag unles: did you mean unless?',
  )
  for (const [text, meant] of [
    ['{{ b | upper }}', 'filter upper: did you mean upcase?'],
    ['{{ b | lower }}', 'filter lower: did you mean downcase?'],
    ['{{ b | count }}', 'filter count: did you mean size?'],
    ['{% elif b %}', 'tag elif: did you mean elsif?'],
    ['{% set b = 1 %}', 'tag set: did you mean assign?'],
  ] as const)
    assert.equal(problem(text), `line 1, column 1 of the template: there is no ${meant}`)
  assert.equal(problem('{% if x %}'), 'line 1, column 1 of the template: tag {% if x %} not closed')
  assert.equal(problem('{{ a'), 'line 1, column 1 of the template: output "{{ a" not closed')
  assert.equal(problem('{{ a | colour: "rde" }}'), 'line 1, column 1 of the template: there is no colour rde')
  assert.equal(
    problem('{{ a | colour }}'),
    'line 1, column 1 of the template: there is no colour (none given)',
  )
})

test('no tag or filter reads a file, bypasses the cleaning or decodes', () => {
  for (const tag of [
    'include "x"',
    'render "x"',
    'layout "x"',
    'block x',
    'echo s',
    'liquid echo s',
    'cycle s',
    'tablerow a in b',
    'increment a',
  ])
    assert.match(problem(`{% ${tag} %}`), /there is no tag/)
  for (const filter of ['raw', 'url_decode', 'base64_decode', 'strip_html', 'where_exp: "a", s', 'sample'])
    assert.match(problem(`{{ s | ${filter} }}`), /there is no filter/)
})

test('state: a known word is bold and coloured by its meaning, any other is unchanged', () => {
  assert.equal(say('{{ a | state }}', '{"a":"failure"}'), '\x0304\x02failure\x02\x03')
  assert.equal(say('{{ a | state }}!', '{"a":"SUCCESS"}'), '\x0303\x02SUCCESS\x02\x03!')
  assert.equal(say('{{ a | state }}', '{"a":"in_progress"}'), '\x0307\x02in progress\x02\x03')
  assert.equal(say('{{ a | state }}', '{"a":"payment_failed"}'), '\x0304\x02payment failed\x02\x03')
  assert.equal(say('{{ a | state }}', '{"a":"closed"}'), '\x02closed\x02')
  assert.equal(say('{{ a | state }}', '{"a":"constructor"}'), 'constructor')
  assert.deepEqual(render('{{ a | state }}', '{}'), { ok: true, text: '', unresolved: ['a'] })
})

test('link: a dash and the address, or nothing if there is none, which is not reported', () => {
  assert.equal(say('x{{ a | link }}', '{"a":"https://example.com/a?b#c"}'), 'x - https://example.com/a?b#c')
  for (const a of ['"https://"', '""', '"javascript:alert(1)"', '"https://a b"', 'null', '7', '{}'])
    assert.equal(say('x{{ a | link }}', `{"a":${a}}`), 'x')
  assert.deepEqual(render('x{{ a.b | link }}', '{}'), { ok: true, text: 'x', unresolved: [] })
})

test('first_line: the first line that is not blank, with single spaces, cut to the given length', () => {
  assert.equal(say('{{ a | first_line }}', '{"a":"\\n\\n one\\t two  \\r\\nthree"}'), 'one two')
  assert.equal(say('{{ a | first_line: 4 }}', '{"a":"kettle"}'), 'ket…')
  assert.equal(say('{{ a | first_line }}', '{"a":{"type":"doc"}}'), '')
  assert.equal(
    say('{{ a | first_line }}', '{"a":"<!-- a\\nbot -->\\n<!--x--> Coverage: 90 %\\nmore"}'),
    'Coverage: 90 %',
  )
  assert.equal(say('{{ a | first_line }}', '{"a":"<!-- nothing else -->"}'), '<!-- nothing else -->')
})

test('tags within thousands of tags are too deep, in words', () => {
  const read = compileLiquid('{% if a %}'.repeat(6_000))
  assert.match(read.ok ? '' : read.reason, /^line 1, column \d+ of the template: is nested too deeply$/)
})
