import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { patchOf } from './patch.ts'

test('git applies a patch, and then the file is as it should be', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reposmith-'))
  const file = join(folder, 'a')
  const text = fc
    .array(fc.constantFrom('x', 'y', 'z', ''), { maxLength: 30 })
    .map((lines) => lines.join('\n'))
  assert.equal(patchOf('a', '', ''), '')
  try {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const patch = patchOf('a', before, after)
        if (before === after) return assert.equal(patch, '')
        writeFileSync(file, before)
        execFileSync('git', ['apply', '--unidiff-zero', '-'], { cwd: folder, input: patch })
        return assert.equal(readFileSync(file, 'utf8'), after)
      }),
      { numRuns: 60 },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('only what is around a change is shown, and a new file comes from nowhere', () => {
  const before = Array.from({ length: 20 }, (_, index) => `${index}\n`).join('')
  assert.equal(
    patchOf('f', before, before.replace('9\n', 'nine\n')),
    '--- a/f\n+++ b/f\n@@ -7,7 +7,7 @@\n 6\n 7\n 8\n-9\n+nine\n 10\n 11\n 12\n',
  )
  assert.equal(patchOf('f', undefined, 'a\n'), '--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n')
})
