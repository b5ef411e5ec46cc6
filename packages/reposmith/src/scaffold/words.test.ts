import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { quote } from '../plan/text.ts'
import { splitWords } from './words.ts'

const LINES = [
  'npm init -y',
  `  tabs\tand "two words" 'and $these'  `,
  String.raw`a\ b "say \"hi\" \\ \n" 'it'\''s' "" end`,
  `--name="a b"c{path}`,
  'über-tool ~ #x',
  'Ada\u00a0Lovelace \u2003 a\rb\fc',
  `uv init \\\n  --lib 'a\\\nb' "c\\\nd" e\\\nf \\\n`,
]

for (const line of LINES) {
  test(`the words of ${line} are those that a shell would make of it`, () => {
    // ~ and # are special to the shell only: for it they are quoted.
    const shown = line.replace('~', String.raw`\~`).replace('#', String.raw`\#`)
    const printed = execFileSync('/bin/sh', ['-c', String.raw`printf '%s\0' ${shown}`], { encoding: 'utf8' })
    assert.deepEqual(splitWords(line), { ok: true, output: printed.split('\0').slice(0, -1) })
  })
}

test('quoting round-trips', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
      assert.deepEqual(splitWords(words.map(quote).join(' ')), { ok: true, output: words })
    }),
  )
})

for (const line of [
  'a | b',
  'a && b',
  'a; b',
  'a > b',
  'echo $HOME',
  'echo "$HOME"',
  String.raw`a "\\$b"`,
  'a `b`',
]) {
  test(`${line} needs a shell, and is refused`, () => {
    const split = splitWords(line)
    assert.ok(!split.ok)
    assert.match(split.error.message, /only a shell understands/)
    assert.match(split.error.remediation, /script/)
  })
}

for (const line of [`a 'b`, 'a "b', 'a \\']) {
  test(`${line} is not closed`, () => {
    const split = splitWords(line)
    assert.ok(!split.ok)
    assert.match(split.error.message, /ends inside/)
  })
}
