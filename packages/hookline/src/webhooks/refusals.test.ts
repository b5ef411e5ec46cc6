// What the log says about refused requests, and what is remembered for that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logTo } from '../../test/log.ts'
import { secretFor, sign } from '../../test/sign.ts'
import { Refusals } from './refusals.ts'
import { Rig } from '../../test/rigs/webhooks.ts'

const bot = 'spark-ori-ghci'
const stale =
  'its signature is right, but its time is too far from ours: an old request sent again, or a wrong clock'

test('refusals are remembered for the newest thousand bots and reasons, however many bots come and go', () => {
  const logged: string[] = []
  const refusals = new Refusals(
    logTo((data) => void logged.push((data as { bot: string }).bot)),
    { note: () => {} },
  )
  const note = (bot: string): void => refusals.note(bot, 'forged', 0)
  for (const bot of ['first', 'first', 'second']) note(bot)
  assert.deepEqual(logged.splice(0), ['first', 'second'])
  for (let i = 0; i < 999; i++) note(`bot-${i}`)
  logged.length = 0
  for (const bot of ['second', 'first', 'bot-998']) note(bot)
  assert.deepEqual(logged, ['first'])
})

test('401: the reason is in the log, once a minute, and nowhere else', async () => {
  await using rig = await Rig.create()
  const secret = secretFor('slack')
  rig.bots.add(bot, {}, { auth: { type: 'slack', secrets: [secret] } })
  const old = sign('slack', { secret, body: '{}', at: rig.now - 301_000 })
  for (const more of [0, 59_000, 1_000]) {
    rig.now += more
    const answer = await rig.post(`/${bot}`, old.body, old.headers)
    assert.deepEqual([answer.status, answer.text], [401, '{"error":"unauthorized"}'])
  }
  assert.deepEqual(rig.logged, [
    { data: { bot }, text: `a webhook was refused: ${stale}` },
    { data: { bot, more: 1 }, text: `a webhook was refused: ${stale}` },
  ])
})

test('everything a bot refused is logged, each reason once a minute', async () => {
  await using rig = await Rig.create()
  const auth = { type: 'token', secrets: [secretFor('token')] } as const
  rig.bots.add(bot, {}, { auth })
  const proof = { Authorization: `Bearer ${secretFor('token')}` }
  const refused = async (status: number, body: string, headers: object) => {
    for (let i = 0; i < 2; i++) assert.equal((await rig.post(`/${bot}`, body, { ...headers })).status, status)
  }
  await refused(401, '{}', {})
  await refused(401, '{}', { Authorization: 'Bearer wrong' })
  await refused(400, '[]', proof)
  await refused(400, '{', proof)
  await refused(415, '{}', { 'Content-Encoding': 'zstd' })
  await refused(421, '{}', { ...proof, Host: 'hooks.example' })
  await refused(403, '{}', { ...proof, Origin: 'https://evil.example' })
  for (let i = 0; i < 2; i++) assert.equal((await rig.ask('PUT', `/${bot}`)).status, 405)
  rig.bots.add(bot, {}, { auth, allowFrom: ['192.0.2.1'] })
  await refused(403, '{}', proof)
  rig.bots.add(bot, {}, { auth, rate: { count: 1, everyMs: 60_000 } })
  assert.equal((await rig.post(`/${bot}`, '{}', proof)).status, 200)
  await refused(429, '{}', proof)
  rig.bots.add(bot, {}, { auth, status: 'inactive' })
  await refused(503, '{}', proof)
  assert.deepEqual(
    rig.logged.map(({ text }) => text.replace('a webhook was refused: ', '')),
    [
      'it carries no signature or token of the kind that trigger.auth requires',
      'its signature or token is wrong: the secret differs, trigger.auth describes another signature, or the body was changed on the way',
      '400 payload must be a JSON object: line 1, column 1: this is an array',
      '400 invalid JSON: it ends too early at line 1, column 2',
      '415 content encoding not supported: send it without Content-Encoding, or with one of gzip, deflate, br',
      '421 unknown host: add hooks.example to webhooks.allowed_hosts in server.yaml, or use the address',
      '403 requests from a browser page are refused: send the webhook from a server',
      '405 use POST',
      '403 address not allowed: 127.0.0.1',
      '429 too many deliveries for this bot',
      '503 bot not active',
    ],
  )
})

test('404: unknown bot names are logged, a few a minute however many there are', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot)
  const logged = () => rig.logged.splice(0).map(({ text }) => text.replace('a webhook was refused: ', ''))
  const post = async (path: string) => assert.equal((await rig.post(path, {})).status, 404, path)
  const nobody = (name: string) => `404 bot not found: no bot is called "${name}"`

  for (const path of [
    '/spark-ori-cj/secret?token=x',
    '/spark-ori-cj',
    '/spark-ori-ck%2Fsecret',
    '/%0Aa%C3%A9',
    `/${'a'.repeat(9_000)}`,
  ])
    await post(path)
  assert.equal((await rig.ask('GET', '/favicon.ico')).status, 404)
  assert.deepEqual(logged(), [
    nobody('spark-ori-cj'),
    nobody('spark-ori-ck…'),
    nobody('…'),
    nobody(`${'a'.repeat(64)}…`),
  ])
  for (let n = 0; n < 20; n++) await post(`/stranger-${n}`)
  assert.deepEqual(logged(), [nobody('stranger-0')])

  rig.now += 60_000
  await post('/spark-ori-cj')
  assert.deepEqual(logged(), ['20 more webhooks were refused: 404 bot not found', nobody('spark-ori-cj')])

  for (const path of [`/${bot}//`, `/${bot}/secret`, `/${bot}/some/path`]) await post(path)
  assert.deepEqual(logged(), [
    '404 bot not found: its URL continues after the name, which only trigger.auth of type url allows',
  ])
  for (const path of ['/', `//${bot}`]) await post(path)
  assert.deepEqual(logged(), ['404 bot not found: its URL has no name after the first slash'])
})

test('a clock that is set back hides no refusal for longer than a minute', async () => {
  await using rig = await Rig.create()
  rig.bots.add(bot, {}, { status: 'inactive' })
  for (const now of [0, -3_600_000]) {
    rig.now += now
    for (const path of [`/${bot}`, '/nobody']) await rig.post(path, {})
  }
  assert.equal(rig.logged.length, 4)
})
