// How the commands describe themselves, and what HELP says besides.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteLength } from '../../irc/split.ts'
import { topics } from './help.ts'
import { commands } from './index.ts'

/** 512 without `:server 705 nick subject :`, at their longest. */
const ROOM = 512 - 2 - 63 - 64 - 64 - 12

test('every line of HELP begins with the command and fits, whatever names it contains', () => {
  for (const { name, help } of commands.values()) {
    for (const line of [help].flat()) {
      assert.match(line, new RegExp(`^${name}[ :]`), line)
      assert.ok(byteLength(line) <= ROOM, line)
    }
  }
})

test('no topic of HELP hides behind a command, and each of its lines fits', () => {
  for (const [name, { lines }] of topics) {
    assert.ok(!commands.has(name), name)
    for (const line of lines) assert.ok(byteLength(line) <= ROOM, line)
  }
})
