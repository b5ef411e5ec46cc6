// Lines that a client may send, made from the table of commands: as the help of each says, or with anything else.
// A command that is added to the table is fuzzed from then on.
import { CHANSERV } from '../../src/chat/features/chanserv/chanserv.ts'
import { commands } from '../../src/chat/features/index.ts'
import { NICKSERV } from '../../src/chat/features/nickserv/nickserv.ts'
import { format } from '../../src/irc/message.ts'
import type { Chance } from './chance.ts'
import { anyWord, CAP_NAMES, CHANNELS, COMMAND_NAMES, NICKS, REFS, someWord, TEXTS } from './words.ts'

/** They are there from the beginning. */
export const ACCOUNTS = ['ann', 'bob', 'cy']
const SERVICES = [CHANSERV, NICKSERV]
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
  'UNINVITE',
  'UBAN',
  'NOTICE',
  'TAGMSG',
  'CAP',
  'METADATA',
]

/** One line without its end. `label` goes into its tags where it gets one. */
export function someLine(chance: Chance, label: string): string {
  if (chance.isHit(6)) return `${someTags(chance, label)}${someRequest(chance)}`
  let name = chance.isHit(42) ? chance.pick(COMMON) : chance.pick(COMMAND_NAMES)
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

/** What a client sends on connecting; not every client sends all of it. */
export function someGreeting(chance: Chance): string[] {
  const kind = chance.below(20)
  if (kind === 0) return []
  const hello = [
    `NICK ${chance.pick(NICKS)}`,
    `USER ${chance.pick(['u', 'v'.repeat(30)])} 0 * :${chance.pick(['Somebody', 'Ö ☕', 'x'.repeat(200)])}`,
  ]
  if (chance.isHit(75)) hello.unshift('PASS right')
  const wishes = [`JOIN ${chance.pick(CHANNELS)},${chance.pick(CHANNELS)}`]
  if (chance.isHit(40)) wishes.push(`OPER ${chance.pick(['ann', 'bob'])} right`)
  // Many people with few accounts between them: some are several times here.
  const account = chance.pick(ACCOUNTS)
  if (chance.isHit(20)) wishes.push(`NS ${chance.pick(['REGISTER', 'IDENTIFY'])} right`)
  if (chance.isHit(20)) wishes.push(`NS IDENTIFY ${account} right`)
  if (kind < 6) return [...hello, ...wishes]
  const caps = kind < 12 ? CAP_NAMES : CAP_NAMES.filter(() => chance.isHit(50))
  const asked = caps.map((name) => `CAP REQ :${name}`)
  if (kind < 16) asked.push('CAP REQ :batch', 'CAP REQ :labeled-response', 'CAP REQ :message-tags')
  const proof = Buffer.from(`\0${account}\0right`).toString('base64')
  if (chance.isHit(25)) asked.push('CAP REQ :sasl', 'AUTHENTICATE PLAIN', `AUTHENTICATE ${proof}`)
  const end = kind === 19 ? [] : ['CAP END']
  // Some ask too early.
  const order = chance.isHit(85) ? [...hello, ...end, ...wishes] : [...wishes, ...hello, ...end]
  return ['CAP LS 302', ...asked, ...order]
}

function someTags(chance: Chance, label: string): string {
  const tags = new Map<string, string>()
  if (chance.isHit(45)) tags.set('label', label)
  // What only a server may send must not be passed on from here.
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
  const forms = [commands.get(name)?.help ?? []].flat()
  if (forms.length > 0 && chance.isHit(75)) {
    const form = chance.pick(forms)
    // Whoever leaves all channels meets nobody.
    return ` ${asHelpSays(chance, name, form.startsWith('JOIN 0') && chance.isHit(95) ? (forms[0] ?? form) : form)}`
  }
  let params = ''
  for (let left = chance.below(5); left > 0; left--)
    params += ` ${chance.isHit(10) ? ':' : ''}${anyWord(chance)}`
  return chance.isHit(50) ? `${params} :${anyWord(chance)}` : params
}

/** Something asked of a service, as its verbs say. */
function someRequest(chance: Chance): string {
  const service = chance.pick(SERVICES)
  const verb = chance.pick([...service.verbs.values()])
  const words = `${verb.name} ${expanded(chance, verb.usage, verb.name)}`
  return chance.isHit(50)
    ? `PRIVMSG ${service.nick} :${words}`
    : `${service.nick === 'NickServ' ? 'NS' : 'CS'} ${words}`
}

function asHelpSays(chance: Chance, name: string, help: string): string {
  return expanded(chance, help.slice(0, help.indexOf(': ')), name)
}

/** `KICK <channel>{,<channel>} <nick> [:<reason>]` → `#a ann :hello` */
function expanded(chance: Chance, usage: string, name: string): string {
  let text = usage
  for (let before = ''; before !== text;) {
    before = text
    text = text
      .replace(/\[([^[\]]*)\]/, (_, inside: string) =>
        chance.isHit(65) ? chance.pick(inside.split(' | ')) : '',
      )
      .replace(/\{([^{}]*)\}/, (_, inside: string) => inside.repeat(chance.below(3)))
  }
  text = chance.pick(text.split(' | ')).trim()
  if (text === name) return ''
  if (text.startsWith(`${name} `)) text = text.slice(name.length + 1)
  text = text
    .replaceAll('timestamp=…', 'timestamp=2023-11-14T22:13:20.000Z')
    .replaceAll(/(?<=^| )\w+(?:\|\w+)+(?=$| )/g, (words) => chance.pick(words.split('|')))
  return text.replaceAll(/<([^<>]+)>/g, (_, meaning: string) =>
    chance.isHit(92) ? someWord(chance, meaning) : anyWord(chance),
  )
}
