// The history has what members heard, in the same order: whatever is said, done, renamed and redacted in between.
//   HOOKLINE_FUZZ_SEED=7 node --test packages/hookline/test/history-heard.test.ts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../src/irc/message.ts'
import { splitUserhost } from '../src/irc/names.ts'
import { Chance } from './fuzz/chance.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig } from './rig.ts'

const STEPS = 500
const SEED = Number(process.env['HOOKLINE_FUZZ_SEED'] ?? 1)
const PEOPLE = 5
const CHANNELS = ['#a', '#b', '#c']
const CAPS =
  'batch message-tags server-time echo-message extended-join draft/chathistory draft/event-playback draft/message-redaction draft/channel-rename'
const BOT = 'bot: {name: spark-ori-ci, owner: spark-ori}\noutput: {channels: ["#a"], template: "{text}"}\n'

test(`after ${STEPS} steps every member finds what it heard since its JOIN in the history, and nothing else`, async () => {
  await using rig = await startRig({ bots: { 'spark-ori-ci': BOT } })
  const chance = new Chance(SEED)
  const people: Listener[] = []
  for (let i = 0; i < PEOPLE; i++) people.push(await Listener.connect(rig.ircPort, `p${i}`))
  for (const each of people) await each.type(`JOIN ${CHANNELS.join(',')}`)
  let compared = 0
  for (let step = 1; step <= STEPS; step++) {
    const place = chance.below(PEOPLE)
    if (chance.isHit(6)) await post(`${rig.url}/spark-ori-ci`, JSON.stringify({ text: `delivery ${step}` }))
    else if (chance.isHit(1)) {
      await people[place]?.quit()
      people[place] = await Listener.connect(rig.ircPort, `q${step}`)
    } else await people[place]?.type(someLine(chance, people, step))
    await Promise.all(people.map((each) => each.listen()))
    if (step % 50 === 0) for (const each of people) compared += await each.compare()
  }
  assert.ok(compared > 2 * STEPS, `only ${compared} lines were compared`)
})

function someLine(chance: Chance, people: readonly Listener[], step: number): string {
  const channel = chance.pick([...(people[0]?.places.keys() ?? []), ...CHANNELS])
  const { nick } = chance.pick(people)
  const said = chance.pick(people).lastSaid
  return chance.pick([
    `JOIN ${CHANNELS.join(',')}`,
    `JOIN ${channel}`,
    `PART ${channel} :bye`,
    ...[1, 2, 3, 4].map((copy) => `PRIVMSG ${channel} :${step} ☕ ${'x'.repeat(copy * 150)}`),
    `NOTICE ${channel} :${step}`,
    `@+draft/react=☕ TAGMSG ${channel}`,
    `TOPIC ${channel} :${step}`,
    `MODE ${channel} ${chance.pick(['+o', '-o', '+v', '+h'])} ${nick}`,
    `MODE ${channel} ${chance.pick(['+s', '-s', '+m', '-m', '+b *!*@x', '-b *!*@x'])}`,
    `KICK ${channel} ${nick} :${step}`,
    `NICK n${step}`,
    `REDACT ${said?.channel ?? channel} ${said?.id ?? 'none'}`,
    step % 8 === 0 ? `RENAME ${channel} #r${step}` : `AWAY :${step}`,
  ])
}

interface Line {
  readonly id: string
  readonly time: string
  /** Without the name of the channel, which it may no longer have. */
  readonly text: string
}

interface Place {
  readonly members: Set<string>
  /** Heard there since the JOIN. */
  lines: Line[]
}

/** A client with its own idea of where it is, who else is there, and what it heard. */
class Listener {
  readonly places = new Map<string, Place>()
  nick: string
  lastSaid: { readonly channel: string; readonly id: string } | undefined
  readonly #person: Person

  private constructor(person: Person, nick: string) {
    this.#person = person
    this.nick = nick
  }

