// docs/accounts.md: every command of it is typed, every line of it is said, and its settings are the defaults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { MECHANISMS } from '../src/accounts/sasl.ts'
import { serverSchema } from '../src/config/schema.ts'
import { play } from './conversation.ts'
import { type Block, playPage, tableOf, typeCommands } from './docs.ts'
import { startRig } from './rig.ts'

const page = 'accounts'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  await playPage(page, {
    console: (block) => typeCommands(block, rig),
    irc: (block) => play(conversationOf(block)),
    'yaml server': compare,
  })
})

test('the table has every mechanism', () => {
  const ways = tableOf(page, 'way').map(([way = '']) => way.replaceAll('`', ''))
  assert.deepEqual(ways.slice(0, MECHANISMS.length), MECHANISMS)
})

/** What a client makes of it: `/msg` is PRIVMSG, and of a notice or a numeric it shows the text. */
function conversationOf({ lines }: Block): string {
  return lines
    .map((line) =>
      line
        .replace(/^(\w+) > \/msg (\S+) /, '$1 > PRIVMSG $2 :')
        .replace(/^(\w+) < (?!:)(You are now .*)$/, '$1 < :{server} 900 {any} :$2')
        .replace(/^(\w+) ([</]) (?!:)/, '$1 $2 :{any}Serv!{any}@{server} NOTICE $1 :'),
    )
    .join('\n')
}

function compare({ lines }: Block): void {
  const { accounts } = serverSchema().parse({})
  const { multiclient: _, always_on: __, ...shown } = accounts
  assert.deepEqual(parse(lines.join('\n')), { accounts: shown })
}
