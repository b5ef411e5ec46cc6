// docs/irc.md: it lists everything that the server speaks, and the server speaks everything it lists.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commands } from '../src/chat/features/index.ts'
import { CAPS } from '../src/irc/caps.ts'
import { CHANNEL_MODE_TEXTS, USER_MODE_TEXTS } from '../src/irc/modes.ts'
import { blocksOf, tableOf } from './docs.ts'
import { Person } from './person.ts'
import { startRig } from './rig.ts'

const page = 'irc'

test('every command is in the page, and every command in the page exists', () => {
  assert.deepEqual(namesIn('Command'), [...commands.keys()].toSorted())
})

test('every capability is in the page, and no other', () => {
  // sts is told and never asked for, so it is in no set.
  assert.deepEqual(namesIn('Capability'), [...Object.keys(CAPS), 'sts'].toSorted())
})

test('every mode of a channel and of a user is in the page, described as in HELP, and no other', () => {
  assert.deepEqual(modesIn('Channel mode'), CHANNEL_MODE_TEXTS)
  assert.deepEqual(modesIn('User mode'), USER_MODE_TEXTS)
})

test('every token of 005 is in the page, as sent by a server with everything enabled, and no other', async () => {
  const config =
    'server: {icon: "https://example.org/icon.svg"}\nlogging: {level: error}\n' +
    'accounts: {password_cost: 4, required: true, registration: {before_connect: true}}\n'
  await using rig = await startRig({ config })
  using ann = await Person.connect(rig.ircPort)
  ann.type('NICK ann', 'REGISTER * * kettle', 'USER ann 0 * ann')
  const told: string[] = []
  for (let line = await ann.next(); !line?.includes(' 422 '); line = await ann.next()) {
    const tokens = / 005 ann (.*) :are supported by this server$/.exec(line ?? '')?.[1]
    if (tokens !== undefined) told.push(...tokens.split(' ').map((token) => token.split('=')[0] ?? ''))
  }
  assert.deepEqual(namesIn('Token'), told.toSorted())
})

test('each entry describes itself in one line, and names its specification', () => {
  for (const head of ['Command', 'Capability', 'Channel mode', 'User mode', 'Token']) {
    for (const [name, what = '', source = ''] of tableOf(page, head)) {
      assert.match(what, /^\S.{5,120}$/, name)
      assert.match(source, /^\[[^\]]+\]\(https:\/\/\S+\)/, name)
    }
  }
  assert.deepEqual(blocksOf(page), [], 'nobody knows what to do with a block here')
})

/** `+b` → b, with what it does. */
function modesIn(head: string): Record<string, string> {
  const rows = tableOf(page, head).map((row) => row.map((cell) => cell.replaceAll('`', '')))
  return Object.fromEntries(rows.map(([name = '', what = '']) => [name.replace('+', ''), what]))
}

function namesIn(head: string): string[] {
  return tableOf(page, head).map(([name = '']) => name.replaceAll('`', ''))
}
