// The state as plain data, by which two copies of it are compared.
import type { Account, Channel, State, User } from '../../src/chat/state.ts'

/** JSON-safe, with every set and map in the order of what it holds, since that order means nothing. */
export function snapshot(state: State): object {
  return {
    bans: [...state.bans].map(([key, ban]) => ({ key, ...ban })).toSorted(byKey),
    accounts: [...state.accounts.values()].map(accountSnapshot).toSorted(byKey),
    users: [...state.users.values()].map(userSnapshot).toSorted(byKey),
    nicks: [...state.nicks].map(([nick, { key }]) => ({ key: nick, user: key })).toSorted(byKey),
    channels: [...state.channels.values()].map(channelSnapshot).toSorted(byKey),
    renamed: [...state.renamed].map(([key, { key: now }]) => ({ key, now })).toSorted(byKey),
    accepts: [...state.accepts]
      .map(([key, accepted]) => ({ key, accepted: [...accepted].toSorted() }))
      .toSorted(byKey),
    readMarkers: [...state.readMarkers]
      .map(([key, markers]) => ({ key, markers: [...markers] }))
      .toSorted(byKey),
    whowas: state.whowas,
    mostUsers: state.mostUsers,
    invisible: state.invisible,
    operators: state.operators,
  }
}

function accountSnapshot({ users, metadata, ...account }: Account) {
  return { ...account, metadata: sorted(metadata), users: [...users].map(({ key }) => key) }
}

function userSnapshot({ channels, modes, invitations, metadata, ...user }: User) {
  return {
    ...user,
    metadata: sorted(metadata),
    modes: [...modes].toSorted(),
    channels: [...channels.keys()].toSorted(),
    invitations: [...invitations].toSorted(),
  }
}

function channelSnapshot({ flags, members, invited, registration, metadata, ...channel }: Channel) {
  return {
    ...channel,
    metadata: sorted(metadata),
    // How often its roster changed depends on what was kept of it, not on what happened.
    version: undefined,
    flags: [...flags].toSorted(),
    members: [...members].map(([key, { ranks }]) => ({ key, ranks })).toSorted(byKey),
    invited: [...invited].toSorted(),
    registration: registration && {
      ...registration,
      access: [...registration.access].map(([key, rank]) => ({ key, rank })).toSorted(byKey),
    },
  }
}

function sorted(metadata: ReadonlyMap<string, string>) {
  return [...metadata].map(([key, value]) => ({ key, value })).toSorted(byKey)
}

function byKey(one: { readonly key: string }, other: { readonly key: string }): number {
  return one.key < other.key ? -1 : 1
}
