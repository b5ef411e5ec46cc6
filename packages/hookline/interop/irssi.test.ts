// irssi, as a person has it in a terminal.
import { test } from 'node:test'
import { debianVersion, isSeen, openPlace, unlessInstalled } from './place.ts'
import { Terminal } from './terminal.ts'
import { visit } from './visit.ts'

const skip = unlessInstalled('tmux', 'irssi')

test('irssi joins, chats, sees a webhook, and comes back', { skip }, async () => {
  isSeen('irssi', debianVersion('irssi'))
  await using place = await openPlace()
  await visit(place, async () => {
    const terminal = place.use(await Terminal.open('exec irssi', place.home))
    await terminal.shows(/\[\(status\)\]/)
    await terminal.type(...place.settings('irssi'))
    await terminal.shows(/\[Act: .*2/)
    await terminal.type('/window 2')
    await terminal.shows(/\[#builds\]/)
    return {
      say: (text) => terminal.type(text),
      hears: (nick, text) => terminal.shows(new RegExp(`<[ +@]?${nick}> ${text}`)),
    }
  })
})
