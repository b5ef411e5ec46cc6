import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonOf } from './form.ts'

test('in a form the field payload is the JSON; without a form the whole body is', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const [form, json] of [
    ['payload=%7B%22a%22%3A%22b+c%22%7D', '{"a":"b c"}'],
    ['x=1&payload=%7b%7D&y', '{}'],
    ['payload=%ff%zz%', '\xff%zz%'],
    ['payloads=1&y', 'payloads=1&y'],
    ['', ''],
  ] as const)
    assert.equal(Buffer.from(jsonOf(headers, Buffer.from(form))).toString('latin1'), json)
})
