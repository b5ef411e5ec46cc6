// What a server operator may do.
import type { User } from '../state.ts'

/** Privileges: accounts (everybody's, by NickServ), ban, kill, metadata (of everybody), rehash, wallops, channels (runs every channel), relaymsg (speaks for people of other chats), see (invisible users, secret channels, servers), sajoin, samode and sanick (act for others); `all` is every one. */
export function mayUse(user: User, privilege: string): boolean {
  const privileges = user.oper?.privileges
  return privileges !== undefined && (privileges.includes('all') || privileges.includes(privilege))
}
