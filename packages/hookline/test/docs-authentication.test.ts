// docs/authentication.md: every bot of it is started and posted to, every command of it is typed.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AUTH_TYPE_NAMES, factsOf } from '../src/bots/authtypes.ts'
import { resolveSecret } from '../src/bots/secret.ts'
import { proofHeaders, schemesOf } from '../src/webhooks/schemes.ts'
import { type Block, blocksOf, rowsOf } from './docs.ts'
import { post } from './post.ts'
import { type Rig, startRig, temporaryHome } from './rig.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'
import { secretFor, sign, type SenderName } from './sign.ts'

const page = 'authentication'

test('every example of the page does what the page says', async (t) => {
  process.env['ORDERS_SECRET'] = secretFor('standard')
  t.after(() => delete process.env['ORDERS_SECRET'])
  await using rig = await startRig()
  for (const block of blocksOf(page)) {
    const [language, kind, sender] = block.info.split(' ')
    if (language === 'console' && kind === undefined) await type(block, rig.home.folder, rig.url)
    else if (language === 'console' && kind === 'apart') await typeApart(block)
    else if (language === 'yaml' && kind === 'bot') await bring(rig, block, sender?.replace('sender=', ''))
    else assert.fail(`${page}.md:${block.line}: nobody knows what to do with ${block.info}`)
  }
})

test('the table has every type, with its header and its window', () => {
  const rows = rowsOf(page)
  assert.deepEqual(
    rows.map(([type]) => type),
    AUTH_TYPE_NAMES.map((type) => `\`${type}\``),
  )
  for (const [index, type] of AUTH_TYPE_NAMES.entries()) {
    const [, header = '', secret = '', window = ''] = rows[index] ?? []
    if (type === 'hmac') continue
    for (const name of proofHeaders({ type, secrets: [] }))
      assert.ok(header.toLowerCase().includes(name), `${type}: ${name}`)
    const [scheme] = schemesOf({ type, secrets: [] })
    const seconds = scheme?.kind === 'signed' && scheme.timestamp ? `${scheme.tolerance} s` : 'none'
    assert.ok(window.startsWith(seconds), `${type}: ${seconds}`)
    assert.equal(/made by|shown once/.test(secret), factsOf(type).madeBy === 'sender', type)
  }
})

/** Saves it as a person would, starts it, and posts with and without proof. */
async function bring(rig: Rig, block: Block, sender: string | undefined): Promise<void> {
  const text = `${block.lines.join('\n')}\n`
  const name =
    /name: ([\w-]+)/.exec(text)?.[1] ?? assert.fail(`${page}.md:${block.line}: a bot without a name`)
  mkdirSync(join(rig.home.bots, name))
  writeFileSync(join(rig.home.bots, name, 'bot.yaml'), text)
  const started = await rig.server.bots.start(name)
  assert.ok(started.ok, JSON.stringify(started))
  const body = '{"text":"x"}'
  assert.equal((await post(`${rig.url}/${name}`, body)).status, 401)
  if (sender === undefined) return
  const [first = ''] = started.bot.settings?.trigger.auth?.secrets ?? []
  const resolved = resolveSecret(first, started.bot.folder)
  assert.ok(resolved.ok)
  const { headers } = sign(sender as SenderName, { secret: resolved.secret, body })
  const { status, json } = await post(`${rig.url}/${name}`, body, headers)
  assert.ok(status === 202 || json['status'] === 'posted')
}

/** The page says the usual address; the server of the test has another. */
async function type({ lines, line }: Block, home: string, url: string): Promise<void> {
  for (const step of stepsOf(lines, `${page}.md`, line + 1)) {
    const usual = 'http://127.0.0.1:7680'
    const printed = (await runInShell(step.command.replaceAll(usual, url), home)).replaceAll(url, usual)
    assert.match(printed, patternOf(step.expected.join('\n')), `${page}.md:${step.line}\n${printed}`)
  }
}

async function typeApart(block: Block): Promise<void> {
  const { folder } = temporaryHome()
  try {
    await type(block, folder, 'http://127.0.0.1:7680')
  } finally {
    if (existsSync(join(folder, 'control.sock'))) await runInShell('hookline server stop', folder)
    rmSync(folder, { recursive: true, force: true })
  }
}
