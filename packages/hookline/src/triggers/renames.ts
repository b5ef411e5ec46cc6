// Passes a channel's new name on to the history, and to the owners of bots whose files have the old one.
import type { Bots } from '../bots/bots.ts'
import { presenceOf } from '../bots/destination.ts'
import { changeOf } from '../chat/features/index.ts'
import type { Chat } from '../chat/chat.ts'
import { channelKey } from '../irc/names.ts'
import type { Store } from '../store/store.ts'
import type { TellOwner } from '../webhooks/noticelimits.ts'

export interface Told {
  readonly chat: Pick<Chat, 'state' | 'observe'>
  readonly bots: Pick<Bots, 'list'>
  readonly tellOwner: TellOwner
}

/** Starts following the chat. */
export function followRenames({ chat, bots, tellOwner }: Told, store: Pick<Store, 'rename'>): void {
  chat.observe(({ event }, change) => {
    if (event.kind !== 'channel.renamed') return
    const { channel: from, name } = event
    const to = channelKey(name)
    // In another case of the letters it is the same conversation: that may happen at any time, and a long history is slow to move.
    if (from === to) return
    store.rename({ from, to, name })
    const members = chat.state.channels.get(to)?.members
    for (const { name: bot, user, settings } of bots.list()) {
      const member = user && members?.get(user)
      if (settings === undefined || member === undefined) continue
      const named = (key: string) => presenceOf(settings).find((each) => channelKey(each) === key)
      // If it was renamed before, the file may have the name that it had when the bot joined.
      const listed = named(from) ?? named(member.joinedAs)
      if (listed === undefined) continue
      const text = `${changeOf(event, change)} has been renamed to ${name}. ${bot} is still in it, but will join ${listed} when the server next starts: change the channel to ${name} in its bot.yaml`
      tellOwner(bot, text)
    }
  })
}
