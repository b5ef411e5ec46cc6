// docs/clients.md: its settings are those that the tests of interop/ give to the clients, so each must be used there.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { blocksOf, tableOf } from './docs.ts'

const folder = new URL('../interop/', import.meta.url)
const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'))
const code = sources.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')

test('every example of the page is what a client was given', () => {
  const blocks = blocksOf('clients')
  const names = blocks.map(({ info }) => info.split(' ')[1] ?? info)
  assert.equal(new Set(names).size, names.length, 'two of one name')
  const unused = names.filter((name) => !new RegExp(`(settings|theBlock)\\('${name}'\\)`).test(code))
  assert.deepEqual(unused, [], 'no test of interop/ reads these')
})

test('the table has every client that is tested, and no other', () => {
  const tested = [...code.matchAll(/isSeen\('([^']+)'/g)].map(([, name]) => name)
  const told = tableOf('clients', 'client').map(([name]) => name)
  assert.deepEqual(new Set(told), new Set(tested))
})
