// The Lounge: its own server is the client, and this test the browser.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from './patience.ts'
import { isSeen, openPlace } from './place.ts'
import { Program } from './program.ts'
import { visit } from './visit.ts'

// What is installed for these tests alone is not there when types are checked.
const require = createRequire(import.meta.url)
const { version } = require('thelounge/package.json') as { version: string }
const { io } = require('socket.io-client') as { io: (url: string, options?: object) => Connection }

/** As much of a socket.io client as is needed. */
interface Connection {
  onAny(listen: (event: string, about?: About) => void): void
  emit(event: string, data: object): void
  close(): void
}

const launcher = fileURLToPath(new URL('thelounge.cjs', import.meta.url))

test('The Lounge joins, shows what is said and what a webhook says, and comes back', async () => {
  isSeen('The Lounge', version)
  await using place = await openPlace()
  writeFileSync(join(place.home, 'config.js'), place.settings('thelounge').join('\n'))
  await visit(place, async () => {
    const ways = { home: place.home, env: { THELOUNGE_HOME: place.home } }
    const program = place.use(Program.start(process.execPath, [launcher, '-c', 'port=0', 'start'], ways))
    const [, url = ''] = await program.prints(/Available at (\S+)/)
    const browser = place.use(
      await Browser.open(url, JSON.parse(place.settings('thelounge-form').join('')) as object),
    )
    return {
      say: (text) => browser.say('#builds', text),
      // By itself it does so only after five seconds of being connected, and waits up to seven more.
      comesBack: () => browser.say('Hookline', '/connect'),
      hears: (nick, text) => browser.shows(nick, text),
    }
  })
})

/** The page of The Lounge, as far as it is needed: what it is told through its socket, and what it sends. */
class Browser implements Disposable {
  readonly #socket: Connection
  readonly #told: Told[] = []

  private constructor(url: string) {
    this.#socket = io(url, { transports: ['websocket'], reconnection: false })
    this.#socket.onAny((event: string, about: About = {}) => this.#told.push({ event, about }))
  }

  /** Fills in the form that asks for a nick. */
  static async open(url: string, form: object): Promise<Browser> {
    const browser = new Browser(url)
    await browser.#until(({ event }) => event === 'init')
    browser.#socket.emit('network:new', form)
    return browser
  }

  async say(channel: string, text: string): Promise<void> {
    const { about } = await this.#until(({ event }) => event === 'network')
    const found = about.network?.channels.find(({ name }) => name === channel)
    this.#socket.emit('input', { target: found?.id, text })
  }

  async shows(nick: string, text: string): Promise<void> {
    await this.#until(
      ({ event, about: { msg } }) => event === 'msg' && msg?.from.nick === nick && msg.text === text,
    )
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }

  async #until(is: (told: Told) => boolean): Promise<Told> {
    return await until(
      () => this.#told.find(is),
      () => `not among what it was told:\n${this.#told.map((each) => JSON.stringify(each)).join('\n')}`,
    )
  }
}

interface Told {
  readonly event: string
  readonly about: About
}

interface About {
  readonly network?: { readonly channels: readonly { readonly id: number; readonly name: string }[] }
  readonly msg?: { readonly from: { readonly nick: string }; readonly text: string }
}