  static async connect(port: number, nick: string): Promise<Listener> {
    return new Listener(await Person.join(port, nick, { caps: CAPS }), nick)
  }

  async type(line: string): Promise<void> {
    this.#person.type(line)
    await this.listen()
  }

  async quit(): Promise<void> {
    this.#person.type('QUIT')
    await this.#person.gone()
  }

  async listen(): Promise<void> {
    for (const line of await this.#person.settle()) this.#note(line)
  }

  /** Returns how many lines were compared. */
  async compare(): Promise<number> {
    let compared = 0
    for (const [channel, { lines }] of this.places) {
      const past = await this.#history(channel)
      const since = past.findIndex(({ id }) => id === lines[0]?.id)
      assert.deepEqual(past.slice(since), lines, `seed ${SEED}: ${channel}, as ${this.nick} heard it`)
      compared += lines.length
    }
    return compared
  }

  async #history(channel: string): Promise<Line[]> {
    const past: Line[] = []
    for (let before = '*'; ; before = `msgid=${past[0]?.id}`) {
      this.#person.type(`CHATHISTORY BEFORE ${channel} ${before} 100`)
      const page = (await this.#person.settle()).flatMap((line) => read(line) ?? [])
      past.unshift(...page)
      if (page.length < 100) return past
    }
  }

  #note(text: string): void {
    const { source = '', command, params } = parse(text) ?? assert.fail(text)
    const [first = '', second = '', third = '', names = ''] = params
    const who = splitUserhost(source).nick
    if (command === 'JOIN' && who === this.nick) this.places.set(first, { members: new Set(), lines: [] })
    const line = read(text)
    // NICK and QUIT are heard wherever that user is.
    const where = SERVER_WIDE.has(command)
      ? [...this.places.values()].filter(({ members }) => members.has(who))
      : [this.places.get(first)]
    if (line !== undefined) for (const place of where) place?.lines.push(line)
    switch (command) {
      case 'JOIN':
        return void this.places.get(first)?.members.add(who)
      case '353':
        for (const name of names.split(' '))
          this.places.get(third)?.members.add(name.replace(/^[~&@%+]+/, ''))
        return
      case 'PART':
        return this.#left(first, who)
      case 'KICK':
        return this.#left(first, second)
      case 'QUIT':
        for (const place of where) place?.members.delete(who)
        return
      case 'NICK':
        for (const place of where) if (place?.members.delete(who)) place.members.add(first)
        if (who === this.nick) this.nick = first
        return
      case 'PRIVMSG':
        if (line !== undefined) this.lastSaid = { channel: first, id: line.id }
        return
      case 'REDACT':
        for (const place of this.places.values()) place.lines = place.lines.filter(({ id }) => id !== second)
        return
      case 'RENAME': {
        const place = this.places.get(first) ?? assert.fail(text)
        this.places.delete(first)
        this.places.set(second, place)
      }
    }
  }

  #left(channel: string, nick: string): void {
    if (nick === this.nick) this.places.delete(channel)
    else this.places.get(channel)?.members.delete(nick)
  }
}

/** What the history would have; undefined for anything else. */
function read(text: string): Line | undefined {
  const { tags, source, command, params } = parse(text) ?? assert.fail(text)
  const id = tags.get('msgid')
  if (id === undefined || !RECORDED.has(command)) return undefined
  // A bot's joins are not in the history.
  if (command === 'JOIN' && tags.has('bot')) return undefined
  const said = [...params.slice(SERVER_WIDE.has(command) ? 0 : 1), tags.get('+draft/react') ?? '']
  return { id, time: tags.get('time') ?? '', text: [source, command, ...said].join(' ') }
}

const SERVER_WIDE: ReadonlySet<string> = new Set(['NICK', 'QUIT'])
const RECORDED: ReadonlySet<string> = new Set([
  ...SERVER_WIDE,
  'JOIN',
  'KICK',
  'MODE',
  'NOTICE',
  'PART',
  'PRIVMSG',
  'TAGMSG',
  'TOPIC',
])
