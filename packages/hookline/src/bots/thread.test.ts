import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOf } from './plan.ts'
import { payloadOf, settingsIn } from '../../test/rigs/bots.ts'

test('deliveries with the same rendered key belong together, whatever else the payload holds', () => {
  const template = '{body.repository.full_name}#{body.pull_request.number}'
  const one = keyOf(template, {
    action: 'opened',
    repository: { full_name: 'a/b' },
    pull_request: { number: 7 },
  })
  const other = keyOf(template, { repository: { full_name: 'a/b' }, pull_request: { number: '7' } })
  assert.deepEqual([one, other], ['a/b#7', 'a/b#7'])
  assert.equal(keyOf('{headers.x-run}', {}, { 'x-run': '42' }), '42')
  assert.equal(keyOf('all of it', {}), 'all of it')
})

test('a token without a value, with null or with only invisible text gives no thread', () => {
  assert.equal(keyOf('{body.number}', {}), undefined)
  assert.equal(keyOf('{body.number}', { number: null }), undefined)
  assert.equal(keyOf('run {body.number}', { number: null }), undefined)
  assert.equal(keyOf('run {body.name}', { name: '' }), undefined)
  assert.equal(keyOf('{body.name}', { name: ' \n ' }), undefined)
  assert.equal(keyOf('{body.flag}', { flag: false }), 'false')
  assert.equal(keyOf('{body.flag}', { flag: 0 }), '0')
})

test('a long key is stored by its hash, and different ones stay different', () => {
  const [one = '', other = ''] = ['a', 'b'].map((last) => keyOf('{key}', { key: 'x'.repeat(300) + last }))
  assert.match(one, /^[0-9a-f]{64}$/)
  assert.notEqual(one, other)
})

test('without output.thread there are no keys', () => {
  for (const none of ['', 'thread: " "']) assert.equal(planOf(settingsOf(none)).thread, undefined)
})

test('text that only looks like a token gives a warning, as in a template; so does Liquid', () => {
  const warnings = (output: string) => planOf(settingsOf(output)).warnings
  assert.deepEqual(warnings('thread: "{body.number|uper}"'), [
    'output.thread: {body.number|uper}: there is no filter uper: did you mean upper?',
  ])
  assert.deepEqual(warnings('thread: "{{ body.number }}"'), [
    'output.thread: {{ body.number }} is plain text here: a token is {body.name}, with one brace and no spaces',
  ])
  assert.deepEqual(warnings('engine: liquid, thread: "{{ number }}"'), [
    'output.thread: {{ number }} is plain text here: a thread is in tokens, {body.name}, also with engine: liquid',
  ])
  assert.deepEqual(warnings('thread: "{{ number }}"'), [
    'output.thread: {{ number }} is plain text here: a token is {body.name}, with one brace and no spaces',
  ])
  assert.deepEqual(warnings('thread: body.number'), [
    'output.thread: body.number is plain text, the same for all messages: a token is {body.number}',
  ])
  for (const fine of ['{body.number}', 'all of it'])
    assert.deepEqual(warnings(`engine: liquid, thread: "${fine}"`), [])
})

function keyOf(template: string, body: object, headers: Record<string, string> = {}): string | undefined {
  const { thread } = planOf(settingsOf(`thread: ${JSON.stringify(template)}`))
  return thread?.(payloadOf(body), { event: null, headers })
}

function settingsOf(output: string) {
  const text = `bot: {name: spark-ori-ci, owner: spark-ori}\noutput: {${output}}\n`
  return settingsIn(text, 'spark-ori-ci')
}
