// The choice of a template, presets and fallbacks: what a bot posts for a delivery.
import { NO_HOME } from '../../test/rigs/handler.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { causeHeaders, CHAIN_MAX } from './causes.ts'
import type { Composed } from '../message/composed.ts'
import { Composer } from './composer.ts'
import { HANDLER_LIMITS } from '../handlers/limits.ts'
import { planOf } from './plan.ts'
import { payloadOf, problemsIn, required, settingsIn } from '../../test/rigs/bots.ts'

async function compose(
  yaml: string,
  value: object,
  event: string | null = null,
  headers = {},
): Promise<Composed> {
  using folder = newFolder()
  const settings = settingsIn(`${required}${yaml}`)
  const state = { load: () => Promise.resolve(undefined), save: () => Promise.resolve() }
  const composer = new Composer({
    home: NO_HOME,
    log: { info: () => undefined, warn: () => undefined },
    limits: HANDLER_LIMITS,
    state,
  })
  return await composer.compose({ name: settings.name, folder: folder.path, settings }, payloadOf(value), {
    id: '1',
    event,
    headers,
  })
}

test('the most specific template is used: event and action, event, star, the single template', async () => {
  const yaml = `output:
  template: one {event|default:"?"}
  templates:
    Pull_Request.closed: closed
    pull_request: pr
    Issue created: issue
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
  assert.equal(await by({}, 'Issue created'), 'issue by output.templates.Issue created')
  assert.equal(await by({}, 'push'), 'one push by output.template')
  assert.equal(await by({}, null), 'one ? by output.template')
  assert.equal(await by({}, 'push', '    "*": star\n'), 'star by output.templates.*')
  assert.equal(await by({}, null, '    "*": star\n'), 'star by output.templates.*')
})

test('a filter skips deliveries, and the record says by which rule', async () => {
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

test('the preset fills in what the bot lacks', async () => {
  const slack = 'output: {preset: slack}\n'
  assert.deepEqual(await compose(slack, { text: 'Build *done*' }), {
    kind: 'message',
    text: 'Build \u0002done\u0002',
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

test('the end of a chain is skipped, whatever template there is for its event', async () => {
  const yaml = 'output: {templates: {delivery.posted: "{status}"}}\n'
  const at = (depth: number) =>
    compose(yaml, { status: 'posted' }, 'delivery.posted', causeHeaders('event', depth))
  assert.equal(textOf(await at(CHAIN_MAX)), 'posted')
  assert.equal((await at(CHAIN_MAX + 1)).kind, 'skip')
})

test('without a matching template the fallback decides', async () => {
  const issue = {
    action: 'opened',
    issue: { title: 'The kettle @leaks', html_url: 'https://example.test/1', state: 'open' },
    avatar: 'https://example.test/a.png',
  }
  const yaml = (fallback: string): string =>
    `output: {fallback: ${fallback}, template: "{nope} {issue.gone}"}\n`
  const unresolved = ['nope', 'issue.gone']
  const why = 'output.template uses values that the payload lacks: nope, issue.gone'
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

test('a summary has at most two lines, whatever the payload', async () => {
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

test('a summary is made of the beginning of a payload', async () => {
  const said = async (value: object) => textOf(await compose('output: {fallback: summary}\n', value))
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 0]))
  for (const [near, far] of [
    [
      { name: 'kettle', ...many },
      { ...many, name: 'kettle' },
    ],
    [
      { list: [...Array<object>(9).fill({}), { name: 'kettle' }] },
      { list: [...Array<object>(10).fill({}), { name: 'kettle' }] },
    ],
    [{ a: { b: { c: { name: 'kettle' } } } }, { a: { b: { c: { d: { name: 'kettle' } } } } }],
  ] as const) {
    assert.equal(await said(near), 'webhook: kettle')
    assert.match(await said(far), /^webhook: \{"/)
  }
})

test('a summary leaves out titles that are blank', async () => {
  assert.equal(
    textOf(await compose('output: {fallback: summary}\n', { title: ' \n', name: 'kettle', text: '\t' })),
    'webhook: kettle',
  )
})

test('mistakes in templates, rules and presets are reported with their line', () => {
  const problems = (yaml: string): readonly string[] => problemsIn(`${required}${yaml}`)
  assert.deepEqual(problems('output:\n  engine: liquid\n  templates:\n    push: "{{ a | upcas }}"\n'), [
    'bot.yaml:5:11 output.templates.push: line 1, column 1 of the template: there is no filter upcas: did you mean upcase?',
  ])
  assert.deepEqual(problems('output: {templates: {Push: a, push: b}}\n'), [
    'bot.yaml:2:37 output.templates.push: is the same event as Push: keep one of them, case does not matter',
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

test('valid but probably unintended settings give a warning', () => {
  const warnings = (yaml: string): readonly string[] => planOf(settingsIn(`${required}${yaml}`)).warnings
  assert.deepEqual(warnings('output: {templates: {push: "{x|truncat:8}"}}\n'), [
    'output.templates.push: {x|truncat:8}: there is no filter truncat: did you mean truncate?',
  ])
  assert.deepEqual(warnings('output: {fallback: skip}\n'), [
    'output.fallback: skip without a template posts nothing: add output.template or a preset',
  ])
  assert.deepEqual(warnings('output: {preset: github, template: "{x}"}\n'), [
    'output.preset: its templates are never used, because output.template covers every event',
  ])
  assert.deepEqual(warnings('output: {preset: github, templates: {"*": "{x}", push: "{y}"}}\n'), [
    'output.preset: its templates are never used, because output.templates.* covers every event',
  ])
  assert.deepEqual(warnings('output: {preset: github, templates: {push: "{y}"}}\n'), [])
  assert.deepEqual(warnings('output: {template: "{x}", templates: {"*": "{y}"}}\n'), [
    'output.template: it is never used, because output.templates.* covers every event',
  ])
  assert.deepEqual(warnings('output: {templates: {pull_request.*: "{x}"}}\n'), [
    'output.templates.pull_request.*: it is never used: write the event alone for all of its actions, or * alone for all other events',
  ])
})
