// WALLOPS: a server operator's message to everybody with +w.
import { type Command, effect } from '../command.ts'
import type { Walloped } from '../events.ts'
import { mustGet } from '../state.ts'

export const WALLOPS: Command = {
  name: 'WALLOPS',
  minParams: 1,
  when: 'registered',
  help: 'WALLOPS :<text>: sends a message to all users with +w (server operators)',
  privilege: 'wallops',
  run({ user, propose }, { params: [text = ''] }) {
    propose({ kind: 'walloped', by: user.key, text })
  },
}

export const walloped = effect<Walloped>({
  apply() {
    // It is only announced.
  },
  announce(chat, { by, text }, _, entry) {
    const line = chat.lineOf(mustGet(chat.state.users, by), entry, 'WALLOPS', [text])
    for (const user of chat.state.users.values()) if (user.modes.has('w')) chat.toUser(user, line)
  },
})
