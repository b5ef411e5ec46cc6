// docs/network.md: a server starts with each of its settings, its conversations are played, its page connects, its commands are typed.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { isPasswordHash, verify } from '../src/accounts/passwords.ts'
import { loadConfig } from '../src/config/config.ts'
import { makeCertificate } from './certificates.ts'
import { play } from './conversation.ts'
import { type Block, blocksOf, playPage, typeCommands } from './docs.ts'
import { startRig, temporaryHome } from './rig.ts'
import { newHome } from './rigs/bots.ts'
import { emptyHome, runInShell } from './shell.ts'

const page = 'network'

test('every example of the page does what the page says', async () => {
  let settings: readonly string[] | undefined
  const above = () => settings ?? assert.fail('no settings above it')
  await playPage(page, {
    'yaml server': ({ lines }) => start((settings = lines)),
    conversation: ({ lines }) =>
      play(['@ server.yaml', ...above().map((line) => `  ${line}`), ...lines].join('\n')),
    'js page': (block) => open(block, above()),
    console: type,
    sh: copyCertificate,
    // A real one is started with it in interop/nginx.test.ts.
    nginx: ({ lines }) => assert.match(lines.join('\n'), /X-Forwarded-For/),
  })
})

test('the hash that the page creates matches its password', async (t) => {
  const home = temporaryHome(t)
  const block = blocksOf(page).find(({ lines }) => lines[0]?.includes('hash-password'))
  const printed = await runInShell(block?.lines[0]?.slice(2) ?? '', home.folder)
  const hash = printed.match(/^password_hash: "(.*)"$/m)?.[1] ?? ''
  assert.ok(isPasswordHash(hash), hash)
  assert.ok(await verify(hash, 'a long password'))
  assert.ok(!(await verify(hash, 'a long passwort')))
})

test('the limits that the page calls defaults are the defaults', (t) => {
  const home = temporaryHome(t)
  const read = loadConfig({ home, flags: {}, env: {} })
  assert.ok(read.ok)
  const block = blocksOf(page).find(({ lines }) => lines[0] === 'limits:')
  const named = block?.lines.flatMap((line) => {
    const [, name, number] = /^ {2}(\w+): (\d+)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, Number(number)] as const]
  })
  assert.equal(named?.length, 4)
  const { limits } = read.config
  for (const [name, value] of named ?? []) assert.equal(limits[name as keyof typeof limits], value, name)
})

/** With certificates that there are. */
async function start(settings: readonly string[]): Promise<void> {
  using home = newHome()
  const { cert, key } = makeCertificate(home.folder, 'own')
  const config = onFreePorts(settings)
    .replaceAll('/etc/hookline/fullchain.pem', cert)
    .replaceAll('/etc/hookline/privkey.pem', key)
  await using _rig = await startRig({ home, config })
}

/** As it is written, on this machine alone. */
function onFreePorts(settings: readonly string[]): string {
  const here = settings.join('\n').replaceAll('host: 0.0.0.0', 'host: 127.0.0.1')
  return `${here.replaceAll(/\bport: \d+$/gm, 'port: 0')}\nlogging: {level: error}\n`
}

/** The page's own lines, without TLS: Node's client would not believe a certificate that nobody signed. */
async function open(block: Block, settings: readonly string[]): Promise<void> {
  const config = onFreePorts(settings.filter((line) => !line.includes('tls:')))
  await using rig = await startRig({ config })
  const { promise: welcomed, resolve } = Promise.withResolvers<void>()
  const log = (line: string) => void (line.startsWith(':spark 001 ann ') && resolve())
  const script = block.lines
    .join('\n')
    .replace('wss://irc.example.org:8097', `ws://127.0.0.1:${rig.secondPort}`)
  const late = setTimeout(() => resolve(), 60_000)
  runInNewContext(script, { WebSocket, console: { log } })
  await welcomed
  clearTimeout(late)
  assert.equal(rig.server.counts().users, 1)
}

/** As certbot would run it; only the user is of this machine. */
async function copyCertificate({ lines }: Block): Promise<void> {
  using home = newHome()
  const { cert, key } = makeCertificate(home.folder, 'own')
  cpSync(cert, join(home.folder, 'fullchain.pem'))
  cpSync(key, join(home.folder, 'privkey.pem'))
  mkdirSync(join(home.folder, 'to'))
  const script = lines
    .join('\n')
    .replaceAll('-o hookline ', '')
    .replaceAll('/etc/hookline', `${home.folder}/to`)
    .replaceAll('/etc/letsencrypt/live/irc.example.org', home.folder)
  await runInShell(`RENEWED_LINEAGE='${home.folder}'; export RENEWED_LINEAGE\n${script}`, home.folder)
  assert.equal(readFileSync(join(home.folder, 'to/privkey.pem'), 'utf8'), readFileSync(key, 'utf8'))
  assert.equal(statSync(join(home.folder, 'to/privkey.pem')).mode & 0o777, 0o400)
}

async function type(block: Block): Promise<void> {
  await using home = emptyHome()
  await typeCommands(block, { home })
}
