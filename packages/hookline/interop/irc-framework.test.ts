// irc-framework, the client library beneath The Lounge and Kiwi IRC, against our server.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { post } from '../test/post.ts'
import { startRig } from '../test/rig.ts'
import { until } from './patience.ts'
import { isSeen, openPlace } from './place.ts'
import { visit } from './visit.ts'

/** What this test uses of it; the package has no types. */
interface Client extends EventEmitter {
  connect(options?: object): void
  join(channel: string): void
  say(target: string, text: string): void
  quit(reason: string): void
  whois(nick: string, done: (about: Whois) => void): void
  who(target: string, done: (about: { users: readonly Who[] }) => void): void
}

interface Message {
  readonly nick: string
  readonly target: string
  readonly message: string
  readonly tags: Readonly<Record<string, string>>
  /** From the tag `time`, in ms. */
  readonly time: number
}

interface UserList {
  readonly channel: string
  readonly users: readonly { readonly nick: string; readonly modes: readonly string[] }[]
}

interface Who {
  readonly nick: string
  readonly real_name: string
  readonly bot?: boolean
}

interface Whois {
  readonly nick: string
  readonly real_name: string
  readonly channels: string
  readonly bot?: string | boolean
}

const require = createRequire(import.meta.url)
const { Client } = require('irc-framework') as { Client: new () => Client }
const { version } = require('irc-framework/package.json') as { version: string }

const bot = 'spark-ori-ci'
const files = {
  [bot]: `bot: {name: ${bot}, owner: spark-ori, description: CI results}
output: {channels: ["#builds"], template: "{body.workflow}: {body.conclusion}"}
`,
}

test('a foreign client registers, joins, and sees what a webhook said, with its tags', async () => {
  await using rig = await startRig({ bots: files })
  await using ann = await connect(rig.ircPort, 'ann')
  await join(ann.client, '#builds')
  const heard = next<Message>(ann.client, 'message')
  const before = Date.now()
  const { status } = await post(`${rig.url}/${bot}`, { workflow: 'build', conclusion: 'success' })
  assert.equal(status, 200)
  const { nick, target, message, tags, time } = await heard
  assert.deepEqual([nick, target, message], [bot, '#builds', 'build: success'])
  assert.match(tags['msgid'] ?? '', /^[0-9a-z]{26}$/)
  assert.ok('bot' in tags, 'https://ircv3.net/specs/extensions/bot-mode: the tag bot')
  assert.ok(time >= before && time <= Date.now(), tags['time'])
})

test('it sees the bot in NAMES, WHO and WHOIS', async () => {
  await using rig = await startRig({ bots: files })
  await using ann = await connect(rig.ircPort, 'ann')
  const { users } = await join(ann.client, '#builds')
  assert.deepEqual(
    new Map(users.map(({ nick, modes }) => [nick, modes])),
    new Map([
      ['ann', ['o']],
      [bot, ['v']],
    ]),
    'a bot founds no channel: the first person has it',
  )
  const { promise: asked, resolve: who } = Promise.withResolvers<{ users: readonly Who[] }>()
  ann.client.who('#builds', who)
  const found = (await asked).users.find(({ nick }) => nick === bot)
  assert.equal(found?.real_name, 'CI results')
  const { promise, resolve: whois } = Promise.withResolvers<Whois>()
  ann.client.whois(bot, whois)
  const about = await promise
  assert.deepEqual([about.nick, about.real_name, about.channels.trim()], [bot, 'CI results', '+#builds'])
  assert.ok(about.bot, '335')
})

test('two of them talk, and hear themselves only once', async () => {
  await using rig = await startRig({ bots: files })
  await using ann = await connect(rig.ircPort, 'ann')
  await using bob = await connect(rig.ircPort, 'bob')
  await join(ann.client, '#tea')
  await join(bob.client, '#tea')
  const atBob = next<Message>(bob.client, 'message')
  ann.client.say('#tea', 'the kettle is on ☕')
  const { nick, message } = await atBob
  assert.deepEqual([nick, message], ['ann', 'the kettle is on ☕'])
})

test('it logs in, chats, sees a webhook, and comes back to what was said meanwhile', async () => {
  isSeen('irc-framework', version)
  await using place = await openPlace()
  const client = new Client()
  const shown: Message[] = []
  client.on('message', (message: Message) => shown.push(message))
  runInNewContext(place.settings('irc-framework').join('\n'), { client })
  place.use({
    async [Symbol.asyncDispose]() {
      const closed = next(client, 'close')
      client.quit('bye')
      await closed
    },
  })
  await visit(place, async () => ({
    say: async (text) => client.say('#builds', text),
    hears: async (nick, text) => {
      await until(() => shown.some((each) => each.nick === nick && each.message === text))
    },
    // By itself it does so only after five seconds of being connected, and waits up to seven more.
    comesBack: async () => client.connect(),
  }))
})

async function connect(port: number, nick: string): Promise<AsyncDisposable & { readonly client: Client }> {
  const client = new Client()
  const registered = next(client, 'registered')
  client.connect({ host: '127.0.0.1', port, nick, username: nick, gecos: nick, auto_reconnect: false })
  await registered
  return {
    client,
    async [Symbol.asyncDispose]() {
      const closed = next(client, 'close')
      client.quit('bye')
      await closed
    },
  }
}

async function join(client: Client, channel: string): Promise<UserList> {
  const list = next<UserList>(client, 'userlist')
  client.join(channel)
  return await list
}

/** The next event of that name; a test that waits for what never comes ends here. */
async function next<T>(client: Client, event: string): Promise<T> {
  const [first] = (await once(client, event, { signal: AbortSignal.timeout(60_000) })) as [T]
  return first
}
