import assert from 'node:assert/strict'
import { test } from 'node:test'
import { msWorked } from '../../test/worked.ts'
import { jsonOf } from './form.ts'

test('in a form the field payload is the JSON; without a form the whole body is', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const [form, json] of [
    ['payload=%7B%22a%22%3A%22b+c%22%7D', '{"a":"b c"}'],
    ['x=1&payload=%7b%7D&y', '{}'],
    ['payload=%ff%zz%', '\xff%zz%'],
    ['payloads=1&y', 'payloads=1&y'],
    ['my_payload=1&payload=%5B%5D&payload=2', '[]'],
    ['', ''],
  ] as const)
    assert.equal(Buffer.from(jsonOf(headers, Buffer.from(form))).toString('latin1'), json)
})

test('a form of many fields is read in time linear in its length', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = Buffer.from('&'.repeat(1024 * 1024))
  const ms = msWorked(() => assert.equal(jsonOf(headers, body).length, body.length))
  // Looking at each field up to the end of the form took seconds.
  assert.ok(ms < 1_000, `${ms} ms`)
})
