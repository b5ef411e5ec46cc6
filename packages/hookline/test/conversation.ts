// Plays a conversation: `>` is typed, `<` must be the next line that person sees, `/` a later one, `~` skips what was sent,
// `.` says that nothing more was, `+` connects, `-` hangs up, `!` was hung up on. CONTRIBUTING.md tells the rest.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { TestClock } from './clock.ts'
import { KETTLE } from './operator.ts'
import { Person } from './person.ts'
import { type Rig, startRig, UNLIMITED } from './rig.ts'
import { newHome } from './rigs/bots.ts'

/** The whole text of one; `AT <time>` sets the clock by which its bots go. */
export async function play(script: string): Promise<void> {
  const { config, bots, files, lines } = prepared(script.replaceAll('{kettle}', KETTLE))
  using home = newHome()
  for (const [name, text] of files) writeFileSync(join(home.folder, name), text)
  const at = lines.flatMap(({ text }) => AT.exec(text)?.[1] ?? [])[0]
  const clock = at === undefined ? undefined : new TestClock(Date.parse(at))
  await using rig = await startRig({
    config: withUsual(config.replaceAll('{home}', home.folder)),
    bots,
    home,
    ...(clock ? { clock } : {}),
  })
  using ends = serverEnds()
  const people = new Map<string, Person>()
  const typists = new Set<Person>()
  const scene: Scene = { rig, clock, ends, people, typists, refs: new Map(), lastSaid: '' }
  try {
    for (const { text, number } of lines) {
      try {
        await step(text, scene)
      } catch (cause) {
        const around = lines.filter((each) => Math.abs(each.number - number) <= 4)
        const shown = around.map(
          (each) => `${each.number === number ? '-->' : '   '} ${each.number}  ${each.text}`,
        )
        throw new Error(`${shown.join('\n')}\n\n${(cause as Error).message}`, { cause })
      }
    }
  } finally {
    for (const person of people.values()) person[Symbol.dispose]()
  }
}

const USUAL = `${UNLIMITED}accounts: {password_cost: 4}\n`

/** With those of the usual settings that it does not make itself. */
function withUsual(config: string): string {
  const usual = USUAL.split(/(?<=\n)/).filter((line) => {
    const [setting = ''] = line.split(':')
    return !new RegExp(`^${setting}:`, 'm').test(config)
  })
  return config + usual.join('')
}

const AT = /^AT (\S+)$/

interface Scene {
  readonly rig: Rig
  readonly clock: TestClock | undefined
  readonly ends: ServerEnds
  readonly people: Map<string, Person>
  readonly typists: Set<Person>
  /** The batch that each has been opened last: `{ref}` is that one. */
  readonly refs: Map<Person, string>
  /** The msgid of the last message that somebody read: `{msgid}` in what is typed. */
  lastSaid: string
}

async function step(text: string, scene: Scene): Promise<void> {
  const [, word, about = '', more = ''] = /^(AT|POST|WRITE) (\S+)(?: (.*))?$/.exec(text) ?? []
  if (word !== undefined) {
    await settleOthers(scene.typists)
    return await happen(word, about, more, scene)
  }
  const parts = /^([\w-]+)\s+([<>~.!+/-])(?: (.*))?$/.exec(text)
  if (!parts) throw new Error(`cannot read "${text}"`)
  const [, name = '', sign = '', rest = ''] = parts
  if (sign === '+') return await connect(name, rest, scene)
  let person = scene.people.get(name)
  if (person === undefined) scene.people.set(name, (person = await Person.join(scene.rig.ircPort, name)))
  await act(person, sign, rest, scene)
}

/** What nobody in the conversation does. */
async function happen(word: string, about: string, more: string, { rig, clock }: Scene): Promise<void> {
  switch (word) {
    case 'AT':
      return clock?.moveTo(Date.parse(about))
    case 'POST': {
      const response = await fetch(`${rig.url}/${about}`, { method: 'POST', body: more })
      return assert.equal(response.status, 200, await response.text())
    }
    default:
      writeFileSync(join(rig.home.folder, about), `${more}\n`)
  }
}

/** `ann + message-tags batch`: connects with these capabilities; `ann +`: a connection that has said nothing. */
async function connect(name: string, caps: string, { rig, people }: Scene): Promise<void> {
  people.set(
    name,
    await (caps === '' ? Person.connect(rig.ircPort) : Person.join(rig.ircPort, name, { caps })),
  )
}

async function act(person: Person, sign: string, rest: string, scene: Scene): Promise<void> {
  switch (sign) {
    case '>':
      // Of two connections either may be read first: what somebody else typed before has been dealt with.
      await settleOthers(scene.typists, person)
      person.socket.write(typed(rest.replaceAll('{msgid}', scene.lastSaid)))
      scene.typists.add(person)
      return
    case '-':
      await settleOthers(scene.typists, person)
      scene.typists.delete(person)
      return await hangUp(person, scene.ends)
    case '/':
      return remember(scene, person, await skipTo(person, rest))
    case '<': {
      const line = await person.next()
      assert(line !== undefined, 'the server hung up')
      if (!pattern(rest, scene.refs.get(person)).test(line))
        assert.fail(`expected: ${rest}\narrived:  ${line}`)
      return remember(scene, person, line)
    }
    case '!':
      assert.deepEqual(await person.gone(), [], 'more came before the server hung up')
      return
    default: {
      const unread = await settleAll(scene.typists, person)
      if (sign === '.') assert.deepEqual(unread, [], 'more was sent')
    }
  }
}

