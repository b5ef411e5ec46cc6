// A message, as commands print it.
import type { HistoryRow } from '../../store/historyrows.ts'
import type { SpokenEntry } from '../context.ts'
import { as, type OutputOf } from '../shape.ts'

export const SENT = { id: 'text', time: 'time', target: 'text', from: 'text', text: 'text' } as const

/** How a message was redacted; its text is empty then. `by`: nick of the user who took it back, or the server's name. */
export const REDACTED = { orNull: { by: 'text', at: 'time', reason: 'text or null' } } as const

export const SPOKEN = {
  id: 'text',
  time: 'time',
  channel: 'text',
  from: 'text',
  text: 'text',
  delivery: 'text or null',
  command: as<'PRIVMSG' | 'NOTICE'>()('text'),
  bot: 'true or false',
} as const

export const PAST = { ...SPOKEN, redacted: REDACTED } as const

export type SpokenView = OutputOf<typeof SPOKEN>
export type PastView = OutputOf<typeof PAST>
export type RedactionView = NonNullable<PastView['redacted']>

export function viewOfSpoken(spoken: SpokenEntry): SpokenView {
  const { id, time, channel, from, text, delivery, command, isBot } = spoken
  return { id, time: new Date(time).toISOString(), channel, from, text, delivery, command, bot: isBot }
}

export function viewOfRow(row: HistoryRow): PastView {
  const { id, time, target, from, text, delivery, command, isBot } = row
  return {
    id,
    time: new Date(time).toISOString(),
    channel: target,
    from,
    text,
    delivery,
    command: command === 'NOTICE' ? command : 'PRIVMSG',
    bot: isBot,
    redacted: viewRedaction(row),
  }
}

/** Shows only the nick of the mask. */
export function viewRedaction({ redacted }: HistoryRow): RedactionView | null {
  if (redacted === undefined) return null
  const { by, time, reason } = redacted
  return { by: by.split('!')[0] ?? by, at: new Date(time).toISOString(), reason }
}
