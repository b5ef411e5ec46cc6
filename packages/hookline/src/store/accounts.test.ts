import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStores } from '../../test/rigs/store.ts'

const ann = {
  key: 'ann',
  name: 'Ann',
  createdAt: 1,
  email: null,
  password: '$argon2id$…',
  scram: null,
  settings: '{}',
  suspended: null,
}
const token = { hash: 'h1', account: 'ann', label: 'laptop', createdAt: 2, usedAt: null, expiresAt: 9 }
const certificate = { account: 'ann', fingerprint: 'f1', addedAt: 3 }

test('an account, its tokens and its certificates survive a restart', async () => {
  await using home = newStores()
  const store = await home.open()
  await store.accounts.create(ann)
  await store.accounts.change({ key: 'ann', email: 'ann@example.org' })
  await store.accounts.addToken(token)
  await store.accounts.tokenUsed('h1', 5)
  await store.accounts.addCertificate(certificate)
  await store.close()

  const again = await home.open()
  const { hash: _, ...kept } = { ...token, usedAt: 5 }
  assert.deepEqual(await again.accounts.get('ann'), {
    ...ann,
    email: 'ann@example.org',
    tokens: [kept],
    certificates: [certificate],
  })
  assert.deepEqual(await again.accounts.token('h1'), kept)
  assert.deepEqual(await again.accounts.certificate('f1'), certificate)
  assert.equal((await again.accounts.all()).length, 1)
})

test('of two who want the same name at the same moment, one gets it', async () => {
  await using home = newStores()
  const { accounts } = await home.open()
  const made = await Promise.all([
    accounts.create(ann),
    accounts.create({ ...ann, name: 'ANN', password: 'other' }),
  ])
  assert.deepEqual(made, [true, false])
  assert.equal((await accounts.get('ann'))?.password, ann.password)
})

test('nothing can be attached to a missing account, and nothing is left of a dropped one', async () => {
  await using home = newStores()
  const { accounts } = await home.open()
  assert.equal(await accounts.addToken(token), false)
  assert.equal(await accounts.addCertificate(certificate), false)
  assert.equal(await accounts.change({ key: 'ann', email: null }), false)
  await accounts.create(ann)
  await accounts.create({ ...ann, key: 'bob', name: 'bob' })
  assert.equal(await accounts.addToken(token), true)
  assert.equal(await accounts.addToken({ ...token, hash: 'h2' }), false)
  assert.equal(await accounts.addCertificate(certificate), true)
  assert.equal(await accounts.addCertificate({ ...certificate, account: 'bob' }), false)
  assert.equal(await accounts.removeToken('bob', 'laptop'), false)
  assert.equal(await accounts.drop('ann'), true)
  assert.equal(await accounts.drop('ann'), false)
  assert.equal(await accounts.token('h1'), undefined)
  assert.equal(await accounts.certificate('f1'), undefined)
  assert.equal(await accounts.addCertificate({ ...certificate, account: 'bob' }), true)
})
