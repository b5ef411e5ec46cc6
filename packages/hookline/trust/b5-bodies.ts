// B5: bodies of webhooks that are right, nearly right, or made to break a parser.
import { parsePayload } from '../src/message/payload.ts'
import { Chance } from '../test/fuzz/chance.ts'
import { post } from '../test/post.ts'
import { startRig, UNLIMITED } from '../test/rig.ts'
import { figure } from './figure.ts'

const BOT = 'spark-ori-ci'
const YAML = `bot: {name: ${BOT}, owner: spark-ori}\noutput: {channels: ["#a"], template: "{body.text} {body.a.0.b}"}\n`
/** What docs/deliveries.md has for bodies of a bot without a handler. */
const STATUSES: ReadonlySet<number> = new Set([200, 202, 400, 413, 429])
const SENDERS = 16

export default figure({
  id: 'B5',
  promise: 'No body, however it is built, fails with 500 or takes the server down',
  goal: '100,000 bodies in process and 20,000 over the wire: every status is one of the documented, none is 500',
  small: { inProcess: 5_000, onWire: 1_000 },
  whole: { inProcess: 100_000, onWire: 20_000 },
  async measure({ inProcess, onWire }, { seed }) {
    let thrown = 0
    let taken = 0
    for (let count = 0; count < inProcess; count++) {
      try {
        const parsed = parsePayload(bodyOf(new Chance(seed + count), count))
        if (!parsed.ok) continue
        taken++
        JSON.parse(parsed.payload.text)
        parsed.payload.release()
      } catch {
        thrown++
      }
    }
    const statuses = new Map<number, number>()
    await using rig = await startRig({ config: UNLIMITED, bots: { [BOT]: YAML } })
    let sent = 0
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        while (sent < onWire) {
          const count = sent++
          const { status } = await post(`${rig.url}/${BOT}`, bodyOf(new Chance(seed - count), count))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }),
    )
    const strange = [...statuses.keys()].filter((status) => !STATUSES.has(status))
    const told = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
    return {
      figure: `${inProcess} in process: ${taken} taken, ${thrown} threw; ${onWire} over the wire: ${told}`,
      isMet: thrown === 0 && strange.length === 0 && taken > inProcess / 20 && (statuses.get(200) ?? 0) > 0,
    }
  },
})

const deep = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)
/** Each of them once, and then what chance makes of them; the large ones seldom. */
const NAMED: readonly (string | Buffer)[] = [
  '',
  '{}',
  '[]',
  'null',
  '{"text":"tea"}',
  '{"text":{"__proto__":{"polluted":true}}}',
  '{"__proto__":1,"constructor":{"prototype":2},"toString":3,"hasOwnProperty":4}',
  '{"text":1,"text":2,"text":{"text":3}}',
  '{"text":"\\ud800"}',
  '{"text":"\\udc00\\ud800"}',
  '{"text":9007199254740993}',
  '{"text":1e400,"a":[-0,1.0,1E-400]}',
  '{"text":NaN}',
  '{"text":Infinity}',
  "{'text':1}",
  '{"text":1,}',
  '{"text":01}',
  '{"text":.5}',
  '{"text":"\t"}',
  '{"text":"\\u0000\\u0007\\r\\nQUIT"}',
  '{"text":"\u202e\u2066\u200b"}',
  '\ufeff{"text":1}',
  '{"text":1}{"text":2}',
  '{"text":1} //',
  '/* */{"text":1}',
  '{"":{"":""}}',
  '{"a":[{"b":1}]}',
  '{"a":{"0":{"b":2}}}',
  '"text"',
  '0',
  '{"text":"',
  '{"text":"\\',
  '{"text":"\\u12',
  'payload=%7B%22text%22%3A1%7D',
  '<xml/>',
  Buffer.from('{"text":1}', 'utf16le'),
  Buffer.from([0xff, 0xfe, 0x7b, 0]),
  Buffer.from('{"text":"caf\xe9"}', 'latin1'),
  Buffer.from([...Buffer.from('{"text":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d]),
  Buffer.alloc(64),
  `{"text":${deep(511)}}`,
  `{"text":${deep(600)}}`,
]
const LARGE: readonly string[] = [
  deep(5_000),
  `{"text":${deep(5_000, '{"a":', '}').replace('{"a":}', '{"a":1}')}}`,
  '['.repeat(500_000),
  '['.repeat(1 << 20),
  deep(500_000),
  `{"text":"${'x'.repeat((1 << 20) - 20)}"}`,
  `{"text":"${'☕'.repeat(100_000)}"}`,
  `{"text":[${'1,'.repeat(200_000)}1]}`,
]

function bodyOf(chance: Chance, count: number): Buffer {
  const whole = count < NAMED.length + LARGE.length
  if (whole) return Buffer.from([...NAMED, ...LARGE][count] ?? '')
  if (chance.below(400) === 0) return Buffer.from(chance.pick(LARGE))
  const body = Buffer.from(chance.pick(NAMED))
  for (let change = chance.below(4); change > 0 && body.length > 0; change--)
    body[chance.below(body.length)] = chance.isHit(50) ? chance.pick(SIGNS) : chance.below(256)
  return chance.isHit(20) ? Buffer.concat([body, Buffer.from(chance.pick(NAMED))]) : body
}

const SIGNS = [...Buffer.from('{}[]":,\\0-eE.\n ')]
