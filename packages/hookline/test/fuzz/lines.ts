// Lines that a client may send, made from the table of commands: as the help of each says, or with anything else.
// A command that is added to the table is fuzzed from then on.
import { commands } from '../../src/chat/features/index.ts'
import { format } from '../../src/irc/message.ts'
import type { Chance } from './chance.ts'
import { anyWord, CAP_NAMES, CHANNELS, COMMAND_NAMES, NICKS, REFS, someWord, TEXTS } from './words.ts'

/** They make and change what the others are about. */
const COMMON = [
  'JOIN',
  'JOIN',
  'JOIN',
  'MODE',
  'MODE',
  'MODE',
  'PRIVMSG',
  'NICK',
  'PART',
  'TOPIC',
  'KICK',
  'INVITE',
  'NOTICE',
  'TAGMSG',
  'CAP',
]

/** One line without its end. `label` goes into its tags where it gets one. */
export function someLine(chance: Chance, label: string): string {
  let name = chance.isHit(50) ? chance.pick(COMMON) : chance.pick(COMMAND_NAMES)
  // Who leaves can be told nothing more.
  if (name === 'QUIT' && chance.isHit(80)) name = 'PRIVMSG'
  return `${someTags(chance, label)}${someSource(chance)}${someCase(chance, name)}${someParams(chance, name)}`
}

/** One message in several lines, most of them as they should be. */
export function someBatch(chance: Chance, label: string): string[] {
  const ref = chance.pick(REFS)
  const target = someWord(chance, 'target')
  const command = chance.pick(['PRIVMSG', 'PRIVMSG', 'NOTICE'])
  const lines = [`${someTags(chance, label)}BATCH +${ref} draft/multiline ${target}`]
  for (let left = chance.below(7); left > 0; left--) {
    if (chance.isHit(4)) lines.push(someLine(chance, `${label}-${left}`))
    const to = chance.isHit(97) ? target : someWord(chance, 'target')
    const joined = chance.isHit(25) ? ';draft/multiline-concat' : ''
    const inside = chance.isHit(97) ? ref : chance.pick(REFS)
    lines.push(`@batch=${inside}${joined} ${command} ${to} :${chance.pick(TEXTS)}`)
  }
  if (chance.isHit(92)) lines.push(`${chance.isHit(10) ? `@label=${label}-end ` : ''}BATCH -${ref}`)
  return lines
}

/** What a client says when it comes; not every one says all of it. */
export function someGreeting(chance: Chance): string[] {
  const kind = chance.below(20)
  if (kind === 0) return []
  const hello = [
    `NICK ${chance.pick(NICKS)}`,
    `USER ${chance.pick(['u', 'v'.repeat(30)])} 0 * :${chance.pick(['Somebody', 'Ö ☕', 'x'.repeat(200)])}`,
  ]
  if (chance.isHit(75)) hello.unshift('PASS right')
  if (kind < 6) return hello
  // Some of it comes too early for whoever is not let in at once.
  hello.push(`JOIN ${chance.pick(CHANNELS)},${chance.pick(CHANNELS)}`)
  if (chance.isHit(15)) hello.push(`OPER ${chance.pick(['ann', 'bob'])} right`)
  const caps = kind < 12 ? CAP_NAMES : CAP_NAMES.filter(() => chance.isHit(50))
  const asked = caps.map((name) => `CAP REQ :${name}`)
  const batches = ['CAP REQ :batch', 'CAP REQ :labeled-response', 'CAP REQ :message-tags']
  const [first = '', ...rest] = hello
  const end = kind === 19 ? [] : ['CAP END']
  return [
    'CAP LS 302',
    first,
    ...asked,
    ...(kind < 16 ? batches : []),
    ...(chance.isHit(50) ? end : []),
    ...rest,
    ...end,
  ]
}

function someTags(chance: Chance, label: string): string {
  const tags = new Map<string, string>()
  if (chance.isHit(45)) tags.set('label', label)
  // What only a server may say must not be passed on from here.
  for (let left = chance.below(4) - 1; left > 0; left--) tags.set(...chance.pick(FORGED))
  if (chance.isHit(10)) tags.set(...chance.pick(OWN))
  if (chance.isHit(3)) tags.set('batch', chance.pick(REFS))
  const { size } = tags
  return size === 0 ? '' : format({ tags, command: '', params: [] })
}

const FORGED: readonly (readonly [string, string])[] = [
  ['time', 'forged'],
  ['msgid', 'forged'],
  ['account', 'forged'],
  ['evil', 'forged'],
  ['bot', 'forged'],
]
const OWN: readonly (readonly [string, string])[] = [
  ['+typing', 'active'],
  ['+draft/reply', 'id1'],
  ['+draft/react', '☕'],
  ['+evil', '; \\\r\n'],
  ['+long', 'x'.repeat(2_000)],
  ['+', ''],
  ['+a/b/c', '\\'],
]

function someSource(chance: Chance): string {
  return chance.isHit(3) ? `:${chance.pick(NICKS)}!u@h ` : ''
}

function someCase(chance: Chance, name: string): string {
  return chance.isHit(5) ? name.toLowerCase() : name
}

function someParams(chance: Chance, name: string): string {
  const help = commands.get(name)?.help
  if (help !== undefined && chance.isHit(75))
    return ` ${asHelpSays(chance, name, typeof help === 'string' ? help : chance.pick(help))}`
  let params = ''
  for (let left = chance.below(5); left > 0; left--)
    params += ` ${chance.isHit(10) ? ':' : ''}${anyWord(chance)}`
  return chance.isHit(50) ? `${params} :${anyWord(chance)}` : params
}

/** `KICK <channel>{,<channel>} <nick> [:<reason>]: …` → `#a ann :hello` */
function asHelpSays(chance: Chance, name: string, help: string): string {
  const usage = help.slice(0, help.indexOf(': '))
  const chosen = chance.pick(usage.split(' | '))
  let text = chosen.startsWith(`${name} `) ? chosen.slice(name.length + 1) : chosen === name ? '' : chosen
  for (let before = ''; before !== text;) {
    before = text
    text = text
      .replace(/\[([^[\]]*)\]/, (_, inside: string) => (chance.isHit(65) ? inside : ''))
      .replace(/\{([^{}]*)\}/, (_, inside: string) => inside.repeat(chance.below(3)))
  }
  return text.replaceAll(/<([^<>]+)>/g, (_, meaning: string) =>
    chance.isHit(92) ? someWord(chance, meaning) : anyWord(chance),
  )
}
