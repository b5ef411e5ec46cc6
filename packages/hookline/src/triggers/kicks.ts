// A bot that is kicked: an invitation brings it back, and the owner of one that listens there is told, as it would not come by itself.
import type { BotSettings } from '../bots/file/botfile.ts'
import { presenceOf } from '../bots/destination.ts'
import type { UserKey } from '../chat/state.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import { channelKey, type ChannelKey } from '../irc/names.ts'
import { Notices } from '../webhooks/noticelimits.ts'
import type { Clock } from './alarm.ts'
import type { Told } from './renames.ts'

interface Kicked {
  readonly bot: string
  readonly name: string
  readonly user: UserKey
  readonly channel: ChannelKey
  readonly text: string
}

/** Starts following the chat. Returns what tells owners at once what they have not heard yet. */
export function followKicks(
  { chat, bots, virtualUsers, tellOwner }: Told & { readonly virtualUsers: VirtualUsers },
  clock: Clock,
): () => Promise<void> {
  const isIn = (user: UserKey, channel: ChannelKey) =>
    chat.state.users.get(user)?.channels.has(channel) ?? false
  // Of each bot and channel, one a minute.
  const notices = new Notices<Kicked>({
    later: (ms, run) => clock.later(ms, run),
    async tell({ name, user, channel, text }) {
      if (!isIn(user, channel)) tellOwner(name, text)
    },
  })
  chat.observe(({ event }) => {
    if (event.kind !== 'channel.kicked' && event.kind !== 'channel.invited') return
    const { channel, user, by } = event
    const bot = bots.list().find((each) => each.user === user)
    if (bot?.settings === undefined) return
    const { name, settings } = bot
    if (event.kind === 'channel.invited') {
      if (!lists(presenceOf(settings), channel)) return
      const isThere = (each: string) => isIn(user, channelKey(virtualUsers.nameOf(user, each)))
      const names = presenceOf(settings).filter((each) => channelKey(each) === channel || isThere(each))
      return void virtualUsers.moveTo(user, names)
    }
    if (!lists(heardBy(settings), channel)) return
    const shown = chat.state.channels.get(channel)?.name ?? channel
    const kicker = chat.state.users.get(by)?.nick ?? 'somebody'
    const text = `${name} was kicked from ${shown} by ${kicker} and hears nothing there until it speaks again: /invite ${name} ${shown} brings it back`
    if (notices.isNews({ bot: `${name} ${channel}`, name, user, channel, text })) tellOwner(name, text)
  })
  return () => notices.flush()
}

/** Where it waits for what happens in the chat. */
function heardBy({ trigger: { reaction }, output }: BotSettings): readonly string[] {
  const listens = reaction?.on.some((kind) => kind !== 'delivery') ?? false
  return listens ? (reaction?.in ?? output.channels) : []
}

function lists(names: readonly string[], channel: ChannelKey): boolean {
  return names.some((name) => channelKey(name) === channel)
}
