// The table in README.md, from the seed document's lines to tests, names only what exists.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const table = readFileSync(new URL('README.md', import.meta.url), 'utf8')
const rows = table.split('\n').filter((line) => /^\| \d/.test(line))

test('each line has a test, and each named file exists', () => {
  assert.ok(rows.length >= 15)
  for (const row of rows) {
    const [, , tests = ''] = row.split('|')
    const files = [...tests.matchAll(/`([\w./-]+\.(?:test\.ts|txt|md))`/g)].map(([, file = '']) => file)
    assert.ok(files.length > 0, row)
    for (const file of files) {
      const isThere = ['', '../'].some((folder) => existsSync(new URL(folder + file, import.meta.url)))
      assert.ok(isThere, `${file}: ${row}`)
    }
  }
})
