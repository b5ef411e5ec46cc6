// B12: names and mentions made to be mistaken for others. A team acts on what its bots and agents say.
import { startRig, UNLIMITED } from '../test/rig.ts'
import { Person } from '../test/person.ts'
import { post } from '../test/post.ts'
import { Chance } from '../test/fuzz/chance.ts'
import { figure } from './figure.ts'

const BOT = 'spark-ori-deploy'
const AGENT = 'spark-claude'
const CONFIG = `${UNLIMITED}accounts: {password_cost: 4}\nserver: {casemapping: precis}\n`

export default figure({
  id: 'B12',
  promise:
    'Nobody has a nick that looks like a bot, an account, a service or the server, and no payload mentions anybody',
  goal: '0 accepted of 500 look-alikes; 0 of 500 mentions wake',
  small: { nicks: 500, mentions: 100 },
  whole: { nicks: 2_000, mentions: 500 },
  async measure({ nicks, mentions }, { seed }) {
    const chance = new Chance(seed)
    const yaml = `bot: {name: ${BOT}, owner: spark-ori}\noutput: {channels: ["#a"], template: "{body.text}"}\n`
    await using rig = await startRig({ config: CONFIG, bots: { [BOT]: yaml } })
    await rig.server.accounts.create({ name: AGENT, password: 'a made-up password', email: null })
    using eve = await Person.join(rig.ircPort, 'eve', { channels: '#a' })
    const accepted: string[] = []
    const tried = lookAlikes(chance, nicks)
    for (const nick of tried) {
      eve.type(`NICK ${nick}`)
      const lines = await eve.settle()
      if (!lines.some((line) => /^\S+ 43[23] /.test(line))) accepted.push(nick)
    }
    const woke: string[] = []
    for (let index = 0; index < mentions; index++) {
      const text = someMention(chance)
      await post(`${rig.url}/${BOT}`, { text })
      const lines = (await eve.settle()).filter((line) => line.includes(' PRIVMSG '))
      // As a client would read it that normalises, and takes out what is not seen.
      if (lines.some((line) => MENTION.test(line.normalize('NFKC').replaceAll(UNSEEN, '')))) woke.push(text)
    }
    const example = [...accepted, ...woke][0]
    return {
      figure: `${accepted.length} of ${tried.length} nicks accepted, ${woke.length} of ${mentions} mentions woke${example === undefined ? '' : `, such as ${JSON.stringify(example)}`}`,
      isMet: tried.length >= nicks && accepted.length + woke.length === 0,
    }
  },
})

/** What clients take for a mention. The zero-width space that keeps them from it is left in place. */
const MENTION = new RegExp(`(?<![\\p{L}\\p{N}_/])@${AGENT}`, 'iu')
const UNSEEN = /[[\p{Default_Ignorable_Code_Point}\p{Cc}]--[\u200b]]/gv

/** No two the same, and none that is the name itself. */
function lookAlikes(chance: Chance, count: number): readonly string[] {
  const made = new Set<string>()
  const names = [BOT, AGENT, 'NickServ', 'ChanServ', 'spark']
  while (made.size < count) {
    const name = chance.pick(names)
    const changed = Array.from(name, (letter) => (chance.isHit(35) ? lookOf(chance, letter) : letter)).join(
      '',
    )
    const unseen = chance.isHit(20) ? chance.pick(INVISIBLE) : ''
    const at = 1 + chance.below(changed.length)
    const nick = changed.slice(0, at) + unseen + changed.slice(at)
    if (nick.toLowerCase() !== name.toLowerCase() && nick.length < 32) made.add(nick)
  }
  return [...made]
}

function lookOf(chance: Chance, letter: string): string {
  return chance.pick(LOOKS[letter.toLowerCase()] ?? [letter])
}

/** From confusables.txt of Unicode Technical Standard 39. */
const LOOKS: Readonly<Record<string, readonly string[]>> = {
  a: ['а', 'ɑ', 'α'],
  c: ['с', 'ϲ', 'ⅽ'],
  d: ['ԁ', 'ⅾ'],
  e: ['е', 'ҽ'],
  h: ['һ', 'հ'],
  i: ['і', 'ⅰ', 'ι', 'ӏ'],
  k: ['𝗄', '𝐤'],
  l: ['I', '1', 'ⅼ'],
  n: ['ո', '𝐧'],
  o: ['0', 'о', 'ο', 'օ'],
  p: ['р', 'ρ'],
  r: ['г', '𝗋'],
  s: ['ѕ', 'ꜱ'],
  u: ['υ', 'ս'],
  v: ['ν', 'ѵ', 'ⅴ'],
  y: ['у', 'γ'],
}

const INVISIBLE = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\u00ad',
  '\ufe0f',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u061c',
  '\ufeff',
  '\u034f',
  '\u3164',
  '\x03',
]

function someMention(chance: Chance): string {
  const before = chance.pick([
    '',
    ' ',
    'a ',
    '(',
    '"',
    '\n',
    '\t',
    '> ',
    '.',
    ',',
    '\u200b',
    '\x02',
    '\u202e',
    '…',
    '👍',
  ])
  const at = chance.pick([
    '@',
    '＠',
    '﹫',
    '@\u200d',
    '@\u2060',
    '@\u202e',
    '@\x02',
    '@\x0304',
    '\u200d@',
    '@@',
    '@＠',
    '@\u00ad',
    '@\ufe0f',
  ])
  return before + at + chance.pick([AGENT, AGENT.toUpperCase(), `${AGENT}:`, `${AGENT} hello`])
}
