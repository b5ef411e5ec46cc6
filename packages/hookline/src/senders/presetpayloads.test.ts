// Presets cope with payloads that no service documents: fields that are missing, null, or of another type.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { character } from '../../test/character.ts'
import { ROUNDS } from '../../test/rounds.ts'
import { eventOf } from './eventof.ts'
import { findFixture, fixtureNames } from './fixtures.ts'
import { findPreset } from './presets.ts'
import { payloadOf } from '../../test/rigs/bots.ts'
import { choose, type Made } from '../message/templates.ts'

test('any payload of any event of any preset produces clean lines without failing', () => {
  for (const preset of presets) {
    const events = fc.constantFrom('an_event', ...Object.keys(findPreset(preset)?.texts ?? {}))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), values), events, (payload, event) =>
        checkLines(say(preset, JSON.stringify(payload), event)),
      ),
      { numRuns: 10 * ROUNDS },
    )
  }
})

test('a fixture with any one value removed or replaced produces clean lines without failing', () => {
  for (const name of fixtureNames()) {
    const { payload = '{}', headers = {} } = findFixture(name) ?? {}
    const [preset = ''] = name.split('/')
    const places = pathsIn(JSON.parse(payload))
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.option(values, { nil: undefined }), (place, value) => {
        const changed = JSON.stringify(replaced(JSON.parse(payload), place, value))
        checkLines(say(preset, changed, undefined, headers))
      }),
      { numRuns: 5 * ROUNDS },
    )
  }
})

test('optional fields of a service do not count as missing: the record of a complete message names no gap', () => {
  for (const name of fixtureNames()) {
    const { payload = '{}', headers = {} } = findFixture(name) ?? {}
    assert.deepEqual(make(name.split('/')[0] ?? '', payload, undefined, headers).unresolved, [], name)
  }
  for (const preset of ['alertmanager', 'grafana']) {
    const { payload = '{}' } = findFixture(`${preset}/group-names`) ?? {}
    const { alerts, ...rest } = JSON.parse(payload) as {
      alerts: readonly { labels: { alertname: string } }[]
    }
    const nowhere = alerts.map(({ labels: { alertname }, ...alert }) => ({ ...alert, labels: { alertname } }))
    assert.deepEqual(
      make(preset, JSON.stringify({ ...rest, alerts: nowhere }), undefined).unresolved,
      [],
      preset,
    )
  }
})

test('a fixture without its people reads as a sentence: somebody did it, or nobody is spoken of', () => {
  for (const name of fixtureNames()) {
    const { payload = '{}', headers = {} } = findFixture(name) ?? {}
    const whole: unknown = JSON.parse(payload)
    const alone = withoutPeople(whole)
    const line = say(name.split('/')[0] ?? '', JSON.stringify(alone), undefined, headers)
    const [first = ''] = line.replaceAll(/\p{Cc}(?:\d\d)?/gu, '').split('\n')
    assert.doesNotMatch(first, NAMELESS, `${name}: ${first}`)
  }
})

test('a fixture whose titles and messages are empty still reads as a sentence', () => {
  for (const name of fixtureNames()) {
    const { payload = '{}', headers = {} } = findFixture(name) ?? {}
    const emptied = payload.replaceAll(
      /"(title|message|comment|summary|action)":(\s*)"(?:[^"\\]|\\.)*"/g,
      '"$1":$2""',
    )
    const line = say(name.split('/')[0] ?? '', emptied, undefined, headers)
    const [first = ''] = line.replaceAll(/\p{Cc}(?:\d\d)?/gu, '').split('\n')
    assert.doesNotMatch(first, NAMELESS, `${name}: ${first}`)
  }
})

// Two spaces, an empty pair, a loose `by`, or a verb right after the place.
const NAMELESS =
  / {2}|^ |\( *\)|\[ *\]|" *"| by(?: *$| -|:)|^\[[^\]]*\] (?:none|opened|closed|reopened|merged|pushed|force-pushed|commented|created|deleted|approved|edited|renamed|updated|requested|changed|took|set|made|starred|forked|started) (?!by\b)/

const PEOPLE: ReadonlySet<string> = new Set(
  `sender pusher actor user user_name user_username username author creator approver agent sponsor committer
  requested_by createdBy requestedFor memberCreator lastModifiedBy operator updateAuthor`.split(/\s+/),
)

function withoutPeople(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPeople)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !PEOPLE.has(key))
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutPeople(each)]))
}

const presets = [...new Set(fixtureNames().map((name) => name.split('/')[0] ?? ''))]

const values = fc.jsonValue({ maxDepth: 3, stringUnit: character })

function say(...about: Parameters<typeof make>): string {
  return make(...about).text
}

function make(
  name: string,
  json: string,
  event: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Extract<Made, { kind: 'text' }> {
  const preset = findPreset(name)
  assert(preset)
  const payload = payloadOf(json)
  const envelope = { event: event ?? eventOf(headers, payload, preset.event), headers }
  const template = choose(preset.templates, payload, envelope.event)
  assert(template, 'every preset has a template for *')
  let made = template.make(payload, envelope)
  // On a busy machine a template's time may run out while nothing runs: then try once more.
  if (made.kind === 'stopped') made = template.make(payload, envelope)
  assert(made.kind === 'text', JSON.stringify(made))
  return made
}

function checkLines(text: string): void {
  assert.doesNotMatch(text, /\bundefined\b|\[object |\bNaN\b/)
  // Bold, colour and line breaks are ours; no other codes come through.
  const rest = text
    .replaceAll('\x02', '')
    .replaceAll('\x03', '')
    .replaceAll('\x1d', '')
    .replaceAll('\x11', '')
  assert.doesNotMatch(rest, /[[\p{Cc}\p{Bidi_Control}]--\n]/v)
  assert.ok(text.isWellFormed())
}

type Place = readonly (string | number)[]

/** Of all values inside of `value`. */
function pathsIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Array.isArray(value) ? value.entries() : Object.entries(value)
  return [...(at.length > 0 ? [at] : []), ...[...inner].flatMap(([key, each]) => pathsIn(each, [...at, key]))]
}

function replaced(whole: unknown, [key, ...rest]: Place, value: unknown): unknown {
  if (key === undefined) return value
  const holder = whole as Record<string | number, unknown>
  holder[key] = replaced(holder[key], rest, value)
  return whole
}
