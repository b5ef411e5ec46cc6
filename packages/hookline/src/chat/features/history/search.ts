// SEARCH: finds messages by their words. `SEARCH in=#tea;from=bob;text=kettle\sfailed;limit=10`
// https://github.com/ircv3/ircv3-specifications/pull/496, as in soju
import { parseTags } from '../../../irc/tags.ts'
import { parseTime } from '../../../irc/time.ts'
import type { Command, Failure, UserTurn } from '../../command.ts'
import { askOnceRead, tellBatch } from '../../output/pieces.ts'
import { replay } from '../../output/replay.ts'
import type { Past, WordQuery } from '../../past.ts'
import { sightsOf } from '../../rules/history.ts'
import { parseLimit } from './historyquery.ts'

const NAME = 'soju.im/search'

export const SEARCH: Command<readonly Past[] | undefined> = {
  name: 'SEARCH',
  minParams: 1,
  when: 'registered',
  help: 'SEARCH in=<target>[;from=<nick>][;text=<words>][;after=<time>][;before=<time>][;limit=<n>]: searches messages',
  prepare(turn, { params: [attributes = ''] }) {
    const { chat, session } = turn
    if (!chat.settings.history.isKept) return undefined
    return askOnceRead(chat, session, () => {
      const query = queryOf(turn, attributes)
      return 'failure' in query ? undefined : chat.world.history.search(query)
    })
  },
  run(turn, { params: [attributes = ''] }, found) {
    const { chat, session, user, fail } = turn
    if (!chat.settings.history.isKept) return fail('INTERNAL_ERROR', [], 'This server keeps no history')
    // Checked again: the user may have been removed while the disk was asked.
    const query = queryOf(turn, attributes)
    if ('failure' in query) return fail(...query.failure)
    if (found === undefined) return fail('INTERNAL_ERROR', [], 'Messages could not be searched')
    tellBatch(chat, session, { type: NAME, lines: replay(chat, session, user, found) })
  },
}

function queryOf(
  { chat, state, user }: UserTurn,
  attributes: string,
): WordQuery | { readonly failure: Failure } {
  const asked = parseTags(attributes)
  const target = asked.get('in')
  if (target === undefined) return fault('in', 'Say where to search: in=<channel or nick>')
  const sights = sightsOf(state, user, target)
  if (sights === undefined) return fault('in', 'There is nothing to search there')
  const most = chat.settings.history.queryLimit
  const limitText = asked.get('limit')
  const limit = limitText === undefined ? most : parseLimit(limitText, most)
  if (limit === undefined) return fault('limit', 'The limit must be a positive number')
  const after = timeOf(asked.get('after'), 0)
  if (after === undefined) return fault('after', 'Not a valid timestamp')
  const before = timeOf(asked.get('before'), Number.MAX_SAFE_INTEGER)
  if (before === undefined) return fault('before', 'Not a valid timestamp')
  return { sights, from: asked.get('from'), text: asked.get('text') ?? '', after, before, limit }
}

function fault(attribute: string, text: string): { readonly failure: Failure } {
  return { failure: ['INVALID_PARAMS', [attribute], text] }
}

function timeOf(text: string | undefined, otherwise: number): number | undefined {
  return text === undefined ? otherwise : parseTime(text)
}
