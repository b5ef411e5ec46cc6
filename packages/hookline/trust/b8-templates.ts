// B8: templates and payloads that nobody would write. What a template lets through, everybody in the channel reads.
import { compile, render } from '../src/message/template.ts'
import { compileLiquid, renderLiquid } from '../src/message/liquid/engine.ts'
import { payloadOf } from '../test/rigs/bots.ts'
import { Chance } from '../test/fuzz/chance.ts'
import { figure } from './figure.ts'

export default figure({
  id: 'B8',
  promise:
    'No payload gets a control character or a reordered letter into a message, or at anything but its own values',
  goal: '300,000: nothing harmful comes out, no prototype is touched; 1 MiB in less than 50 ms, twice the size less than three times the time',
  small: { pairs: 10_000 },
  whole: { pairs: 300_000 },
  isTimed: true,
  wholeMinutes: 15,
  measure({ pairs }, { seed }) {
    const chance = new Chance(seed)
    const before = Object.getOwnPropertyNames(Object.prototype).join()
    const wrong: string[] = []
    let made = 0
    for (let index = 0; index < pairs; index++) {
      const isLiquid = chance.isHit(20)
      const template = someTemplate(chance, isLiquid)
      const json = JSON.stringify(someValue(chance, 3))
      const text = said(template, json, isLiquid)
      if (text === undefined) continue
      made++
      const problem = HARMFUL.test(text)
        ? 'a control character'
        : INHERITED.test(text)
          ? 'something inherited'
          : undefined
      if (problem !== undefined) wrong.push(`${problem} from ${JSON.stringify(template)} with ${json}`)
    }
    for (const name of INHERITED_NAMES) {
      if (said(`{body.${name}}`, '{"a":{"b":[1]}}', false) !== undefined)
        wrong.push(`{body.${name}} names something`)
      if (said(`{body.a.b.${name}}`, '{"a":{"b":[1]}}', false) !== undefined)
        wrong.push(`{body.a.b.${name}} names something`)
      if (said(`{{ body.a.b.${name} }}`, '{"a":{"b":[1]}}', true) && !LISTS.has(name))
        wrong.push(`${name} in Liquid`)
    }
    if (Object.getOwnPropertyNames(Object.prototype).join() !== before)
      wrong.push('Object.prototype was changed')
    const [half, whole] = [512, 1_024].map((kib) => msFor(kib * 1_024))
    const isLinear = half !== undefined && whole !== undefined && whole < 50 && whole < 3 * Math.max(half, 10)
    const example = wrong[0] === undefined ? '' : `, such as ${wrong[0]}`
    return {
      figure: `${pairs} pairs, ${made} texts: ${wrong.length} harmful${example}; 1 MiB in ${whole?.toFixed(1)} ms, half of it in ${half?.toFixed(1)} ms`,
      isSound: wrong.length === 0,
      isMet: wrong.length === 0 && made > pairs / 10 && isLinear,
    }
  },
})

/** Except for line breaks, each of which begins a new line of the chat. */
const HARMFUL = /[[\p{Cc}\p{Bidi_Control}]--\n]/v
const INHERITED = /\[native code\]|\[object |function /
const INHERITED_NAMES = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'length',
  'map',
  'size',
  'first',
  '__defineGetter__',
  'constructor.name',
  '__proto__.polluted',
]
/** What Liquid says of a list, by its own rules. */
const LISTS = new Set(['size', 'first', 'length'])

function said(template: string, json: string, isLiquid: boolean): string | undefined {
  const payload = payloadOf(json)
  if (!isLiquid) {
    const rendered = render(compile(template), payload)
    return rendered.ok ? rendered.text : undefined
  }
  const read = compileLiquid(template)
  const rendered = read.ok ? renderLiquid(read.parts, payload, { event: null, headers: {} }) : undefined
  return rendered?.ok ? rendered.text : undefined
}

function someTemplate(chance: Chance, isLiquid: boolean): string {
  const pieces = isLiquid ? LIQUID : TOKENS
  return Array.from({ length: 1 + chance.below(6) }, () =>
    chance.pick(pieces).replaceAll('X', () => chance.pick(KEYS)),
  ).join('')
}

const TOKENS = [
  '{body.X}',
  '{X}',
  '{body.X.X}',
  '{body.X.0}',
  '{body.X|upper}',
  '{body.X|truncate:3}',
  '{body.X|default:"-"}',
  '{body.X|join:", "}',
  '{body.X|count}',
  '{{',
  '}}',
  '{',
  '}',
  'text ',
  '\n',
  '@',
  '@{body.X}',
  '{ X }',
  '{body.X|short}',
  '{}',
  '{body}',
]
const LIQUID = [
  '{{ body.X }}',
  '{{ X }}',
  '{{ body.X | upcase }}',
  '{{ body.X | size }}',
  '{% if body.X %}a{% endif %}',
  '{% for x in body.X %}{{ x }},{% endfor %}',
  '{{ body.X | split: "" | join: "-" }}',
  '{{ body.X | replace: "a", "b" }}',
  '{{ body.X | default: "-" }}',
  '{{ body.X | first }}',
  '{{ body | json }}',
  'text ',
  '\n',
  '@{{ body.X }}',
  '{{ body.X | map: "X" }}',
  '{{ body.X | append: body.X }}',
]
const KEYS = ['a', 'b', 'c', 'constructor', '__proto__', 'toString', 'length', '0', 'é']

function someValue(chance: Chance, depth: number): unknown {
  const kind = depth === 3 ? 0 : chance.below(depth > 0 ? 6 : 4)
  if (kind === 0 && depth > 0)
    // From entries, so that `__proto__` is a key like any other.
    return Object.fromEntries(
      Array.from({ length: 1 + chance.below(6) }, () => [chance.pick(KEYS), someValue(chance, depth - 1)]),
    )
  if (kind === 5) return Array.from({ length: chance.below(4) }, () => someValue(chance, depth - 1))
  if (kind === 1) return chance.pick([0, -1, 1e300, true, false, null, ''])
  return Array.from({ length: chance.below(8) }, () => chance.pick(TEXTS)).join('')
}

const TEXTS = [
  'a',
  'word ',
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\x01',
  '\x02',
  '\x03' + '4',
  '\x1b[31m',
  '\x7f',
  '\x85',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u061c',
  '\ud800',
  '\u2028',
  '@ann',
  '＠ann',
  '{body.a}',
  '{{ a }}',
  '{% raw %}',
  '😀',
  'é',
  '\t',
]

/** Of the processor, and the least of seven: the machine may have something else to do. */
function msFor(bytes: number): number {
  const template = compile('{body.a}\n{body.b|upper}')
  const payload = payloadOf(
    JSON.stringify({ a: '@ann \u202e\x01é'.repeat(bytes / 32), b: 'word \n'.repeat(bytes / 12) }),
  )
  const took = Array.from({ length: 7 }, () => {
    const began = process.threadCpuUsage()
    render(template, payload)
    const { user, system } = process.threadCpuUsage(began)
    return (user + system) / 1_000
  })
  return Math.min(...took)
}
