import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { handlers } from './perform.ts'
import { checkInput } from './input.ts'
import { flagOf, type Operation } from './command.ts'
import { findOperation, groups, operations } from './list.ts'

test('every operation but the command line’s own has a handler, and every handler an operation', () => {
  const handled = operations.filter(({ where }) => where !== 'here').map(({ name }) => name)
  assert.deepEqual(Object.keys(handlers).toSorted(), handled.toSorted())
})

test('names are one word, a group and a word, or an operation and a word, all distinct', () => {
  assert.equal(new Set(operations.map(({ name }) => name)).size, operations.length)
  for (const { name } of operations) {
    const words = name.split(' ')
    const [group = '', ...rest] = words
    const isBelow = findOperation(words.slice(0, 2).join(' ')) !== undefined
    assert.ok(
      rest.length === 0 ||
        (rest.length === 1 && findOperation(group) !== undefined) ||
        (Object.hasOwn(groups, group) && (rest.length === 1 || (rest.length === 2 && isBelow))),
      name,
    )
  }
})

test('examples run their own operation, with existing options', () => {
  for (const operation of operations) {
    for (const { run } of operation.examples) {
      assert.ok(run.includes(`hookline ${operation.name}`), run)
      for (const [flag] of run.matchAll(/--[a-z-]+/g))
        assert.ok(flagsOf(operation).includes(flag), `${flag} in ${run}`)
    }
  }
})

test('operations that ask the server or work on files document exit code 2', () => {
  for (const { name, where, exits } of operations)
    assert.ok(where === 'here' || Object.hasOwn(exits, 2), name)
})

test('commands and options match the contract', () => {
  const contract: Record<string, readonly string[]> = {
    'server start': [
      '--name',
      '--host',
      '--port',
      '--webhook-host',
      '--webhook-port',
      '--config',
      '--detach',
      '--example',
    ],
    'bot create': [
      '--owner',
      '--channels',
      '--mention',
      '--template',
      '--description',
      '--dm-owner',
      '--fallback',
      '--preset',
      '--secret',
      '--auth',
      '--start',
    ],
    'bot deliveries': ['--failed', '--limit'],
    'bot test': ['--payload', '--event', '--header'],
    'bot edit': ['--preset', '--no-preset'],
    'preset list': [],
    'preset show': [],
    history: ['--limit'],
    send: ['--as'],
  }
  for (const [name, flags] of Object.entries(contract)) {
    const operation = findOperation(name)
    assert.ok(operation, name)
    for (const flag of flags) assert.ok(flagsOf(operation).includes(flag), `${name} ${flag}`)
  }
  for (const verb of ['start', 'stop', 'list', 'inspect', 'edit', 'delete', 'validate', 'logs', 'replay']) {
    assert.ok(findOperation(`bot ${verb}`), verb)
  }
})

test('input: defaults are filled in, and mistakes are named', () => {
  const list = operationOf('bot deliveries')
  assert.deepEqual(checkInput(list, {}), { ok: true, output: { limit: 20 } })
  assert.deepEqual(checkInput(list, { limit: 5, failed: true, name: 'a' }), {
    ok: true,
    output: { limit: 5, failed: true, name: 'a' },
  })
  assert.equal(
    messageFor('bot deliveries', { limit: 0 }),
    'bot deliveries: --limit takes a whole number from 1 to 1000',
  )
  assert.equal(
    messageFor('bot deliveries', { limit: '5x' }),
    'bot deliveries: --limit takes a whole number from 1 to 1000',
  )
  assert.equal(messageFor('bot deliveries', { failed: 'yes' }), 'bot deliveries: --failed takes no value')
  assert.equal(messageFor('bot deliveries', { colour: 1 }), 'bot deliveries: it takes no colour')
  assert.equal(messageFor('bot start', {}), 'bot start: NAME is missing')
  assert.equal(messageFor('bot start', { name: '' }), 'bot start: NAME is empty')
  assert.equal(
    messageFor('bot create', { name: 'a', owner: 'b', auth: 'githb' }).replace(/github, .*none/, '…'),
    'bot create: --auth takes one of …: did you mean github?',
  )
  assert.equal(
    messageFor('bot create', { name: 'a', owner: 'b', mention: null }),
    'bot create: --mention cannot be removed',
  )
  assert.equal(messageFor('bot start', []), 'bot start: the input must be an object')
  assert.deepEqual(checkInput(operationOf('bot edit'), { name: 'a', mention: null }), {
    ok: true,
    output: { name: 'a', mention: null },
  })
})

test('no input makes the check throw, and nothing undeclared passes', () => {
  fc.assert(
    fc.property(fc.constantFrom(...operations), fc.anything(), (operation, input) => {
      const checked = checkInput(operation, input)
      if (!checked.ok) return assert.equal(checked.error.code, 1)
      const known = [...operation.arguments, ...operation.options].map(({ name }) => name)
      for (const name of Object.keys(checked.output)) assert.ok(known.includes(name))
    }),
  )
})

function operationOf(name: string): Operation {
  const operation = findOperation(name)
  assert.ok(operation, name)
  return operation
}

function messageFor(name: string, input: unknown): string {
  const checked = checkInput(operationOf(name), input)
  return checked.ok ? 'ok' : checked.error.message
}

function flagsOf(operation: Operation): readonly string[] {
  const clear = operation.options
    .filter((option) => option.clearable)
    .map((option) => `--no-${flagOf(option).slice(2)}`)
  return [...operation.options.map(flagOf), ...clear, '--json', '--help']
}
