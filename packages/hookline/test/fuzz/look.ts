// What must outlive a restart, as clients see it: a server operator who looks into every channel, and the owners of the accounts.
import { channelKey } from '../../src/irc/names.ts'
import { BECOME_OPERATOR } from '../operator.ts'
import { Person } from '../person.ts'
import { NEW_NAMES, PEOPLE, PLACES } from './lastinglines.ts'

/** Lines by what they are about. */
export type View = Readonly<Record<string, readonly string[]>>

const NAMES = [...PLACES, ...NEW_NAMES]
const NICKS = PEOPLE.flatMap((nick) => [nick, `${nick}_`])
/**
 * What nobody promised to keep, and what a look itself changes: how long somebody has been idle and connected (317), which server
 * and how it is reached (312, 671, 338, 378), the end of a list, and invitations (336, 337).
 */
const PASSING = /^(?:312|317|338|378|671|318|366|368|347|349|315|762|336|337)$/
/** Client-only tags and the account stay; other lines than messages have the time of the look. */
const OF_A_MESSAGE = /(?:^@|;)msgid=/
const OF_A_SERVICE = / :(?:Nick|Chan)Serv!/

/**
 * `secrets`: passwords and tokens by which somebody may log in. With `isCrowded` people are connected, who leave with the server:
 * only what does not depend on them is looked at.
 */
export async function look(
  port: number,
  secrets: readonly string[],
  { isCrowded = false } = {},
): Promise<View> {
  const view: Record<string, readonly string[]> = {}
  using root = await Person.join(port, 'looker', { caps: CAPS })
  root.type(BECOME_OPERATOR)
  await root.settle()
  const ask = (...lines: string[]) => asked(root, ...lines)
  view['server bans'] = await ask('UBAN LIST')
  for (const account of PEOPLE) {
    const proofs: string[] = []
    for (const secret of secrets) if (await isProof(port, account, secret)) proofs.push(secret)
    view[`account ${account}`] = [...(await ask(`NS INFO ${account}`)), ...proofs]
    const [proof] = proofs
    if (proof !== undefined && !isCrowded) Object.assign(view, await lookAs(port, account, proof))
  }
  if (!isCrowded)
    for (const nick of NICKS)
      view[`user ${nick}`] = (await ask(`WHOIS ${nick}`, `SAMODE ${nick}`)).map((line) =>
        sortedWords(line, '319'),
      )
  const channels = (await ask('LIST')).flatMap((line) => /^322 looker (\S+)/.exec(line)?.[1] ?? []).toSorted()
  const there = new Set(channels.map(channelKey))
  for (const name of channels) {
    const info = await ask(`CS INFO ${name}`)
    if (isCrowded && info.join().endsWith(' is not registered')) continue
    view[`channel ${name}`] = [...info, ...(await lookInto(ask, name, isCrowded))]
  }
  if (!isCrowded)
    view['former names'] = await formerNames(
      port,
      NAMES.filter((name) => !there.has(channelKey(name))),
    )
  // Neither the order of metadata nor that of an access list means anything, and what does has its time in the line.
  return Object.fromEntries(Object.entries(view).map(([about, lines]) => [about, lines.toSorted()]))
}

const CAPS = 'draft/chathistory draft/read-marker message-tags server-time'

async function lookInto(
  ask: (...lines: string[]) => Promise<string[]>,
  name: string,
  isCrowded: boolean,
): Promise<string[]> {
  await ask(`SAJOIN ${name}`)
  const seen = await ask(
    `MODE ${name}`,
    `MODE ${name} b`,
    `MODE ${name} e`,
    `MODE ${name} I`,
    `TOPIC ${name}`,
    `CS ACCESS ${name}`,
    `METADATA ${name} LIST`,
    `CHATHISTORY LATEST ${name} * 100`,
    ...(isCrowded ? [] : [`NAMES ${name}`]),
  )
  await ask(`PART ${name}`)
  return seen.map((line) => sortedWords(sortedModes(line), '353'))
}

/** Those that lead to a renamed channel. Asking for one of these with this capability joins nothing; asking for another joins and leaves it. */
async function formerNames(port: number, names: readonly string[]): Promise<string[]> {
  using probe = await Person.join(port, 'prober', { caps: 'draft/channel-rename' })
  const joins = names.flatMap((name) => [`JOIN ${name}`, `PART ${name}`])
  return (await asked(probe, BECOME_OPERATOR, ...joins)).filter((line) => line.startsWith('FAIL'))
}

/** An always-on user is who it was, whatever nick is asked for; whoever was not there yet, and stays, is found again by the next look. */
async function lookAs(port: number, account: string, secret: string): Promise<View> {
  using owner = await Person.connect(port)
  owner.type(
    `CAP REQ :${CAPS}`,
    `PASS ${account}:${secret}`,
    `NICK own-${account}`,
    'USER owner 0 * :owner',
    'CAP END',
  )
  const opened = (await owner.settle()).map(told)
  const hers = await asked(
    owner,
    'NS SET',
    'NS INFO',
    'NS TOKEN',
    'NS CERT',
    'METADATA * LIST',
    ...[...NAMES, ...NICKS].map((target) => `MARKREAD ${target}`),
    ...NICKS.map((nick) => `CHATHISTORY LATEST ${nick} * 100`),
  )
  owner.type('QUIT')
  await owner.gone()
  const isOfWelcome = (line: string) => /^(?:001|4\d\d|FAIL) /.test(line)
  const kept = hers.filter((line) => !/^MARKREAD \S+ \*$/.test(line))
  return { [`as ${account}`]: [...opened.filter(isOfWelcome), ...kept] }
}

/** Whether somebody can log in so; the connection does not become a user. */
async function isProof(port: number, account: string, secret: string): Promise<boolean> {
  using stranger = await Person.connect(port)
  const proof = Buffer.from(`\0${account}\0${secret}`).toString('base64')
  stranger.type('CAP REQ sasl', 'AUTHENTICATE PLAIN', `AUTHENTICATE ${proof}`)
  const answer = await stranger.until(/ 90[2-8] |^ERROR/)
  if (answer.startsWith('ERROR')) throw new Error(answer)
  return / 903 /.test(answer)
}

/** What comes back, without what passes. */
async function asked(person: Person, ...lines: string[]): Promise<string[]> {
  person.type(...lines)
  return (await person.settle()).map(told).filter((line) => !PASSING.test(line.split(' ')[0] ?? ''))
}

/** Of a message everything, of anything else neither tags nor who says it. */
function told(line: string): string {
  return OF_A_MESSAGE.test(line) && !OF_A_SERVICE.test(line)
    ? line
    : line.replace(/^(?:@\S+ )?(?::\S+ )?/, '')
}

/** The order of members and of their channels means nothing. */
function sortedWords(line: string, numeric: string): string {
  if (!line.startsWith(`${numeric} `)) return line
  const [before = '', words = ''] = line.split(' :')
  return `${before} :${words.split(' ').toSorted().join(' ')}`
}

/** Nor that of flags. */
function sortedModes(line: string): string {
  return line.replace(
    /^(324 \S+ \S+ \+)(\S+)/,
    (_, before: string, modes: string) => before + modes.split('').toSorted().join(''),
  )
}

/** A marker is saved within a second, so one moved just before a `kill -9` may be lost. */
export function withoutMarkers(view: View): View {
  return Object.fromEntries(
    Object.entries(view).map(([about, lines]) => [
      about,
      lines.filter((line) => !line.startsWith('MARKREAD')),
    ]),
  )
}
