import assert from 'node:assert/strict'
import { argon2Sync, randomBytes, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { decoyHash, hashPassword, isCurrent, isPasswordHash, verify } from './passwords.ts'

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function scryptHash(password: string, { ln = 4, r = 8, p = 1 } = {}): string {
  const salt = randomBytes(16)
  const key = scryptSync(password, salt, 32, { N: 2 ** ln, r, p })
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(key)}`
}

function argon2Hash(password: string, { memory = 64, passes = 1, parallelism = 1 } = {}): string {
  const nonce = randomBytes(16)
  const key = argon2Sync('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength: 32 })
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(key)}`
}

for (const [name, make] of [
  ['scrypt', scryptHash],
  ['argon2id', argon2Hash],
] as const) {
  test(`${name}: the password it was made from matches, and no other`, async () => {
    const hash = make('kettle ☕')
    assert(isPasswordHash(hash))
    assert.equal(await verify(hash, 'kettle ☕'), true)
    for (const wrong of ['', 'kettle', 'Kettle ☕', 'kettle ☕ '])
      assert.equal(await verify(hash, wrong), false)
  })
}

test('the parameters are those of the string', async () => {
  assert.equal(await verify(scryptHash('a', { ln: 5, r: 4, p: 2 }), 'a'), true)
  assert.equal(await verify(argon2Hash('a', { memory: 128, passes: 2, parallelism: 2 }), 'a'), true)
  const hash = scryptHash('a', { ln: 5 })
  assert.equal(await verify(hash.replace('ln=5', 'ln=6'), 'a'), false)
})

test('an invalid string is reported before it is used', () => {
  const bad = [
    '',
    'kettle',
    '$scrypt$',
    '$scrypt$ln=4,r=8$a$b',
    '$scrypt$ln=4,r=8,p=1$$b',
    '$scrypt$ln=x,r=8,p=1$a$b',
  ]
  bad.push('$argon2i$v=19$m=64,t=1,p=1$c2FsdA$a2V5', '$argon2id$v=16$m=64,t=1,p=1$c2FsdA$a2V5', '$2b$10$abc')
  bad.push(`${scryptHash('a')}\n`, ` ${scryptHash('a')}`, scryptHash('a').replace(/.$/, '!'))
  for (const text of bad) assert.equal(isPasswordHash(text), false, text)
})

test('a string that cannot be checked, or that every password matches, is reported before it is used', () => {
  const [salt, key] = [unpadded(randomBytes(16)), unpadded(randomBytes(32))]
  const scrypt = [
    'ln=0,r=8,p=1',
    'ln=60,r=8,p=1',
    'ln=22,r=8,p=1',
    'ln=16,r=1,p=1',
    'ln=4,r=0,p=1',
    'ln=4,r=8,p=0',
  ]
  const argon2 = ['m=7,t=1,p=1', 'm=64,t=0,p=1', 'm=64,t=1,p=0', 'm=64,t=1,p=9', 'm=9999999,t=1,p=1']
  const bad = [
    ...scrypt.map((costs) => `$scrypt$${costs}$${salt}$${key}`),
    ...argon2.map((costs) => `$argon2id$v=19$${costs}$${salt}$${key}`),
    // Cut off: what is left of the salt or the key is as good as nothing.
    ...[`A$${key}`, `${salt}$A`].flatMap((rest) => [
      `$scrypt$ln=4,r=8,p=1$${rest}`,
      `$argon2id$v=19$m=64,t=1,p=1$${rest}`,
    ]),
  ]
  for (const text of bad) assert.equal(isPasswordHash(text), false, text)
})

test('every accepted string can be checked', async () => {
  const [salt, key] = [unpadded(randomBytes(8)), unpadded(randomBytes(16))]
  const costs = ['$scrypt$ln=1,r=1,p=999', '$scrypt$ln=15,r=1,p=1', '$argon2id$v=19$m=8,t=1,p=1']
  for (const each of costs) {
    const hash = `${each}$${salt}$${key}`
    assert(isPasswordHash(hash), hash)
    assert.equal(await verify(hash, 'kettle'), false)
  }
})

test('an excess request is refused at once, and the others wait their turn', async () => {
  const hash = scryptHash('a', { ln: 10 })
  const asked = Array.from({ length: 300 }, () => verify(hash, 'a'))
  const answers = await Promise.all(asked)
  assert.deepEqual(answers.slice(0, 258), Array<boolean>(258).fill(true))
  assert.deepEqual(answers.slice(258), Array<undefined>(42).fill(undefined))
  assert.equal(await verify(hash, 'a'), true)
})

test('a new hash is argon2id with the requested cost, and its password matches', async () => {
  const hash = await hashPassword('kettle', 5)
  assert.match(hash ?? '', /^\$argon2id\$v=19\$m=32,t=3,p=1\$/)
  assert(hash !== undefined && isPasswordHash(hash))
  assert.equal(await verify(hash, 'kettle'), true)
  assert.equal(isCurrent(hash, 5), true)
  assert.equal(isCurrent(hash, 6), false)
})

test('nothing matches a hash of nothing', async () => {
  assert.equal(isPasswordHash(decoyHash(5)), true)
  for (const password of ['', 'kettle']) assert.equal(await verify(decoyHash(5), password), false)
})
