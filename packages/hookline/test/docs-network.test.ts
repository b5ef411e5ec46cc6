// docs/network.md: a server starts with each of its settings, its conversations are played, its page connects, its commands are typed.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { isPasswordHash, verify } from '../src/accounts/passwords.ts'
import { loadConfig } from '../src/config/config.ts'
import { makeCertificate } from './certificates.ts'
import { play } from './conversation.ts'
import { type Block, blocksOf } from './docs.ts'
import { startRig, temporaryHome } from './rig.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'

const page = 'network'

test('every example of the page does what the page says', async () => {
  let settings: readonly string[] | undefined
  for (const block of blocksOf(page)) {
    switch (block.info) {
      case 'yaml server':
        settings = block.lines
        await start(settings)
        break
      case 'conversation':
        assert.ok(settings, `${page}.md:${block.line}: no settings to talk under`)
        await play(['@ server.yaml', ...settings.map((line) => `  ${line}`), ...block.lines].join('\n'))
        break
      case 'js page':
        assert.ok(settings, `${page}.md:${block.line}: no settings to connect under`)
        await open(block, settings)
        break
      case 'console':
        await type(block)
        break
      default:
        assert.fail(`${page}.md:${block.line}: nobody knows what to do with ${block.info}`)
    }
  }
})

test('the hash that the page creates matches its password', async () => {
  const home = temporaryHome()
  const block = blocksOf(page).find(({ lines }) => lines[0]?.includes('hash-password'))
  const printed = await runInShell(block?.lines[0]?.slice(2) ?? '', home.folder)
  const hash = printed.match(/^password_hash: "(.*)"$/m)?.[1] ?? ''
  rmSync(home.folder, { recursive: true })
  assert.ok(isPasswordHash(hash), hash)
  assert.ok(await verify(hash, 'a long password'))
  assert.ok(!(await verify(hash, 'a long passwort')))
})

test('the limits that the page calls defaults are the defaults', () => {
  const home = temporaryHome()
  const read = loadConfig({ home, flags: {}, env: {} })
  rmSync(home.folder, { recursive: true })
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
  const home = temporaryHome()
  const { cert, key } = makeCertificate(home.folder, 'own')
  const config = onFreePorts(settings)
    .replaceAll('/etc/hookline/fullchain.pem', cert)
    .replaceAll('/etc/hookline/privkey.pem', key)
  const rig = await startRig({ home, config })
  await rig[Symbol.asyncDispose]()
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
  const port = rig.server.irc[1]?.split(/[: ]/)[1]
  const { promise: welcomed, resolve } = Promise.withResolvers<void>()
  const log = (line: string) => void (line.startsWith(':spark 001 ann ') && resolve())
  const script = block.lines.join('\n').replace('wss://irc.example.org:8097', `ws://127.0.0.1:${port}`)
  const late = setTimeout(() => resolve(), 60_000)
  runInNewContext(script, { WebSocket, console: { log } })
  await welcomed
  clearTimeout(late)
  assert.equal(rig.server.counts().users, 1)
}

async function type(block: Block): Promise<void> {
  const home = temporaryHome()
  try {
    for (const { line, command, expected } of stepsOf(block.lines, page, block.line + 1)) {
      const shown = (await runInShell(command, home.folder)).trimEnd()
      assert.match(shown, patternOf(expected.join('\n')), `${page}.md:${line}: ${command}`)
    }
  } finally {
    await runInShell('hookline server stop', home.folder)
    rmSync(home.folder, { recursive: true, force: true })
  }
}
