import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { flagOf, type Command } from './command.ts'
import { commands, findCommand, groups } from './commands.ts'
import { checkInput } from './input.ts'
import { nearest } from './nearest.ts'

test('names are one word, or a group and a word, and no two are the same', () => {
  assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length)
  for (const { name } of commands) {
    const words = name.split(' ')
    assert.ok(words.length === 1 || (words.length === 2 && Object.hasOwn(groups, words[0] ?? '')), name)
  }
})

test('examples run the command they stand under, with options that it has', () => {
  for (const command of commands) {
    for (const { run } of command.examples) {
      assert.ok(run.startsWith(`reposmith ${command.name}`), run)
      const own = run.replace(/'[^']*'/, '')
      for (const [flag] of own.matchAll(/--[a-z-]+/g))
        assert.ok(flagsOf(command).includes(flag), `${flag} in ${run}`)
    }
  }
})

test('commands and options match the contract', () => {
  const contract: Readonly<Record<string, readonly string[]>> = {
    learn: [],
    explain: [],
    whoami: ['--api-url', '--host'],
    'repo create': ['--org', '--private', '--description', '--apply'],
    'repo scaffold': ['--lang', '--with', '--apply'],
    'repo env': ['--owner', '--index', '--name', '--branch', '--apply'],
  }
  for (const [name, flags] of Object.entries(contract)) {
    const command = findCommand(name)
    assert.ok(command, name)
    for (const flag of flags) assert.ok(flagsOf(command).includes(flag), `${name} ${flag}`)
  }
})

test('commands that ask the host document its exit codes', () => {
  for (const { name, endpoints, exits } of commands) {
    if (endpoints.length === 0) continue
    for (const code of [1, 2, 3, 4])
      assert.ok(Object.hasOwn(exits, code), `${name} says nothing of exit ${code}`)
  }
})

test('a default is one of the choices, or within the range', () => {
  for (const command of commands) {
    const given = Object.fromEntries(
      command.arguments.map(({ name, choices }) => [name, choices?.[0] ?? 'x']),
    )
    const checked = checkInput(command, given)
    assert.ok(checked.ok, command.name)
  }
})

test('an empty text is refused where it would count as left out', () => {
  for (const [name, field, says] of [
    ['repo create', 'name', 'NAME is empty'],
    ['repo create', 'license', '--license is empty'],
    ['repo create', 'gitignore', '--gitignore is empty'],
    ['repo env', 'project', '--project is empty'],
    ['repo bootstrap', 'file', '--file is empty'],
    ['repo drift', 'file', '--file is empty'],
    ['doctor', 'path', 'PATH is empty'],
  ] as const) {
    const command = findCommand(name)
    assert.ok(command)
    const checked = checkInput(command, { name: 'x', repo: 'x', [field]: '' })
    assert.ok(!checked.ok)
    assert.equal(checked.error.message, `${name}: ${says}`)
  }
})

test('a word with one slip is nearest to itself', () => {
  const words = commands.map(({ name }) => name).filter((name) => name.length > 5)
  const slips = fc.record({
    word: fc.constantFrom(...words),
    at: fc.nat(),
    letter: fc.constantFrom('x', 'y', 'z'),
  })
  fc.assert(
    fc.property(slips, ({ word, at, letter }) => {
      const cut = at % word.length
      assert.equal(nearest(word.slice(0, cut) + letter + word.slice(cut + 1), words), word)
    }),
  )
})

function flagsOf({ options }: Command): readonly string[] {
  return [...options.map(flagOf), '--json', '--help']
}
