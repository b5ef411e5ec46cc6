// How the commands describe themselves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteLength } from '../../irc/split.ts'
import { commands } from './index.ts'

test('every line of HELP begins with the command and fits, whatever names it contains', () => {
  for (const { name, help } of commands.values()) {
    for (const line of [help].flat()) {
      assert.match(line, new RegExp(`^${name}[ :]`), line)
      // 512 without `:server 705 nick subject :`, at their longest.
      assert.ok(byteLength(line) <= 512 - 2 - 63 - 64 - 64 - 12, line)
    }
  }
})
