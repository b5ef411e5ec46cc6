import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkInput } from './input.ts'
import { type Command, flagOf } from './command.ts'
import { commands, groups, loadCommands } from './list.ts'

const all = await loadCommands()

test('every command but the command line’s own says what it does, prints and shows', () => {
  const whole = all.filter(({ run, output, show }) => run && output && show)
  assert.deepEqual(
    whole.map(({ name }) => name),
    all.filter(({ where }) => where !== 'here').map(({ name }) => name),
  )
})

test('names are one word, a group and a word, or a command and a word, all distinct', () => {
  assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length)
  for (const { name } of commands) {
    const words = name.split(' ')
    const [group = '', ...rest] = words
    const isBelow = isListed(words.slice(0, 2).join(' '))
    assert.ok(
      rest.length === 0 ||
        (rest.length === 1 && isListed(group)) ||
        (Object.hasOwn(groups, group) && (rest.length === 1 || (rest.length === 2 && isBelow))),
      name,
    )
  }
})

test('examples run their own command, with existing options', () => {
  for (const command of all) {
    for (const { run } of command.examples) {
      assert.ok(run.includes(`hookline ${command.name}`), run)
      for (const [flag] of run.matchAll(/--[a-z-]+/g))
        assert.ok(flagsOf(command).includes(flag), `${flag} in ${run}`)
    }
  }
})

test('commands that ask the server or work on files document exit code 2', () => {
  for (const { name, where, exits } of all) assert.ok(where === 'here' || Object.hasOwn(exits, 2), name)
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
    const command = all.find((each) => each.name === name)
    assert.ok(command, name)
    for (const flag of flags) assert.ok(flagsOf(command).includes(flag), `${name} ${flag}`)
  }
  for (const verb of ['start', 'stop', 'list', 'inspect', 'edit', 'delete', 'validate', 'logs', 'replay']) {
    assert.ok(isListed(`bot ${verb}`), verb)
  }
})

test('input: defaults are filled in, and mistakes are named', () => {
  const list = commandOf('bot deliveries')
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
  assert.deepEqual(checkInput(commandOf('bot edit'), { name: 'a', mention: null }), {
    ok: true,
    output: { name: 'a', mention: null },
  })
})

test('no input makes the check throw, and nothing undeclared passes', () => {
  fc.assert(
    fc.property(fc.constantFrom(...all), fc.anything(), (command, input) => {
      const checked = checkInput(command, input)
      if (!checked.ok) return assert.equal(checked.error.code, 1)
      const known = [...command.arguments, ...command.options].map(({ name }) => name)
      for (const name of Object.keys(checked.output)) assert.ok(known.includes(name))
    }),
  )
})

function isListed(name: string): boolean {
  return commands.some((each) => each.name === name)
}

function commandOf(name: string): Command {
  return all.find((each) => each.name === name) ?? assert.fail(name)
}

function messageFor(name: string, input: unknown): string {
  const checked = checkInput(commandOf(name), input)
  return checked.ok ? 'ok' : checked.error.message
}

function flagsOf({ options }: Command): readonly string[] {
  const clear = options
    .filter((option) => option.clearable)
    .map((option) => `--no-${flagOf(option).slice(2)}`)
  return [...options.map(flagOf), ...clear, '--json', '--help']
}
