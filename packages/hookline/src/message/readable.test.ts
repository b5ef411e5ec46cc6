import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReadable } from './readable.ts'

const readable = (address: string, key = 'url') => isReadable(key, address)

test('pages for people are readable', () => {
  for (const address of [
    'https://github.com/acme/kettle/issues/7#issuecomment-99',
    'https://gitlab.example.com/acme/kettle/-/merge_requests/12#note_1244',
    'https://prometheus.example.com/graph?g0.expr=disk_used+%3E+0.9&g0.tab=1',
    'https://grafana.example.com/d/kitchen?viewPanel=4',
    'https://monkey.example.com/keyboard/tokens-of-love',
    'https://github.com/acme/retry-lib/pull/12',
    'http://127.0.0.1:8080/build/7/',
  ])
    assert.ok(readable(address), address)
})

test('addresses that do something when they are opened are not', () => {
  for (const address of [
    'https://news.example.com/unsubscribe/42',
    'https://alerts.example.com/incidents/7/acknowledge',
    'https://alerts.example.com/silence?alert=DiskFull',
    'https://ci.example.com/job/7/retry',
    'https://shop.example.com/account/confirm-address',
  ])
    assert.ok(!readable(address), address)
  assert.ok(!readable('https://news.example.com/u/42', 'unsubscribe_url'))
  assert.ok(!readable('https://alerts.example.com/7', 'ackUrl'))
})

test('addresses that carry a secret are not', () => {
  for (const address of [
    'https://files.example.com/a.txt?token=made-up',
    'https://files.example.com/a.txt?X-Amz-Signature=made-up&X-Amz-Expires=60',
    'https://files.example.com/a.txt?accessToken=made-up',
    'https://files.example.com/a.txt?api_key=made-up',
    'https://files.example.com/a.txt?sv=2024&sig=made-up',
    'https://files.example.com/#access_token=made-up',
    'https://ada:made-up@files.example.com/a.txt',
    'https://files.example.com/a.txt;token/made-up',
  ])
    assert.ok(!readable(address), address)
  assert.ok(!readable('https://files.example.com/made-up', 'authUrl'))
})

test('addresses for programs, and pictures, are not', () => {
  for (const address of [
    'https://api.github.com/repos/acme/kettle',
    'https://gitlab.example.com/api/v4/projects/1',
    'https://jira.example.com/rest/2/issue/7',
    'https://files.example.com/report.json',
    'https://files.example.com/ada.png',
    'not an address',
  ])
    assert.ok(!readable(address), address)
  assert.ok(!readable('https://people.example.com/1', 'avatar_url'))
})
