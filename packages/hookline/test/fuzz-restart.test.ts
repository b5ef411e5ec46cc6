// People type what must last, the server stops or is killed, and after the next start everything is as it was. The same seed types
// the same.
//   HOOKLINE_ROUNDS=40 HOOKLINE_FUZZ_SEED=7 node --test packages/hookline/test/fuzz-restart.test.ts
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Home } from '../src/home/home.ts'
import { fold } from '../src/irc/names.ts'
import { startCommand } from './command.ts'
import { Chance } from './fuzz/chance.ts'
import { Guest } from './fuzz/guest.ts'
import { CONFIRM, MESSAGE, PEOPLE, PLACES, SECRETS, someLastingLine } from './fuzz/lastinglines.ts'
import { look, type View, withoutMarkers } from './fuzz/look.ts'
import { HERE, ME } from './fuzz/words.ts'
import { BECOME_OPERATOR, OPERATOR } from './operator.ts'
import { Person } from './person.ts'
import { startRig } from './rig.ts'
import { newHome } from './rigs/bots.ts'
import { ROUNDS } from './rounds.ts'

const SEED = Number(process.env['HOOKLINE_FUZZ_SEED'] ?? 1)
const RESTARTS = 3
const LINES = 150

/** Differing from home to home in what changes who stays, and what is called the same. */
function someConfig(chance: Chance): string {
  return `${OPERATOR}limits: {flood_protection: false}
logging: {level: error}
server: {casemapping: ${chance.pick(['ascii', 'ascii', 'precis'])}}
accounts:
  always_on: ${chance.pick(['opt_in', 'opt_in', 'opt_out', 'mandatory'])}
  multiclient: ${chance.pick(['true', 'false'])}
  password_cost: 4
  sasl_mechanisms: [PLAIN]
  failures_per_minute: 1000
metadata: {changes_per_minute: 1000}
`
}

test(
  `${ROUNDS} home(s), ${RESTARTS} restarts of each: what lasts is the same`,
  { timeout: 900_000 },
  async (t) => {
    const endings: string[] = []
    for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
      using home = newHome()
      const crowd = new Crowd(seed)
      try {
        endings.push(...(await live(home, crowd)))
      } catch (error) {
        assert.fail(story(seed, crowd, error as Error))
      }
    }
    t.diagnostic(endings.join(', '))
  },
)

/** One home, through all its restarts. Returns how each server ended. */
async function live(home: Home, crowd: Crowd): Promise<string[]> {
  const endings: string[] = []
  let before: View | undefined
  let isCrowded = false
  let wasKilled = false
  for (let restart = 0; restart <= RESTARTS; restart++) {
    const isKilled = crowd.chance.isHit(35)
    await using server = isKilled ? await child(home, crowd) : await inside(home, crowd)
    if (before !== undefined) {
      const seen = await look(server.port, crowd.secrets, { isCrowded })
      const after: View = wasKilled ? withoutMarkers(seen) : seen
      if (!isDeepStrictEqual(after, before)) assert.fail(difference(endings.at(-1) ?? '', before, after))
    }
    if (restart === RESTARTS) break
    crowd.typed.length = 0
    await crowd.type(server.port)
    isCrowded = crowd.chance.isHit(30)
    if (!isCrowded) await crowd.leave()
    before = await look(server.port, crowd.secrets, { isCrowded })
    if (isKilled) before = withoutMarkers(before)
    wasKilled = isKilled
    endings.push(`${isKilled ? 'killed' : 'stopped'}${isCrowded ? ' with people in it' : ''}`)
    await server.end()
    await crowd.vanish()
  }
  return endings
}

interface Running extends AsyncDisposable {
  readonly port: number
  end(): Promise<void>
}

