// Plays test/transcripts/*.txt: what is typed, what both streams print, and the exit code. See test/transcripts/README.md.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { emptyHome, patternOf, runInShell, stepsOf, type Step } from './shell.ts'

/** In them each command is a process of its own: how one starts, ends, and meets a closed pipe. */
const REAL = new Set(['help.txt', 'unexpected.txt'])

const folder = new URL('transcripts/', import.meta.url)

// Each waits for its own server.
suite('transcripts', { concurrency: 3 }, () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
    const transcript = parse(readFileSync(new URL(file, folder), 'utf8'), file)
    test(`${file}: ${transcript.title}`, async () => {
      await using home = emptyHome()
      for (const step of transcript.steps) {
        const printed = await runInShell(step.command, home.folder, REAL.has(file))
        const expected = step.expected.join('\n')
        const shown = `${transcript.name}:${step.line}: $ ${step.command}\n${printed}`
        assert.match(printed, patternOf(expected), `${shown}\nshould have been:\n${expected}`)
      }
    })
  }
})

test('a malformed transcript is an error', () => {
  assert.throws(() => parse('$ hookline\n', 'x.txt'), /begins with a title/)
  assert.throws(() => parse('# title\nhello\n', 'x.txt'), /x.txt:2: output before any command/)
  assert.throws(() => parse('# title\n', 'x.txt'), /no command/)
  assert.doesNotMatch('abc', patternOf('ab'))
  assert.match('port 4711 is open', patternOf('port {any} is open'))
  assert.doesNotMatch('one\ntwo', patternOf('{any}'), '{any} stays on its line')
})

/** `# title`, then steps. */
function parse(text: string, name: string): { name: string; title: string; steps: readonly Step[] } {
  const [first = '', ...lines] = text.trimEnd().split('\n')
  if (!first.startsWith('# ')) throw new Error(`${name}: a transcript begins with a title: # what it shows`)
  return { name, title: first.slice(2), steps: stepsOf(lines, name, 2) }
}
