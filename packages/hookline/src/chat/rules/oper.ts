// What a server operator may do.

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

/** A user, as far as this asks. */
interface MayBeOper {
  readonly oper: { readonly privileges: readonly Privilege[] } | undefined
}

export function mayUse(user: MayBeOper, privilege: Privilege): boolean {
  const privileges = user.oper?.privileges
  return privileges !== undefined && (privileges.includes('all') || privileges.includes(privilege))
}
