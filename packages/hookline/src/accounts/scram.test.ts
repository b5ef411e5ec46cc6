import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finalMessages } from '../../test/scram.ts'
import { beginScram, decoyKeys, makeKeys, parseClientFirst, type ScramKeys } from './scram.ts'

// The example of RFC 7677, section 3.
const VECTOR = {
  password: 'pencil',
  salt: 'W22ZaJ0SNY7soEsUEjb6gQ==',
  clientFirst: 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO',
  ours: '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0',
  serverFirst: 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
  clientFinal:
    'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
  serverFinal: 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
}

async function vectorKeys(): Promise<ScramKeys> {
  const keys = await makeKeys(VECTOR.password, 4096, Buffer.from(VECTOR.salt, 'base64'))
  assert(keys)
  return keys
}

function begin(message: string, keys: ScramKeys, ours = VECTOR.ours) {
  const first = parseClientFirst(message)
  assert(first)
  return beginScram(first, keys, ours)
}

test('the exchange in RFC 7677 is reproduced exactly', async () => {
  const exchange = begin(VECTOR.clientFirst, await vectorKeys())
  assert.equal(exchange.serverFirst, VECTOR.serverFirst)
  assert.equal(exchange.finish(VECTOR.clientFinal), VECTOR.serverFinal)
})

test('a wrong password, nonce or binding is refused, as is a truncated message', async () => {
  const exchange = begin(VECTOR.clientFirst, await vectorKeys())
  const { clientFinal: good } = VECTOR
  const bad = [
    good.replace('p=dH', 'p=eH'),
    good.replace('r=rO', 'r=sO'),
    good.replace('c=biws', 'c=eSws'),
    good.replace(/,p=.*/, ''),
    good.replace(/=$/, ''),
    '',
    `${good},x=1`,
  ]
  for (const message of bad) assert.equal(exchange.finish(message), undefined, message)
  const other = await makeKeys('pencils', 4096, Buffer.from(VECTOR.salt, 'base64'))
  assert(other)
  assert.equal(begin(VECTOR.clientFirst, other).finish(good), undefined)
})

test('the first client message is parsed, and malformed ones are refused', () => {
  assert.deepEqual(parseClientFirst('n,a=x=2Cy,n=a=3Db,r=abc,ext=1'), {
    authzid: 'x,y',
    username: 'a=b',
    nonce: 'abc',
    header: 'n,a=x=2Cy,',
    bare: 'n=a=3Db,r=abc,ext=1',
  })
  assert.equal(parseClientFirst('y,,n=user,r=abc')?.header, 'y,,')
  const bad = [
    '',
    'n,,',
    'n,,n=user',
    'n,,n=,r=abc',
    'n,,r=abc,n=user',
    'p=tls-unique,,n=user,r=abc',
    'n,,m=ext,n=user,r=abc',
    'n,,n=us=er,r=abc',
    'n,,n=user,r=',
    'n,,n=user,r=a b',
    `n,,n=user,r=${'a'.repeat(300)}`,
  ]
  for (const message of bad) assert.equal(parseClientFirst(message), undefined, message)
})

test('an unknown name gets the same salt each time, and a different one from other names', () => {
  const secret = Buffer.alloc(32, 1)
  const salts = ['ann', 'ann', 'bob'].map((name) => decoyKeys(name, secret, 4096).salt)
  assert.equal(salts[0], salts[1])
  assert.notEqual(salts[0], salts[2])
})

test('no password matches the keys of an unknown account, not even an empty one', () => {
  const keys = decoyKeys('ann', Buffer.alloc(32), 4096)
  const exchange = begin('n,,n=ann,r=abc', keys)
  const { client } = finalMessages('', 'n=ann,r=abc', exchange.serverFirst)
  assert.equal(exchange.finish(client), undefined)
})

test('a proof over another GS2 header than the one sent first is refused', async () => {
  const answer = async (channel: string) => {
    const exchange = begin(VECTOR.clientFirst, await vectorKeys())
    const bare = VECTOR.clientFirst.slice('n,,'.length)
    return exchange.finish(finalMessages('pencil', bare, exchange.serverFirst, channel).client)
  }
  assert.equal(await answer('biws'), VECTOR.serverFinal)
  assert.equal(await answer('eSws'), undefined)
})
