// WeeChat, as a person has it in a terminal.
import { test } from 'node:test'
import { BOT, debianVersion, isSeen, openPlace, unlessInstalled } from './place.ts'
import { Terminal } from './terminal.ts'
import { visit } from './visit.ts'

const skip = unlessInstalled('tmux', 'weechat')

/** It asks before it takes what is typed as fast as this. */
const START = "exec weechat --run-command '/set weechat.look.paste_max_lines -1'"

test('WeeChat joins, chats, sees a webhook, and comes back', { skip }, async () => {
  isSeen('WeeChat', debianVersion('weechat-curses'))
  await using place = await openPlace()
  const guest = await visit(place, async () => {
    const terminal = place.use(await Terminal.open(START, place.home))
    await terminal.shows(/WeeChat 3/)
    await terminal.type(...place.settings('weechat'))
    await terminal.shows(/#builds\(\+nt\)/)
    return {
      say: (text) => terminal.type(text),
      hears: (nick, text) => terminal.shows(new RegExp(`[ @+]${nick}(?: \\[bot\\])? +[|│] ${text}`)),
    }
  })
  await guest.hears(`${BOT} \\[bot\\]`, 'build: failure')
})
