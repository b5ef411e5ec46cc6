// Filters of tokens, events, the choice of a template, presets and fallbacks: what a bot says to a delivery.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseBotFile } from './botfile.ts'
import type { Composed } from './composer.ts'
import { Composer } from './composer.ts'
import { eventOf } from './event.ts'
import { HANDLER_LIMITS } from './handler/limits.ts'
import { pathOf } from './path.ts'
import { parsePayload } from './payload.ts'
import type { Payload } from './payload.ts'
import { planOf } from './plan.ts'
import { compile, render } from './template.ts'
import { compileText } from './templates.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-templates-'))
after(() => rmSync(folder, { recursive: true }))

function payload(value: object): Payload {
  const parsed = parsePayload(Buffer.from(JSON.stringify(value)))
  assert(parsed.ok)
  return parsed.payload
}

function say(template: string, value: object, roots = {}): string | readonly string[] {
  const rendered = render(compile(template), payload(value), roots)
  return rendered.ok ? rendered.text : rendered.unresolved
}

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

test('a character is cut whole, however many code units it has', () => {
  assert.equal(say('{s|truncate:3}', { s: '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧' }), '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧')
  assert.equal(say('{s|truncate:2}', { s: '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧' }), '👩‍👩‍👧…')
  assert.equal(String(say('{s|truncate:2}', { s: `a${'\u0301'.repeat(100_000)}bc` })).length, 33)
})

