// Plays every file in conversations/. How one is written: CONTRIBUTING.md.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { play } from './conversation.ts'

for (const file of globSync(`${import.meta.dirname}/conversations/*.txt`).toSorted()) {
  const script = readFileSync(file, 'utf8')
  const title = /^# (.*)/.exec(script)?.[1] ?? basename(file)
  test(`${basename(file, '.txt')}: ${title}`, () => play(script))
}
