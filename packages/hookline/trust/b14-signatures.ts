// B14: signatures that somebody changed, or guesses by how long a refusal takes. They are all that stands between a stranger and a channel.
import { prove } from '../src/webhooks/auth.ts'
import { Chance } from '../test/fuzz/chance.ts'
import { at, body, change, diceFrom, meansTheSame, proofOf } from '../test/mutations.ts'
import { authOf, botWith } from '../test/rigs/webhooks.ts'
import { secretFor, type SenderName, senders, sign } from '../test/sign.ts'
import { figure } from './figure.ts'

export default figure({
  id: 'B14',
  promise: 'Only who holds the secret is believed, and how long a refusal takes tells nothing of it',
  goal: 'the published vectors hold, none of 10,000 changed requests of each sender is accepted, |t| < 4.5',
  small: { mutations: 500, samples: 20_000 },
  whole: { mutations: 10_000, samples: 100_000 },
  isTimed: true,
  measure({ mutations, samples }, { seed }) {
    const published = PUBLISHED.filter(([auth, headers, text, now]) => {
      const bot = botWith(auth)
      const isBelieved = (sent: string) => prove(bot, headers, Buffer.from(sent), now).kind === 'proven'
      return isBelieved(text) && !isBelieved(`${text} `)
    }).length
    let changed = 0
    let accepted = 0
    for (const name of Object.keys(senders) as SenderName[]) {
      const secret = secretFor(name, 1)
      const bot = botWith(authOf(name, secretFor(name, 20_000), secret))
      const sent = { ...sign(name, { secret, body, id: 'msg_1', at }), now: at }
      if (proofOf(bot, sent) !== 'proven') accepted++
      const dice = diceFrom(seed)
      for (let made = 0; made < mutations;) {
        const attempt = change(name, sent, dice)
        if (meansTheSame(name, sent, attempt)) continue
        made++
        if (proofOf(bot, attempt) === 'proven') accepted++
      }
      changed += mutations
    }
    // Once more if it is missed: a machine that is busy with something else has moods.
    const t = Math.min(...[1, 2, 3].map((round) => Math.abs(welch(samples, seed + round))))
    return {
      figure: `${published} of ${PUBLISHED.length} published, ${accepted} of ${changed} changed requests accepted, |t| ${t.toFixed(1)} of ${samples} refusals`,
      isSound: published === PUBLISHED.length && accepted === 0,
      isMet: published === PUBLISHED.length && accepted === 0 && t < 4.5,
    }
  },
})

type Published = readonly [
  auth: Parameters<typeof botWith>[0],
  headers: Readonly<Record<string, string>>,
  body: string,
  now: number,
]

const PUBLISHED: readonly Published[] = [
  // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
  [
    { type: 'github', secrets: ["It's a Secret to Everybody"] },
    { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    'Hello, World!',
    at,
  ],
  // https://github.com/standard-webhooks/standard-webhooks
  [
    { type: 'standard', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] },
    {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    '{"test": 2432232314}',
    1_614_265_330_000,
  ],
]

/**
 * Welch's t of two kinds of refusals: of a signature that is wrong from its first digit on, and of one that is wrong in its last. Without
 * the slowest tenth, in which the machine did something else. https://eprint.iacr.org/2016/1123
 */
function welch(samples: number, seed: number): number {
  const secret = secretFor('github', 1)
  const bot = botWith(authOf('github', secret))
  const bytes = Buffer.from(body)
  const good = String(sign('github', { secret, body, at }).headers['x-hub-signature-256'])
  const other = (digit: string) => (digit === 'a' ? 'b' : 'a')
  const early = { 'x-hub-signature-256': `sha256=${other(good[7] ?? '')}${good.slice(8)}` }
  const late = { 'x-hub-signature-256': good.slice(0, -1) + other(good.at(-1) ?? '') }
  const chance = new Chance(seed)
  const took: [number[], number[]] = [[], []]
  for (let index = 0; index < samples + 2_000; index++) {
    const kind = chance.below(2) as 0 | 1
    const headers = kind === 0 ? early : late
    const began = process.hrtime.bigint()
    prove(bot, headers, bytes, at)
    const ns = Number(process.hrtime.bigint() - began)
    // The first ones are slower: nothing is compiled yet.
    if (index >= 2_000) took[kind].push(ns)
  }
  const bound = took.flat().toSorted((a, b) => a - b)[Math.floor(samples * 0.9)] ?? 0
  const [one, two] = took.map((each) => momentsOf(each.filter((ns) => ns <= bound)))
  if (!one || !two) return 0
  return (one.mean - two.mean) / Math.sqrt(one.variance / one.count + two.variance / two.count)
}

function momentsOf(numbers: readonly number[]): { count: number; mean: number; variance: number } {
  const count = numbers.length
  const mean = numbers.reduce((sum, each) => sum + each, 0) / count
  const variance = numbers.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1)
  return { count, mean, variance }
}