test('what is no filter stays what it was, with a warning where a filter was meant', () => {
  const warned: [string, string, string | undefined][] = [
    ['{a|upper}', 'key', undefined],
    ['{x|truncat:80}', 'x|truncat:80', '{x|truncat:80}: there is no filter truncat: did you mean truncate?'],
    ['{x|truncate}', 'x|truncate', '{x|truncate}: truncate wants a number from 1 to 9999: |truncate:80'],
    ['{x|default}', 'x|default', '{x|default}: default wants a text: |default:"-"'],
    ['{x|upper:3}', 'x|upper:3', '{x|upper:3}: upper takes no argument: |upper'],
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

test('tokens of other languages are plain text, with a warning', () => {
  const why =
    'is plain text here: a token is {body.name}, with one brace and no spaces; or say output.engine: liquid'
  for (const [template, said, foreign] of [
    ['by {{ body.who }}', 'by { body.who }', '{{ body.who }}'],
    ['by {{body.who}}', 'by {body.who}', '{{body.who}}'],
    ['by { body.who }', 'by { body.who }', '{ body.who }'],
    ['{% if body.who %}x', '{% if body.who %}x', '{% if body.who %}'],
  ] as const) {
    assert.equal(say(template, { who: 'ann' }), said)
    assert.deepEqual(compile(template).warnings, [`${foreign} ${why}`])
  }
  for (const template of ['{{who}}', '{"body": {body.who}}', '100 %} {', 'body.who', '{{"a": 1}}'])
    assert.deepEqual(compile(template).warnings, [], template)
})

test('paths of other languages, and tokens that are not closed, are warned of with what was meant', () => {
  const dots = 'is no path: dots reach into lists and objects,'
  for (const [template, warning] of [
    ['{body.items[0].name}', `{body.items[0].name} ${dots} {body.items.0.name}`],
    ['{items[0]["a"]}', `{items[0]["a"]} ${dots} {items.0.a}`],
    ["{body['t']}", `{body['t']} ${dots} {body.t}`],
    ['{$.items.0}', `{$.items.0} ${dots} {body.items.0}`],
    ['by {body.who and {body.t}', '{body.who is plain text here: close it, {body.who}'],
    ['by {body.who', '{body.who is plain text here: close it, {body.who}'],
  ] as const)
    assert.deepEqual(compile(template).warnings, [warning])
  for (const template of [
    '{body.a:b}',
    '{body.@x}',
    '[{body.a}]',
    '{"body.a": [1]}',
    '{a|join:"["}',
    '{body',
  ])
    assert.deepEqual(compile(template).warnings, [], template)
})

test('a token in a Liquid template is plain text, with a warning', () => {
  const warnings = (text: string) => compileText('liquid', text, 'output.template').warnings
  assert.deepEqual(warnings('{body.who} and {headers.x-a|upper}'), [
    '{body.who} is plain text in Liquid: write {{ body.who }}',
    '{headers.x-a|upper} is plain text in Liquid: write {{ headers.x-a }}',
  ])
  assert.deepEqual(warnings('{{ body.who }} {{body.who}} {who} {"body.who"}'), [])
})

test('headers are named in any capitals, and the event is a root where there is one', () => {
  const roots = { headers: { 'x-github-event': 'push', 'x.y': 'dot' }, event: 'push' }
  assert.equal(
    say('{headers.X-GitHub-Event} {headers.x.y} {event} {body.event}', { event: 'theirs' }, roots),
    'push dot push theirs',
  )
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

test('a payload does not change the colour before it', () => {
  assert.equal(
    say('\x034{n} \x0304{s} \x034,1{n} \x0304{n} \x03{n}', { n: 5, s: ',7x' }),
    '\x034\x02\x025 \x0304\x02\x02,7x \x034,1\x02\x025 \x03045 \x035',
  )
})

test('the event is what a well-known header says, or what the path of the bot names', () => {
  const body = payload({ type: 'invoice.paid', n: 1, o: {} })
  const cases: [Record<string, string>, string | undefined, string | null][] = [
    [{ 'x-github-event': 'push' }, undefined, 'push'],
    [{ 'x-github-event': 'push', 'x-gitea-event': 'repository' }, undefined, 'repository'],
    [{ 'x-gitlab-event': 'Merge Request Hook' }, undefined, 'merge_request'],
    [{ 'x-gitlab-event': 'Tag Push Hook' }, undefined, 'tag_push'],
    [{ 'x-event-key': 'repo:push' }, undefined, 'repo:push'],
    [{ 'sentry-hook-resource': 'issue' }, undefined, 'issue'],
    [{ 'x-other': 'a' }, undefined, null],
    [{ 'x-github-event': 'push' }, 'body.type', 'invoice.paid'],
    [{ 'x-other': 'A\u0002 b' }, 'headers.X-Other', 'A b'],
    [{ 'x-github-event': 'push' }, 'body.nope', null],
    [{}, 'n', '1'],
    [{}, 'o', null],
  ]
  for (const [headers, path, event] of cases)
    assert.equal(
      eventOf(headers, body, path === undefined ? undefined : pathOf(path)),
      event,
      JSON.stringify(headers),
    )
})

async function compose(
  yaml: string,
  value: object,
  event: string | null = null,
  headers = {},
): Promise<Composed> {
  const read = parseBotFile(`bot: {name: a-b, owner: a}\n${yaml}`, 'bot.yaml', 'a-b')
  assert(read.ok, read.ok ? '' : read.problems.join('\n'))
  const state = { load: () => Promise.resolve(undefined), save: () => Promise.resolve() }
  const composer = new Composer({
    log: { info: () => undefined, warn: () => undefined },
    limits: HANDLER_LIMITS,
    state,
  })
  return await composer.compose({ name: 'a-b', folder, settings: read.settings }, payload(value), {
    id: '1',
    event,
    headers,
  })
}

test('the most specific template is used: event and action, event, star, the one template', async () => {
  const yaml = `output:
  template: one {event|default:"?"}
  templates:
    Pull_Request.closed: closed
    pull_request: pr
`
  const by = async (value: object, event: string | null, more = ''): Promise<string> => {
    const composed = await compose(yaml + more, value, event)
    return composed.kind === 'message' ? `${composed.text} by ${composed.composedBy}` : composed.kind
  }
  assert.equal(
    await by({ action: 'closed' }, 'pull_request'),
    'closed by output.templates.Pull_Request.closed',
  )
  assert.equal(await by({ action: 'opened' }, 'pull_request'), 'pr by output.templates.pull_request')
  assert.equal(await by({}, 'push'), 'one push by output.template')
  assert.equal(await by({}, null), 'one ? by output.template')
  assert.equal(await by({}, 'push', '    "*": star\n'), 'star by output.templates.*')
  assert.equal(await by({}, null, '    "*": star\n'), 'star by output.templates.*')
})

test('a filter leaves deliveries out, and the record says by which rule', async () => {
  const yaml =
    'trigger: {filter: {events: [push], not: {equals: {ref: refs/heads/gh-pages}}}}\noutput: {template: "{ref}"}\n'
  assert.equal((await compose(yaml, { ref: 'a' }, 'push')).kind, 'message')
  assert.deepEqual(await compose(yaml, { ref: 'a' }, 'star'), {
    kind: 'skip',
    composedBy: null,
    reason: 'filtered: trigger.filter.events: star is not among them',
  })
  assert.deepEqual(await compose(yaml, { ref: 'refs/heads/gh-pages' }, 'push'), {
    kind: 'skip',
    composedBy: null,
    reason: 'filtered: trigger.filter.not: equals holds',
  })
})

test('the preset has what the bot has not', async () => {
  const slack = 'output: {preset: slack}\n'
  assert.deepEqual(await compose(slack, { text: 'Build *done*' }), {
    kind: 'message',
    text: 'Build *done*',
    unresolved: [],
    composedBy: 'preset slack: *',
  })
  const own = 'output: {preset: slack, templates: {push: "own {x}"}}\n'
  assert.deepEqual(await compose(own, { x: 1, text: 'theirs' }, 'push'), {
    kind: 'message',
    text: 'own 1',
    unresolved: [],
    composedBy: 'output.templates.push',
  })
  const attachments = { text: 'head', attachments: [{ title: 'T', text: 'more' }, { fallback: 'F' }] }
  const blocks = {
    blocks: [
      { text: { text: 'section' } },
      { fields: [{ text: 'field' }] },
      { elements: [{ text: 'small' }] },
    ],
  }
  assert.equal(textOf(await compose(slack, attachments)), 'head\n\x02T\x02: more\nF')
  assert.equal(textOf(await compose(slack, blocks)), 'section\nfield\nsmall')
})

function textOf(composed: Composed): string {
  return composed.kind === 'message' ? composed.text : composed.kind
}

test('without a template that fits, what happens is what the fallback says', async () => {
  const issue = {
    action: 'opened',
    issue: { title: 'The kettle @leaks', html_url: 'https://example.test/1', state: 'open' },
    avatar: 'https://example.test/a.png',
  }
  const yaml = (fallback: string): string =>
    `output: {fallback: ${fallback}, template: "{nope} {issue.gone}"}\n`
  const unresolved = ['nope', 'issue.gone']
  const why = 'output.template names what the payload lacks: nope, issue.gone'
  assert.deepEqual(await compose(yaml('json'), issue, 'issues'), {
    kind: 'message',
    text: JSON.stringify(issue).replace('@', '@\u200b'),
    unresolved,
    composedBy: 'fallback json',
    maxLines: 3,
  })
  assert.deepEqual(await compose(yaml('summary'), issue, 'issues'), {
    kind: 'message',
    text: 'issues opened: The kettle @\u200bleaks · open\nhttps://example.test/1 (no value for nope, issue.gone)',
    unresolved,
    composedBy: 'fallback summary',
  })
  assert.deepEqual(await compose(yaml('skip'), issue, 'issues'), {
    kind: 'skip',
    composedBy: 'fallback skip',
    unresolved,
    reason: why,
  })
  assert.deepEqual(await compose(yaml('error'), issue, 'issues'), { kind: 'failed', error: why, unresolved })
  assert.equal(textOf(await compose('output: {fallback: summary}\n', { a: 1 })), 'webhook: {"a":1}')
})

test('a summary has two lines at most, whatever the payload is', async () => {
  const long = 'é'.repeat(5_000)
  const deep = {
    name: long,
    title: `${long}1`,
    text: `${long}2`,
    url: `https://example.test/${'x'.repeat(220)}`,
    list: Array.from({ length: 2_000 }, () => ({ name: long })),
  }
  const lines = textOf(
    await compose('output: {fallback: summary, template: "{nope}"}\n', deep, 'x'.repeat(200)),
  ).split('\n')
  assert.equal(lines.length, 2)
  for (const line of lines) assert(Buffer.byteLength(line) <= 300)
})

test('what is wrong in templates, rules and presets is told with its line', () => {
  const problems = (yaml: string): readonly string[] => {
    const read = parseBotFile(`bot: {name: a-b, owner: a}\n${yaml}`, 'bot.yaml', 'a-b')
    return read.ok ? [] : read.problems
  }
  assert.deepEqual(problems('output:\n  engine: liquid\n  templates:\n    push: "{{ a | upcas }}"\n'), [
    'bot.yaml:5:11 output.templates.push: line 1, column 1 of the template: there is no filter upcas: did you mean upcase?',
  ])
  assert.deepEqual(problems('output: {preset: slak}\n'), [
    'bot.yaml:2:18 output.preset: there is no preset slak: did you mean slack?',
  ])
  assert.deepEqual(problems('trigger:\n  filter:\n    any:\n      - matches: {body.ref: "(a"}\n'), [
    'bot.yaml:5:29 trigger.filter.any.0.matches.body.ref: at character 1: this ( is never closed',
  ])
  assert.deepEqual(problems('trigger:\n  filter: {event: [push]}\n'), [
    'bot.yaml:3:12 trigger.filter.event: unknown key: did you mean events?',
  ])
  assert.deepEqual(problems('output: {engine: liqid}\n'), [
    'bot.yaml:2:18 output.engine: must be one of tokens, liquid: did you mean liquid?',
  ])
})

test('what is valid and hardly meant is a warning', () => {
  const read = parseBotFile(
    'bot: {name: a-b, owner: a}\noutput: {templates: {push: "{x|truncat:8}"}}\n',
    'bot.yaml',
    'a-b',
  )
  assert(read.ok)
  assert.deepEqual(planOf(read.settings).warnings, [
    'output.templates.push: {x|truncat:8}: there is no filter truncat: did you mean truncate?',
  ])
  const silent = parseBotFile('bot: {name: a-b, owner: a}\noutput: {fallback: skip}\n', 'bot.yaml', 'a-b')
  assert(silent.ok)
  assert.deepEqual(planOf(silent.settings).warnings, [
    'output.fallback: skip without a template posts nothing: add output.template or a preset',
  ])
})
