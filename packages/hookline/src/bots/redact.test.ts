import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import test from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { Prints } from '../handlers/prints.ts'
import { redact, redacting, valuesOf } from './redact.ts'

test('the bot’s own secrets are removed, wherever they appear', () => {
  using folder = newFolder()
  writeFileSync(join(folder.path, 'secret'), 'from-a-file-1234\n')
  process.env['HOOKLINE_TEST_SECRET'] = 'from-the-environment'
  const values = valuesOf(
    ['written-out-1234', 'ada:pass-phrase', 'file:secret', 'env:HOOKLINE_TEST_SECRET', 'env:NOT_SET'],
    folder.path,
  )
  delete process.env['HOOKLINE_TEST_SECRET']
  assert.equal(
    redact(
      'pass-phrase and a from-a-file-1234, bfrom-the-environmentb, written-out-1234written-out-1234',
      values,
    ),
    '[secret] and a [secret], b[secret]b, [secret][secret]',
  )
})

test('values named like secrets are removed; other text stays unchanged', () => {
  for (const [text, expected] of [
    ['GET https://x.example/?token=abc12345&page=2', 'GET https://x.example/?token=[secret]&page=2'],
    ["{'api_key': 'abc12345', 'n': 1}", "{'api_key': '[secret]', 'n': 1}"],
    ['{"client_secret":"abc12345"}', '{"client_secret":"[secret]"}'],
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer [secret]'],
    ['PASSWORD = hunter22', 'PASSWORD = [secret]'],
    ["KeyError: 'token'", "KeyError: 'token'"],
    ['the token: expected a string, was none', 'the token: expected a string, was none'],
    ['raise ValueError(f"token={token}")', 'raise ValueError(f"token={token}")'],
    ['tokens = 12', 'tokens = 12'],
  ] as const)
    assert.equal(redact(text, []), expected)
})

test('handler output is logged without the bot’s secrets, otherwise unchanged', () => {
  const logged: object[] = []
  const keep = (data: object, text: string): void => void logged.push({ ...data, text })
  const log = redacting({ info: keep, warn: keep }, (bot) => (bot === 'spark-ori-ci' ? ['sesame-1234'] : []))
  log.info({ bot: 'spark-ori-ci', line: 'it is sesame-1234' }, 'handler printed')
  log.info({ bot: 'spark-ori-x', line: 'it is sesame-1234' }, 'handler printed')
  log.info({ bot: 'spark-ori-x', line: 'token=abc12345' }, 'handler printed')
  log.warn({ bot: 'spark-ori-ci' }, 'handler prints too much')
  assert.deepEqual(logged, [
    { bot: 'spark-ori-ci', line: 'it is [secret]', text: 'handler printed' },
    { bot: 'spark-ori-x', line: 'it is sesame-1234', text: 'handler printed' },
    { bot: 'spark-ori-x', line: 'token=[secret]', text: 'handler printed' },
    { bot: 'spark-ori-ci', text: 'handler prints too much' },
  ])
})

test('the record of a crash begins with a whole line, in which a secret is recognised', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `${'open-sesame-1234 '.repeat(25)}${index}`)
  const text = `${lines.join('\n')}\n`
  for (const before of ['', 'more than is logged\n'.repeat(200)]) {
    const pipe = new PassThrough()
    const prints = new Prints('spark-ori-ci', { info: () => {}, warn: () => {} })
    prints.follow([pipe], 1e6, () => {})
    pipe.write(before + text.slice(0, -500))
    pipe.end(text.slice(-500))
    await finished(pipe)
    assert.deepEqual(prints.last.split('\n'), lines.slice(-prints.last.split('\n').length))
  }
})

test('a line that is cut within a secret shows nothing of it', async () => {
  const logged: unknown[] = []
  const keep = (data: object): void => void logged.push('line' in data && data.line)
  const secrets = ['open-sesame', 'open-sesame-1234']
  const pipe = new PassThrough()
  const prints = new Prints(
    'spark-ori-ci',
    redacting({ info: keep, warn: keep }, () => secrets),
  )
  prints.follow([pipe], 1e6, () => {})
  pipe.end(['open-sesame-1234', `${'x'.repeat(985)}open-sesame-1234`, 'it is open-ses', ''].join('\n'))
  await finished(pipe)
  const shown = ['[secret]', `${'x'.repeat(985)}[secret]`, 'it is open-ses']
  assert.deepEqual(logged, shown)
  // The record of a crash tells them too.
  assert.deepEqual(redact(`it crashed:\n${prints.last}`, secrets).split('\n'), ['it crashed:', ...shown])
})
