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

test('in a conversation a hang-up has been dealt with before the next line is typed', () =>
  play(
    Array.from(
      { length: 20 },
      (_, n) =>
        `bob > PING ${n}\nbob / {any} ${n}\nann${n} > AWAY\nann${n} ~\nann${n} -\nbob > ISON ann${n}\nbob < :spark 303 bob :`,
    ).join('\n'),
  ))
