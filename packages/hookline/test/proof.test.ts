// Authentication of senders, from the request to the message, on the real server.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { AUTH_TYPE_NAMES } from '../src/senders/authtypes.ts'
import { tryLine } from '../src/commands/bot/running/curlline.ts'
import type { BotView, Changed } from '../src/commands/bot/bot.ts'
import { call, outputOf } from './control.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig, UNLIMITED } from './rig.ts'
import { authTypeOf, secretFor, senders, sign, type SenderName } from './sign.ts'

const run = promisify(execFile)

test('a correctly signed request of each sender is posted; one with another secret, another body or an old time is not', async () => {
  const names = Object.keys(senders) as SenderName[]
  const bots = Object.fromEntries(
    names.map((name) => [
      `spark-ori-${name}`,
      botFile(`spark-ori-${name}`, `type: ${authTypeOf(name)}, secrets: ["${secretFor(name)}"]`),
    ]),
  )
  await using rig = await startRig({ bots })
  for (const name of names) {
    const url = `${rig.url}/spark-ori-${name}`
    const secret = secretFor(name)
    const body = JSON.stringify({ text: `from ${name}`, webhookTimestamp: Date.now() })
    const { headers } = sign(name, { secret, body })
    const answer = await post(url, body, headers)
    assert.deepEqual([answer.status, answer.json['message']], [200, `from ${name}`], name)
    const forged = sign(name, { secret: secretFor(name, 1), body })
    assert.equal((await post(url, body, forged.headers)).status, 401, name)
    assert.equal((await post(url, body)).status, 401, name)
    const empty = Object.fromEntries(Object.keys(headers).map((header) => [header, '']))
    assert.equal((await post(url, body, empty)).status, 401, name)
    if (!['gitlab', 'token', 'basic'].includes(name)) {
      assert.equal((await post(url, `${body} `, headers)).status, 401, 'the same JSON in other bytes')
    }
    if (['stripe', 'slack', 'standard', 'svix', 'gitlab-signing'].includes(name)) {
      const old = sign(name, { secret, body, at: Date.now() - 302_000 })
      assert.equal((await post(url, body, old.headers)).status, 401, name)
    }
  }
  assert.deepEqual(
    rig.spoken.map(({ text }) => text),
    names.map((name) => `from ${name}`),
  )
})

test('if the delivery id is signed, the same request under another id is a repeat', async () => {
  const name = 'spark-ori-svix'
  const secret = secretFor('svix')
  await using rig = await startRig({
    bots: { [name]: botFile(name, `type: standard, secrets: ["${secret}"]`) },
  })
  const body = '{"text":"once"}'
  const { headers } = sign('svix', { secret, body })
  for (const more of [{}, { 'webhook-id': 'x1' }, { 'webhook-id': 'x2', 'webhook-signature': 'v1,eA==' }])
    await post(`${rig.url}/${name}`, body, { ...headers, ...more })
  assert.deepEqual(
    rig.spoken.map(({ text }) => text),
    ['once'],
  )
})

test('the printed command to try a bot works as it is, for every type', async () => {
  const extra: Readonly<Record<string, string>> = {
    hmac: ', header: X-Sig, hash: sha512, encoding: base64, prefix: "v$1 ", separator: ";", signed: "{ts}`{id}`{body}", id: X-Id, timestamp: {field: at, unit: ms}',
    grafana: ', header: X-Sig, timestamp: {header: X-At}',
    token: ', header: X-Api-Key',
  }
  const secretOf = (type: string) => (type in senders ? secretFor(type as SenderName) : 'a-made-up-secret')
  const bots = Object.fromEntries(
    AUTH_TYPE_NAMES.map((type) => {
      const secrets = type === 'none' ? '' : `, secrets: ["${secretOf(type)}"]`
      return [
        `spark-ori-${type}`,
        botFile(`spark-ori-${type}`, `type: ${type}${secrets}${extra[type] ?? ''}`),
      ]
    }),
  )
  await using rig = await startRig({ bots })
  for (const type of AUTH_TYPE_NAMES) {
    const line = tryLine(
      await outputOf<BotView>(rig.home, 'bot inspect', { name: `spark-ori-${type}` }),
      `${rig.url}/spark-ori-${type}`,
    )
    const filled = line.replaceAll('USER:PASSWORD', secretOf(type)).replaceAll('SECRET', secretOf(type))
    const { stdout } = await run('/bin/sh', ['-c', filled])
    assert.match(stdout, /"status":"posted"/, line)
  }
})

