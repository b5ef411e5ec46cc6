// What a server operator may do.
import type { User } from '../state.ts'

/** Those without a comment allow the command of that name. */
export const PRIVILEGES = [
  // Every other one.
  'all',
  // Everybody's, through NickServ.
  'accounts',
  'ban',
  // What a channel's operators may do, in every channel.
  'channels',
  'kill',
  // Everybody's.
  'metadata',
  'rehash',
  // Speaking for people of other chats.
  'relaymsg',
  'sajoin',
  'samode',
  'sanick',
  // Invisible users, secret channels, servers.
  'see',
  'wallops',
] as const
export type Privilege = (typeof PRIVILEGES)[number]

export function mayUse(user: User, privilege: Privilege): boolean {
  const privileges = user.oper?.privileges
  return privileges !== undefined && (privileges.includes('all') || privileges.includes(privilege))
}
