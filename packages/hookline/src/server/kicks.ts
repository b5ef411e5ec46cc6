// A bot that is kicked: an invitation brings it back, and the owner of one that listens there is told, as it would not come by itself.
import type { BotSettings } from '../bots/botfile.ts'
import { presenceOf } from '../bots/destination.ts'
import { channelKey, type ChannelKey } from '../irc/names.ts'
import type { Rooms } from './rooms.ts'

/** Starts following the chat. */
export function followKicks({
  chat,
  bots,
  virtualUsers,
  tellOwner,
}: Pick<Rooms, 'chat' | 'bots' | 'virtualUsers' | 'tellOwner'>): void {
  chat.observe(({ event }) => {
    if (event.kind !== 'channel.kicked' && event.kind !== 'channel.invited') return
    const bot = bots.list().find(({ user }) => user === event.user)
    const settings = bot?.settings
    if (bot === undefined || settings === undefined) return
    if (event.kind === 'channel.invited') {
      if (isIn(presenceOf(settings), event.channel)) virtualUsers.moveTo(event.user, presenceOf(settings))
      return
    }
    if (!isIn(heardBy(settings), event.channel)) return
    const name = chat.state.channels.get(event.channel)?.name ?? event.channel
    const by = chat.state.users.get(event.by)?.nick ?? 'somebody'
    tellOwner(
      bot.name,
      `${bot.name} was kicked from ${name} by ${by} and hears nothing there until it speaks again: /invite ${bot.name} ${name} brings it back`,
    )
  })
}

/** Where it waits for what happens in the chat. */
function heardBy({ trigger: { reaction }, output }: BotSettings): readonly string[] {
  const listens = reaction?.on.some((kind) => kind !== 'delivery') ?? false
  return listens ? (reaction?.in ?? output.channels) : []
}

function isIn(names: readonly string[], channel: ChannelKey): boolean {
  return names.some((name) => channelKey(name) === channel)
}
