import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { isSecret, keyBytes, newSecret, resolveSecret, secretFlaw } from './secret.ts'

test('a reference is accepted as a secret; a generated secret is long and unique', () => {
  assert.equal(isSecret('env:A'), true)
  assert.ok(newSecret().length === 43 && newSecret() !== newSecret())
})

test('references are resolved on use; a missing one is named', () => {
  using folder = newFolder()
  const resolved = (reference: string): string => {
    const result = resolveSecret(reference, folder.path, { GOOD: 'long enough', SHORT: 'tiny' })
    return result.ok ? `= ${result.secret}` : result.reason
  }
  writeFileSync(join(folder.path, 'a'), 'from the file\n')
  assert.equal(resolved('written out'), '= written out')
  assert.equal(resolved('env:GOOD'), '= long enough')
  assert.equal(resolved('file:a'), '= from the file')
  assert.match(resolved('env:ABSENT'), /^the environment variable ABSENT is not set: /)
  assert.match(resolved('env:SHORT'), /^the environment variable SHORT has fewer than 8/)
  assert.match(resolved('file:b'), /\/b cannot be read: create it/)
  assert.match(resolved('file:/dev/zero'), /^\/dev\/zero is not a file/)
})

test('a base64 key is valid only as a whole; a new user:password pair keeps its user', () => {
  // Of the Standard Webhooks specification's libraries.
  assert.equal(keyBytes('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')?.length, 24)
  assert.equal(keyBytes('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')?.length, 24)
  for (const cut of ['whsec_', 'whsec_MfKQ9r8G KYqrTwjUPD8I', 'MfKQ9r8GKYqrT', 'whsec_MfKQ-_==']) {
    assert.equal(keyBytes(cut, 'base64'), undefined, cut)
  }
  for (const form of ['text', 'base64', 'pair'] as const) {
    assert.equal(secretFlaw(newSecret(form), form), undefined)
    assert.notEqual(newSecret(form), newSecret(form))
  }
  assert.match(newSecret('pair', 'grafana:the one before'), /^grafana:[\w-]{43}$/)
  for (const reference of ['env:GRAFANA', 'file:secret'])
    assert.match(newSecret('pair', reference), /^hookline:[\w-]{43}$/)
})
