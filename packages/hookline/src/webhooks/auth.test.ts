import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import type { Bot } from '../bots/roster.ts'
import { prove } from './auth.ts'
import { botWith } from '../../test/rigs/webhooks.ts'

const secret = "It's a Secret to Everybody"
const body = Buffer.from('Hello, World!')
const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

test('github: a missing, empty or malformed header is refused', () => {
  const github = botWith({ type: 'github', secrets: [secret] })
  const sha1 = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`
  for (const value of [
    undefined,
    '',
    'sha256=',
    signature.slice(7),
    sha1,
    `${signature}, ${signature}`,
    [signature],
  ]) {
    assert.equal(kind(github, { 'x-hub-signature-256': value }), 'unproven')
  }
  const older = { 'x-hub-signature': sha1, authorization: `Bearer ${secret}` }
  assert.equal(kind(github, older), 'unproven')
})

test('token: in Authorization or X-Hookline-Token, or in the one header that the bot names', () => {
  const token = botWith({ type: 'token', secrets: ['first-secret', 'second-secret'] })
  for (const headers of [
    { authorization: 'Bearer first-secret' },
    { authorization: 'bearer  second-secret' },
    { 'x-hookline-token': 'second-secret' },
  ]) {
    assert.equal(kind(token, headers), 'proven', JSON.stringify(headers))
  }
  for (const headers of [
    {},
    { authorization: '' },
    { 'x-hookline-token': '' },
    { authorization: 'Bearer ' },
    { authorization: 'Basic first-secret' },
    { authorization: 'Bearer first-secre' },
    { authorization: 'Bearer first-secrets' },
    { authorization: 'Bearer wrong', 'x-hookline-token': 'first-secret' },
    { 'x-hub-signature-256': signature },
  ]) {
    assert.equal(kind(token, headers), 'unproven', JSON.stringify(headers))
  }
  const spaced = botWith({ type: 'token', secrets: ['correct horse'] })
  assert.equal(kind(spaced, { authorization: 'Bearer correct horse' }), 'proven')
  assert.equal(kind(spaced, { authorization: 'Bearer correct' }), 'unproven')
  const named = botWith({ type: 'token', secrets: ['first-secret'], header: 'X-Api-Key' })
  assert.equal(kind(named, { 'x-api-key': 'first-secret' }), 'proven')
  assert.equal(kind(named, { authorization: 'Bearer first-secret' }), 'unproven')
})

test('basic: user and password, in canonical base64 only', () => {
  const basic = botWith({ type: 'basic', secrets: ['hook:pässword: 1'] })
  const of = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
  assert.equal(kind(basic, { authorization: of('hook:pässword: 1') }), 'proven')
  for (const authorization of [of('hook:pässword: 2'), of('hook'), of(''), 'Basic', 'Basic hook:p', '']) {
    assert.equal(kind(basic, { authorization }), 'unproven', authorization)
  }
})

test('a secret file is found once it appears, and the problem before that names it', async () => {
  using home = newFolder()
  const folder = home.path
  const filed = { ...botWith({ type: 'token', secrets: ['file:secret.txt'] }), folder }
  const before = prove(filed, { 'x-hookline-token': 'from-the-file' }, body, 0)
  assert.match(before.kind === 'unreadable' ? (before.problems[0] ?? '') : '', /secret\.txt/)
  await writeFile(join(folder, 'secret.txt'), 'from-the-file\n')
  assert.equal(kind(filed, { 'x-hookline-token': 'from-the-file' }), 'proven')
  const keyed = { ...botWith({ type: 'standard', secrets: ['file:secret.txt'] }), folder }
  const flaw = prove(keyed, {}, body, 0)
  assert.match(flaw.kind === 'unreadable' ? (flaw.problems[0] ?? '') : '', /must be base64/)
})

test('what no readable secret proves is not called forged while another cannot be read', () => {
  using home = newFolder()
  const secrets = ['file:secret.txt', 'the-old-one']
  const rotating = { ...botWith({ type: 'token', secrets }), folder: home.path }
  assert.equal(kind(rotating, { 'x-hookline-token': 'the-old-one' }), 'proven')
  assert.equal(kind(rotating, { 'x-hookline-token': 'the-new-one' }), 'unreadable')
  assert.equal(kind(rotating, {}), 'unproven')
})

test('a bot without auth, or with type none, asks for nothing', () => {
  assert.equal(kind(botWith(undefined), {}), 'proven')
  assert.equal(kind(botWith({ type: 'none', secrets: [] }), {}), 'proven')
})

function kind(of: Bot, headers: Parameters<typeof prove>[1]): string {
  return prove(of, headers, body, 0).kind
}
