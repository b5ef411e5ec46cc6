// CHATHISTORY: past messages, a page at a time.
// https://ircv3.net/specs/extensions/chathistory
import { isChannelName } from '../../../irc/names.ts'
import { formatTime } from '../../../irc/time.ts'
import type { Command, UserTurn } from '../../command.ts'
import { lastByName, nameOf, otherParty, partyOf } from '../../conversation.ts'
import { askOnceRead, tellBatch } from '../../output/pieces.ts'
import { replay } from '../../output/replay.ts'
import type { Past } from '../../past.ts'
import { directSince, readsEvents, sightOf, sightsOf } from '../../rules/history.ts'
import { findChannel } from '../../state.ts'
import { type HistoryQuery, parseHistoryQuery } from './historyquery.ts'

/** Ergo's tag for "nothing lies beyond this page", which saves the client a request. */
const END = 'draft/chathistory-end'

type Targets = readonly { readonly conversation: string; readonly time: number }[]

export const CHATHISTORY: Command<Targets | readonly Past[] | undefined> = {
  name: 'CHATHISTORY',
  minParams: 0,
  when: 'registered',
  help: 'CHATHISTORY LATEST|BEFORE|AFTER|AROUND|BETWEEN <target> <timestamp=…|msgid=…|*> <limit>, or TARGETS: fetches messages from the history',
  prepare(turn, { params }) {
    const query = queryOf(turn, params)
    if (!turn.chat.settings.history.isKept || query.kind === 'fault') return undefined
    return askOnceRead(turn.chat, turn.session, () => find(turn, query))
  },
  run(turn, { params }, prepared) {
    const { chat, state, user, fail } = turn
    const [subcommand = '*'] = params
    const query = queryOf(turn, params)
    if (query.kind === 'fault') return fail(...query.failure)
    const context = query.kind === 'targets' ? [subcommand] : [subcommand, query.target]
    if (!chat.settings.history.isKept) return fail('MESSAGE_ERROR', context, 'This server keeps no history')
    // Checked again: the user may have been removed while the disk was asked.
    if (query.kind === 'page' && sightsOf(state, user, query.target) === undefined)
      return fail('INVALID_TARGET', context, 'Messages could not be retrieved')
    if (prepared === undefined) return fail('MESSAGE_ERROR', context, 'Messages could not be retrieved')

    if (query.kind === 'targets') tellTargets(turn, prepared as Targets, query.limit)
    else tellPage(turn, query, prepared as readonly Past[])
  },
}

function find(
  turn: UserTurn,
  query: Exclude<HistoryQuery, { kind: 'fault' }>,
): Promise<Targets | readonly Past[] | undefined> | undefined {
  const { chat, session, state, user } = turn
  if (query.kind === 'targets') return chat.world.history.targets(targetsOf(turn, query))
  const sights = sightsOf(state, user, query.target)
  return sights && chat.world.history.page({ ...query, sights, isWithEvents: readsEvents(session) })
}

function queryOf({ chat }: UserTurn, params: readonly string[]) {
  const { history } = chat.world
  return parseHistoryQuery(params, { history, most: chat.settings.history.queryLimit })
}

function targetsOf({ session, state, user }: UserTurn, query: Extract<HistoryQuery, { kind: 'targets' }>) {
  const channels = [...user.channels.values()].flatMap((channel) => sightOf(channel, user) ?? [])
  const isWithEvents = readsEvents(session)
  return { ...query, channels, party: partyOf(user), ...directSince(state, user), isWithEvents }
}

function tellPage(
  { chat, session, state, user }: UserTurn,
  { target, limit, cut }: Extract<HistoryQuery, { kind: 'page' }>,
  rows: readonly Past[],
): void {
  // A channel as it is spelled; a user as the client wrote it, which may be an older nick, and is what irctest expects.
  const shown = findChannel(state, target)?.name ?? target
  // AROUND may reach the end on one side only.
  const end = rows.length < limit && cut.kind !== 'around' ? END : undefined
  const lines = replay(chat, session, user, rows)
  tellBatch(chat, session, { type: 'chathistory', params: [shown], lines, tag: end })
}

function tellTargets({ chat, session, state, user }: UserTurn, found: Targets, limit: number): void {
  const party = partyOf(user)
  const times = lastByName(found, (conversation) =>
    isChannelName(conversation)
      ? findChannel(state, conversation)?.name
      : nameOf(state, otherParty(conversation, party)),
  )
  const lines = [...times].map(([name, time]) =>
    chat.line({ command: 'CHATHISTORY', params: ['TARGETS', name, formatTime(time)] }),
  )
  const tag = found.length < limit ? END : undefined
  tellBatch(chat, session, { type: 'draft/chathistory-targets', lines, tag })
}
