// The table in README.md, from the seed document's lines to tests, names only what exists. “” is a test's title.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PERMISSIONS, topics } from '../src/cli/topics.ts'
import { commands } from '../src/table/commands.ts'

const table = readFileSync(new URL('README.md', import.meta.url), 'utf8')
const rows = table.split('\n').filter((line) => /^\| \d/.test(line))

test('each line has a test, and each named file and title exists', () => {
  assert.ok(rows.length >= 15)
  for (const row of rows) {
    const [, , tests = ''] = row.split('|')
    const named = [...tests.matchAll(/`([\w./-]+\.(?:test\.ts|txt|md))`(?:: “(.+?)”)?/g)]
    assert.ok(named.length > 0, row)
    for (const [, file = '', title = ''] of named) {
      const found = ['', '../']
        .map((folder) => new URL(folder + file, import.meta.url))
        .find((url) => existsSync(url))
      assert.ok(found, `${file}: ${row}`)
      assert.ok(readFileSync(found, 'utf8').includes(title), `${title}: ${row}`)
    }
  }
})

test('explain tokens says of each command that asks the host what its token must be allowed to do', () => {
  const asking = commands.filter(({ endpoints }) => endpoints.length > 0).map(({ name }) => name)
  assert.deepEqual(Object.keys(PERMISSIONS).toSorted(), asking.toSorted())
  for (const name of asking)
    assert.match(topics['tokens']?.text ?? '', new RegExp(`- \`${name}\`: .*; fine-grained: `))
})
