import assert from 'node:assert/strict'
import { createHmac, randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BotAuth } from '../bots/botfile.ts'
import type { Bot } from '../bots/bots.ts'
import { prove } from './auth.ts'
import { FakeBots } from './rig.test.ts'

const secret = "It's a Secret to Everybody"
const body = Buffer.from('Hello, World!')
const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

test("github: the vector of GitHub's own documentation", () => {
  const github = bot({ type: 'github', secrets: [secret] })
  assert.deepEqual(prove(github, { 'x-hub-signature-256': signature }, body), { kind: 'proven' })
})

test('github: any of several secrets proves it', () => {
  const github = bot({ type: 'github', secrets: ['an older one', secret, 'a newer one'] })
  assert.equal(prove(github, { 'x-hub-signature-256': signature }, body).kind, 'proven')
})

test('github: 10,000 changed signatures, bodies and headers are all refused', () => {
  const github = bot({ type: 'github', secrets: [secret, 'another one'] })
  for (let i = 0; i < 10_000; i++) {
    const [header, bytes] = mutate(i)
    const unchanged = header === signature && bytes.equals(body)
    assert.equal(unchanged, false)
    assert.equal(
      prove(github, { 'x-hub-signature-256': header }, bytes).kind,
      'unproven',
      JSON.stringify(header),
    )
  }
})

test('github: a header that is missing, empty or of another form proves nothing', () => {
  const github = bot({ type: 'github', secrets: [secret] })
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
    assert.equal(prove(github, { 'x-hub-signature-256': value }, body).kind, 'unproven')
  }
  assert.equal(
    prove(github, { 'x-hub-signature': sha1, authorization: `Bearer ${secret}` }, body).kind,
    'unproven',
  )
})

test('token: in Authorization or in X-Hookline-Token', () => {
  const token = bot({ type: 'token', secrets: ['first-secret', 'second-secret'] })
  for (const headers of [
    { authorization: 'Bearer first-secret' },
    { authorization: 'bearer  second-secret' },
    { 'x-hookline-token': 'second-secret' },
  ]) {
    assert.equal(prove(token, headers, body).kind, 'proven', JSON.stringify(headers))
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
    assert.equal(prove(token, headers, body).kind, 'unproven', JSON.stringify(headers))
  }
})

test('a secret in a file is found when it appears, and the problem before names the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-auth-'))
  const filed = { ...bot({ type: 'token', secrets: ['file:secret.txt'] }), folder }
  const before = prove(filed, { 'x-hookline-token': 'from-the-file' }, body)
  assert.match(before.kind === 'unreadable' ? (before.problems[0] ?? '') : '', /secret\.txt/)
  await writeFile(join(folder, 'secret.txt'), 'from-the-file\n')
  assert.equal(prove(filed, { 'x-hookline-token': 'from-the-file' }, body).kind, 'proven')
  await rm(folder, { recursive: true })
})

test('a bot without auth asks for nothing', () => {
  assert.equal(prove(bot(undefined), {}, body).kind, 'proven')
})

function bot(auth: BotAuth | undefined): Bot {
  return new FakeBots().add('spark-ori-ghci', {}, { auth })
}

/** One character or bit other than it was, something cut off, or something added. */
function mutate(i: number): [string, Buffer] {
  const at = randomInt(signature.length)
  const other = String.fromCharCode(((signature.charCodeAt(at) - 32 + randomInt(1, 95)) % 95) + 32)
  const bytes = Buffer.from(body)
  const bit = randomInt(bytes.length * 8)
  switch (i % 4) {
    case 0:
      return [signature.slice(0, at) + other + signature.slice(at + 1), body]
    case 1:
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return [signature, bytes]
    case 2:
      return [signature.slice(0, at), body]
    default:
      return [signature, Buffer.concat([bytes, Buffer.from([randomInt(256)])])]
  }
}