test('if a bot that was just made does not start, the error says where its secret is', async () => {
  await using rig = await startRig()
  await rig.server.accounts.create({ name: 'spark-ori', password: 'kettle', email: null })
  using owner = await Person.join(rig.ircPort, 'ori')
  owner.type('NS IDENTIFY spark-ori kettle', 'NICK spark-ori-ci')
  await owner.until(/ NICK /)
  const wanted = { name: 'ci', owner: 'spark-ori', secret: 'generate', start: true }
  const made = await call(rig.home, 'bot create', wanted)
  assert.ok(!made.ok)
  assert.match(made.error.message, /^spark-ori-ci was created, but does not start: .* already in use$/)
  const [, file = ''] = /^its new secret is in (\S+); fix it, /.exec(made.error.remediation) ?? []
  assert.match(readFileSync(file, 'utf8'), /secrets:\n *- \S{43}\n/)
})

test('during rotation both secrets are valid, and then only the new one, without a gap', async () => {
  const name = 'spark-ori-ghci'
  const file = botFile(name, 'type: github, secrets: ["a made-up secret"]')
  await using rig = await startRig({ bots: { [name]: file } })
  const send = async (secret: string) =>
    (
      await post(
        `${rig.url}/${name}`,
        '{"text":"x"}',
        sign('github', { secret, body: '{"text":"x"}', id: '' }).headers,
      )
    ).status
  const { secret } = await outputOf<Changed>(rig.home, 'bot rotate-secret', { name })
  assert.ok(secret !== null)
  assert.deepEqual(
    [await send('a made-up secret'), await send(secret), await send('neither')],
    [200, 200, 401],
  )
  await outputOf(rig.home, 'bot rotate-secret', { name, dropOld: true })
  assert.deepEqual([await send('a made-up secret'), await send(secret)], [401, 200])
})

test('beyond loopback a bot without auth is refused, and every command that shows it says so', async () => {
  const open = 'spark-ori-open'
  const bots = { [open]: `bot: {name: ${open}, owner: spark-ori}\n` }
  const config = `${UNLIMITED}webhooks: {host: 0.0.0.0}\n`
  await using rig = await startRig({ bots, config })
  const url = rig.url.replace('0.0.0.0', '127.0.0.1')
  const { status, json } = await post(`${url}/${open}`, { text: 'x' })
  assert.deepEqual([status, json['error']], [503, 'bot not active'])
  for (const name of ['bot list', 'bot inspect']) {
    const [view] = [
      await outputOf<BotView | BotView[]>(rig.home, name, name === 'bot inspect' ? { name: open } : {}),
    ].flat()
    assert.match(view?.warnings.join() ?? '', /spark-ori-open answers 503: it has no trigger\.auth/, name)
  }
  await outputOf(rig.home, 'bot edit', { name: open, auth: 'none' })
  assert.equal((await post(`${url}/${open}`, { text: 'x' })).status, 200)
  assert.match(
    (await outputOf<BotView>(rig.home, 'bot inspect', { name: open })).warnings.join(),
    /accepts every sender/,
  )
})

test('the printed gh command creates the hook, and no command line contains the secret', async () => {
  await using rig = await startRig()
  const input = { name: 'gh', owner: 'spark-ori', secret: 'generate' }
  const { secret, setup } = await outputOf<Changed>(rig.home, 'bot create', input)
  const tools = join(rig.home.folder, 'tools')
  mkdirSync(tools)
  writeFileSync(join(tools, 'gh'), '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.args"\ncat > "$0.input"\n')
  chmodSync(join(tools, 'gh'), 0o755)
  const env = { PATH: tools + delimiter + (process.env['PATH'] ?? '') }
  const running = run('/bin/sh', ['-c', setup.at(-1) ?? ''], { env })
  running.child.stdin?.end(`${secret}\n`)
  await running
  assert.deepEqual(JSON.parse(readFileSync(join(tools, 'gh.input'), 'utf8')), {
    name: 'web',
    events: ['push'],
    config: { url: `${rig.url}/spark-ori-gh`, content_type: 'json', secret },
  })
  const args = readFileSync(join(tools, 'gh.args'), 'utf8')
  assert.equal(args, 'api\nrepos/{owner}/{repo}/hooks\n--input\n-\n')
})

function botFile(name: string, auth: string): string {
  return `bot: {name: ${name}, owner: spark-ori}
trigger: {auth: {${auth}}}
output: {channels: ["#builds"], template: "{body.text}"}
`
}
