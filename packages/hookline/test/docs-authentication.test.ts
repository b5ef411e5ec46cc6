// docs/authentication.md: every bot of it is started and posted to, every command of it is typed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTH_TYPE_NAMES, factsOf } from '../src/senders/authtypes.ts'
import { resolveSecret } from '../src/senders/secret.ts'
import { proofHeaders, schemesOf } from '../src/senders/schemes.ts'
import { type Block, bringBot, playPage, rowsOf, typeCommands } from './docs.ts'
import { post } from './post.ts'
import { type Rig, startRig } from './rig.ts'
import { emptyHome } from './shell.ts'
import { secretFor, sign, type SenderName } from './sign.ts'

const page = 'authentication'

test('every example of the page does what the page says', async (t) => {
  process.env['ORDERS_SECRET'] = secretFor('standard')
  t.after(() => delete process.env['ORDERS_SECRET'])
  await using rig = await startRig()
  await playPage(page, {
    console: (block) => typeCommands(block, rig),
    'console apart': typeApart,
    'yaml bot…': (block) => bring(rig, block),
  })
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

/** Posts with and without proof. */
async function bring(rig: Rig, block: Block): Promise<void> {
  const name = await bringBot(rig, block)
  const body = '{"text":"x"}'
  assert.equal((await post(`${rig.url}/${name}`, body)).status, 401)
  const sender = /sender=(\S+)/.exec(block.info)?.[1]
  if (sender === undefined) return
  const bot = rig.server.bots.get(name)
  const resolved = resolveSecret(bot?.settings?.trigger.auth?.secrets[0] ?? '', bot?.folder ?? '')
  assert.ok(resolved.ok)
  const { headers } = sign(sender as SenderName, { secret: resolved.secret, body })
  const { status, json } = await post(`${rig.url}/${name}`, body, headers)
  assert.ok(status === 202 || json['status'] === 'posted')
}

async function typeApart(block: Block): Promise<void> {
  await using home = emptyHome()
  await typeCommands(block, { home })
}