/** Until the server has dealt with it, as with all that this person had typed. */
async function hangUp({ socket }: Person, ends: ServerEnds): Promise<void> {
  const { localPort } = socket
  socket.end()
  if (!socket.closed) await once(socket, 'close')
  const end = ends.of(localPort)
  // What the server does when it closes was asked for before this was.
  if (end !== undefined && !end.closed) await once(end, 'close')
}

interface ServerEnds extends Disposable {
  /** The server's end of the connection that has this port at ours. */
  of(port: number | undefined): Socket | undefined
}

/** The server runs in this process: its ends of the connections are here too. */
function serverEnds(): ServerEnds {
  const ends = new Map<number | undefined, Socket>()
  const remember = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    ends.set(socket.remotePort, socket)
  }
  subscribe('net.server.socket', remember)
  return {
    of: (port) => ends.get(port),
    [Symbol.dispose]: () => void unsubscribe('net.server.socket', remember),
  }
}

/** What later lines speak of. */
function remember(scene: Scene, person: Person, line: string): void {
  const said = /^@\S*msgid=(\w+)\S* \S+ (?:PRIVMSG|NOTICE|TAGMSG|BATCH) /.exec(line)?.[1]
  scene.lastSaid = said ?? scene.lastSaid
  const opened = / BATCH \+(\S+)/.exec(line)?.[1]
  if (opened !== undefined) scene.refs.set(person, opened)
}

/** Reads on to a line like this: past a long welcome, and for what comes when the disk has answered. */
async function skipTo(person: Person, text: string): Promise<string> {
  const wanted = pattern(text)
  const skipped: string[] = []
  for (;;) {
    const line = await person.next().catch(() => undefined)
    if (line === undefined) assert.fail(`expected: ${text}\narrived:  ${skipped.join('\n          ')}`)
    if (wanted.test(line)) return line
    skipped.push(line)
  }
}

/** A barrier, never a sleep: everybody who typed has been dealt with, then what this person has not read is all there is. */
async function settleAll(typists: Set<Person>, person: Person): Promise<string[]> {
  await settleOthers(typists, person)
  typists.clear()
  return person.settle()
}

async function settleOthers(typists: Set<Person>, person?: Person): Promise<void> {
  for (const each of typists) {
    if (each === person) continue
    each.putBack(await each.settle())
    typists.delete(each)
  }
}

/** What varies from run to run; the rest is exact. */
const VARYING: Readonly<Record<string, string>> = {
  host: String.raw`[\w.:]+`,
  server: 'spark',
  any: '.*',
  time: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`,
  unix: String.raw`\d{10}`,
  number: String.raw`\d+`,
  msgid: '[0-9a-z]{26}',
  delivery: 'd-[0-9a-z]+',
  ref: '[0-9a-z]+',
}

/** The bytes of a typed line: `\xff` is that byte, `{x*300}` three hundred x. */
function typed(text: string): Buffer {
  const parts = repeated(text).split(/\\x([0-9a-f]{2})/)
  return Buffer.concat([
    ...parts.map((part, i) => Buffer.from(part, i % 2 === 0 ? 'utf8' : 'hex')),
    Buffer.from('\r\n'),
  ])
}

function repeated(text: string): string {
  return text.replace(/\{([^{}*]+)\*(\d+)\}/g, (_, part: string, times: string) => part.repeat(Number(times)))
}

function pattern(text: string, openBatch?: string): RegExp {
  const parts = repeated(text)
    .replace(/\\x([01][0-9a-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .split(/\{(\w+)\}/)
  const escaped = parts.map((part, i) => {
    if (i % 2 === 0) return RegExp.escape(part)
    const known = part === 'ref' && !text.includes('BATCH +') ? (openBatch ?? VARYING[part]) : VARYING[part]
    if (known === undefined) throw new Error(`no such matcher: {${part}}`)
    return known
  })
  return new RegExp(`^${escaped.join('')}$`, 's')
}

interface Prepared {
  /** server.yaml */
  readonly config: string
  readonly bots: Record<string, string>
  /** Files of the home folder. */
  readonly files: readonly (readonly [string, string])[]
  readonly lines: readonly { text: string; number: number }[]
}

/** `@ server.yaml`, `@ ~/motd` and `@ <bot's name>` begin files, whose lines are indented by two; the rest is the conversation. */
function prepared(script: string): Prepared {
  const files = new Map<string, string>()
  const lines: { text: string; number: number }[] = []
  let file: string | undefined
  for (const [i, raw] of script.split('\n').entries()) {
    const opening = /^@ (\S+)$/.exec(raw)
    if (opening) files.set((file = opening[1] ?? ''), '')
    else if (file !== undefined && raw.startsWith('  '))
      files.set(file, `${files.get(file) ?? ''}${raw.slice(2)}\n`)
    else {
      file = undefined
      const text = raw.trim()
      if (text !== '' && !text.startsWith('#')) lines.push({ text, number: i + 1 })
    }
  }
  const config = files.get('server.yaml') ?? ''
  files.delete('server.yaml')
  const isOfHome = ([name]: readonly [string, string]) => name.startsWith('~/')
  return {
    config,
    bots: Object.fromEntries([...files].filter((each) => !isOfHome(each))),
    files: [...files].filter(isOfHome).map(([name, text]) => [name.slice(2), text]),
    lines,
  }
}
