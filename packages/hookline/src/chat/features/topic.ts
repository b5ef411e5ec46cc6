// TOPIC: what a channel is about.
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import { unixSeconds } from '../../irc/time.ts'
import type { Chat } from '../chat.ts'
import { type Command, effect } from '../command.ts'
import type { TopicChanged } from '../events.ts'
import { maySetTopic } from '../rules/rank.ts'
import { findVisible } from '../rules/see.ts'
import type { Session } from '../session.ts'
import { type Channel, maskOf, membership, mustGet } from '../state.ts'

export const TOPIC: Command = {
  name: 'TOPIC',
  minParams: 1,
  when: 'registered',
  help: 'TOPIC <channel> [:<text>]: shows or sets the topic; an empty text clears it',
  run({ chat, state, session, user, reply, propose }, { params: [name = '', text] }) {
    const channel = findVisible(state, user, name)
    if (channel === undefined) return reply(numerics.ERR_NOSUCHCHANNEL, name)
    if (membership(channel, user) === undefined) return reply(numerics.ERR_NOTONCHANNEL, channel.name)
    if (text === undefined) {
      if (channel.topic === undefined) return reply(numerics.RPL_NOTOPIC, channel.name)
      return tellTopic(chat, session, channel)
    }
    if (!maySetTopic(channel, user)) return reply(numerics.ERR_CHANOPRIVSNEEDED, channel.name)

    propose({
      kind: 'topic.changed',
      channel: channel.key,
      by: user.key,
      text: cutText(text, chat.settings.limits.topicLength),
    })
  },
}

export const topicChanged = effect<TopicChanged>({
  apply(state, { channel, by, text }, { at }) {
    const setter = mustGet(state.users, by)
    mustGet(state.channels, channel).topic = text === '' ? undefined : { text, by: maskOf(setter), at }
  },
  announce(chat, event, _, entry) {
    const channel = mustGet(chat.state.channels, event.channel)
    const user = mustGet(chat.state.users, event.by)
    chat.toChannel(channel, chat.lineOf(user, entry, 'TOPIC', [channel.name, event.text]))
  },
})

export function tellTopic(chat: Chat, session: Session, { name, topic }: Channel): void {
  if (topic === undefined) return
  chat.reply(session, numerics.RPL_TOPIC, name, topic.text)
  chat.reply(session, numerics.RPL_TOPICWHOTIME, name, topic.by, unixSeconds(topic.at))
}
