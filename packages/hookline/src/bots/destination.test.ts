import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationOf } from './destination.ts'
import { payloadOf, required, settingsIn } from '../../test/rigs/bots.ts'
import { fileWarnings } from './warnings.ts'

function whereWith(output: string, trigger = '') {
  const bot = `trigger: {type: event, on: message${trigger}}\noutput: {channels: ["#a", "#C"], here: true${output}}\n`
  const settings = settingsIn(`${required}${bot}`)
  return (value: object) =>
    destinationOf(settings, payloadOf(value), { event: 'chat.message', headers: {} }, (name) => name)
}

test('with here a message goes to the channel that the payload names, if the bot is in it', () => {
  const where = whereWith('')
  assert.deepEqual(where({ channel: '#c' }), { channels: ['#C'] })
  for (const elsewhere of [{ channel: '#b' }, { channel: ['#a'] }, {}])
    assert.equal(where(elsewhere), undefined)
  // It speaks there only then.
  assert.deepEqual(whereWith('', ', in: ["#heard"]')({ channel: '#HEARD' }), { channels: ['#heard'] })
})

test('with here a route still says whom it wakes', () => {
  const where = whereWith(
    ', routes: [{when: {exists: nobody}, mention: null}, {when: {exists: dba}, channels: ["#db"], mention: dba}]',
  )
  assert.deepEqual(where({ channel: '#a' }), { channels: ['#a'] })
  assert.deepEqual(where({ channel: '#a', nobody: 1 }), { channels: ['#a'], mention: null })
  assert.deepEqual(where({ channel: '#a', dba: 1 }), { channels: ['#a'], mention: 'dba' })
  assert.deepEqual(where({ channel: '#b', dba: 1 }), { channels: ['#db'], mention: 'dba' })
})

test('a bot that answers where it listens is heard there; without here it speaks to nobody', () => {
  const warnings = (output: string) =>
    fileWarnings(settingsIn(`${required}trigger: {type: event, on: join, in: ["#a"]}\noutput: {${output}}\n`))
  assert.deepEqual(warnings('here: true'), [])
  assert.match(warnings('here: false').join(), /posts to nobody/)
})

test('a route to no channel is warned of, unless the owner reads what it takes', () => {
  const routes = 'routes: [{when: {exists: x}, mention: ann}, {when: {exists: y}, channels: []}]'
  const warnings = (isTold: boolean) =>
    fileWarnings(settingsIn(`${required}output: {channels: ["#a"], dm_owner: ${isTold}, ${routes}}\n`))
  assert.match(warnings(false).join(), /^\S+ posts nowhere what matches output\.routes\.1: /)
  assert.deepEqual(warnings(true), [])
})
