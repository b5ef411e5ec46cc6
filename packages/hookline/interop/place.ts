// Where clients of others meet: a server with a bot, somebody who is already there, and a cable that may be pulled.
// Each client is set up as docs/clients.md says, word for word; only ports and folders are of this place.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { makeCertificate } from '../test/certificates.ts'
import { blocksOf, tableOf } from '../test/docs.ts'
import { newFolder } from '../test/folder.ts'
import { Person } from '../test/person.ts'
import { post } from '../test/post.ts'
import { type Rig, startRig } from '../test/rig.ts'
import { newHome } from '../test/rigs/bots.ts'
import { Cable } from './cable.ts'

export const BOT = 'spark-ori-ci'

export interface Place extends AsyncDisposable {
  readonly rig: Rig
  /** In #builds, and sees accounts. */
  readonly bob: Person
  /** All cables are one to whoever stumbles over them. */
  readonly cables: Pick<Cable, 'pull' | 'putBack'>
  /** Of the client; it is gone with the place. */
  readonly home: string
  /** Of the server. */
  readonly certificate: string
  /** Ends it with the place. */
  readonly use: <T extends Disposable | AsyncDisposable>(guest: T) => T
  /** A client's settings, from the page. */
  readonly settings: (client: string) => readonly string[]
  /** The bot says `build: <conclusion>`. */
  readonly build: (conclusion: string) => Promise<void>
}

export async function openPlace(): Promise<Place> {
  await using stack = new AsyncDisposableStack()
  const own = stack.use(newHome())
  const { cert, key } = makeCertificate(own.folder, 'own')
  const config = [...theBlock('server'), 'logging: {level: error}']
    .join('\n')
    .replace('fullchain.pem', cert)
    .replace('privkey.pem', key)
    .replace(/port: 6697/, 'port: 0')
  const rig = stack.use(await startRig({ home: own, config, bots: { [BOT]: theBlock('bot').join('\n') } }))
  const bob = stack.use(await Person.join(rig.ircPort, 'bob', { caps: 'extended-join account-tag' }))
  bob.type('JOIN #builds')
  await bob.settle()
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type(raw(theBlock('account')), 'QUIT')
  await ann.until(/ 900 ann /)
  await ann.gone()
  const plain = stack.use(await Cable.lay(rig.ircPort))
  const tls = stack.use(await Cable.lay(Number.parseInt(rig.server.irc[1]?.split(':')[1] ?? '', 10)))
  const home = stack.use(newFolder()).path
  const all = stack.move()
  return {
    rig,
    bob,
    home,
    certificate: cert,
    cables: {
      pull: () => [plain, tls].forEach((cable) => cable.pull()),
      putBack: () => [plain, tls].forEach((cable) => cable.putBack()),
    },
    use: (guest) => all.use(guest),
    settings: (client) =>
      theBlock(client).map((line) =>
        line
          .replaceAll('6667', String(plain.port))
          .replaceAll('6697', String(tls.port))
          .replace('fullchain.pem', cert),
      ),
    build: async (conclusion) => {
      const { status } = await post(`${rig.url}/${BOT}`, { workflow: 'build', conclusion })
      assert.equal(status, 200)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Why a test is skipped, or false. In CI nothing is: what is not there fails. */
export function unlessInstalled(...commands: readonly string[]): string | false {
  const missing = commands.filter((command) => spawnSync('which', [command]).status !== 0)
  if (missing.length === 0) return false
  assert.notEqual(process.env['CI'], 'true', `CI has no ${missing.join(' and ')}`)
  return `install ${missing.join(' and ')} to run it`
}

/** Of a package of Debian, without what Debian counts: 2.1 of 2.1-1+b3. */
export function debianVersion(name: string): string | undefined {
  const { error, status, stdout } = spawnSync('dpkg-query', ['--show', '--showformat', '${Version}', name])
  return error || status !== 0 ? undefined : String(stdout).replace(/-[^-]*$/, '')
}

/** One that nobody had a moment ago, for a client that listens too and does not say where. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The page says which version it speaks of; where there is no Debian, any will do. */
export function isSeen(client: string, version: string | undefined): void {
  if (version === undefined) return
  const row = tableOf('clients', 'client').find(([name]) => name === client)
  assert.equal(
    row?.[1],
    version,
    `docs/clients.md speaks of another ${client}; look again, and say what was seen`,
  )
}

/** What a client sends when that is typed into it. */
export function raw(lines: readonly string[]): string {
  return lines
    .join('\r\n')
    .replace('/quote ', '')
    .replace(/\/msg (\S+) /, 'PRIVMSG $1 :')
}

/** By the word behind its language: `text irssi`. */
function theBlock(name: string): readonly string[] {
  const block = blocksOf('clients').find(({ info }) => info.split(' ')[1] === name)
  return block?.lines ?? assert.fail(`clients.md has no block ${name}`)
}