async function inside(home: Home, crowd: Crowd): Promise<Running> {
  const rig = await startRig({
    home,
    config: crowd.config,
    machine: () => Date.now() + crowd.ahead,
  })
  return {
    port: rig.ircPort,
    end: async () => rig[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: async () => rig[Symbol.asyncDispose](),
  }
}

/** Killed at its end. */
async function child(home: Home, crowd: Crowd): Promise<Running> {
  writeFileSync(home.config, crowd.config)
  const started = await startCommand(home)
  return {
    port: started.ircPort,
    async end() {
      await reachDisk(started.ircPort)
      await started[Symbol.asyncDispose]()
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

/** A ban is answered once it is on disk, and everything is written in order. The first may begin while more is being gathered. */
async function reachDisk(port: number): Promise<void> {
  using root = await Person.join(port, 'root')
  root.type(BECOME_OPERATOR)
  for (const does of ['ADD', 'DEL', 'ADD', 'DEL']) {
    root.type(`UBAN ${does} 198.51.100.1`)
    await root.settle()
  }
}

class Crowd {
  readonly chance: Chance
  readonly config: string
  readonly secrets = [...SECRETS]
  /** Since the last start. */
  readonly typed: string[] = []
  /** Ms by which the time is ahead: a channel can be renamed once a minute. */
  ahead = 0
  readonly #guests = new Map<string, Guest>()

  constructor(seed: number) {
    this.chance = new Chance(seed)
    this.config = someConfig(this.chance)
  }

  /** Each line when the one before it has been answered. */
  async type(port: number): Promise<void> {
    for (let i = 0; i < LINES; i++) {
      const nick = this.chance.pick(PEOPLE)
      if (this.chance.isHit(8)) this.ahead += 61_000
      const line = someLastingLine(this.chance)
      const guest = await this.#guest(port, nick)
      const text = filledIn(Buffer.from(line).toString('latin1'), guest, this.chance)
      this.typed.push(`${nick} > ${text}`)
      guest.send(Buffer.from(`${text}\r\n`, 'latin1'))
      await guest.settle()
      if (guest.token !== undefined && !this.secrets.includes(guest.token)) this.secrets.push(guest.token)
    }
  }

  async #guest(port: number, nick: string): Promise<Guest> {
    const here = this.#guests.get(nick)
    if (here?.isOpen === true) return here
    here?.check()
    const login = Buffer.from(`\0${nick}\0${this.chance.pick(SECRETS)}`).toString('base64')
    const hello = ['CAP LS 302', `CAP REQ :${CAPS}`, 'AUTHENTICATE PLAIN', `AUTHENTICATE ${login}`]
    if (this.chance.isHit(30)) hello.splice(2)
    hello.push(`NICK ${nick}`, `USER ${nick} 0 * :${nick}`, 'CAP END')
    if (this.chance.isHit(40)) hello.push('NS REGISTER right')
    if (this.chance.isHit(30)) hello.push(BECOME_OPERATOR)
    if (this.chance.isHit(70)) hello.push(`JOIN ${this.chance.pick(PLACES)}`)
    this.typed.push(`${nick} connects: ${hello.slice(2).join(' ⏎ ')}`)
    const guest = await Guest.connect(port, hello)
    this.#guests.set(nick, guest)
    await guest.settle()
    return guest
  }

  async leave(): Promise<void> {
    for (const guest of this.#guests.values()) await guest.leave()
    await this.vanish()
  }

  async vanish(): Promise<void> {
    for (const guest of this.#guests.values()) {
      guest.check()
      if (!guest.socket.closed) await once(guest.socket.destroy(), 'close')
    }
    this.#guests.clear()
  }
}

const CAPS =
  'sasl batch message-tags echo-message draft/read-marker draft/metadata-3 draft/message-redaction draft/channel-rename'

/** What its client knows: who it is, a channel that it is in, and what it heard. */
function filledIn(text: string, { eye, confirmation, message }: Guest, chance: Chance): string {
  const latin1 = (word: string) => Buffer.from(word).toString('latin1')
  const there = [...eye.channels.keys()]
  const ranked = there.filter((name) => /[~&@%]/.test(eye.channels.get(name)?.get(fold(eye.nick)) ?? ''))
  const here = chance.pick(ranked.length > 0 ? ranked : there.length > 0 ? there : ['#a'])
  return text
    .replaceAll(ME, latin1(eye.nick))
    .replaceAll(HERE, latin1(here))
    .replace(CONFIRM, confirmation ?? 'PING x')
    .replace(MESSAGE, message ?? '#a x')
}

function story(seed: number, { typed }: Crowd, { message, stack }: Error): string {
  const again = `again: HOOKLINE_FUZZ_SEED=${seed} node --test packages/hookline/test/fuzz-restart.test.ts`
  return [`seed ${seed}: ${message}`, 'typed since the start before:', ...typed, again, stack ?? ''].join(
    '\n',
  )
}

function difference(ending: string, before: View, after: View): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const lines = names.flatMap((name) => {
    const [was, is] = [before[name] ?? ['nothing'], after[name] ?? ['nothing']]
    const lost = was.filter((line) => !is.includes(line)).map((line) => `  - ${line}`)
    const gained = is.filter((line) => !was.includes(line)).map((line) => `  + ${line}`)
    return isDeepStrictEqual(was, is) ? [] : [name, ...lost, ...gained]
  })
  return [`the server was ${ending}, and after the start something is not as it was`, ...lines].join('\n')
}
