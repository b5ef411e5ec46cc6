// What a server operator may do.
import type { User } from '../state.ts'

/**
 * Privileges of an operator; `all` is every one. accounts: everybody's, through NickServ; channels: runs every channel; metadata:
 * everybody's; relaymsg: speaks for people of other chats; see: invisible users, secret channels, servers.
 */
export const PRIVILEGES = [
  'all',
  'accounts',
  'ban',
  'channels',
  'kill',
  'metadata',
  'rehash',
  'relaymsg',
  'sajoin',
  'samode',
  'sanick',
  'see',
  'wallops',
] as const
export type Privilege = (typeof PRIVILEGES)[number]

export function mayUse(user: User, privilege: Privilege): boolean {
  const privileges = user.oper?.privileges
  return privileges !== undefined && (privileges.includes('all') || privileges.includes(privilege))
}
