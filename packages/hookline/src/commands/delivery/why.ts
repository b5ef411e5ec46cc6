// `hookline bot why`: from a message back to its cause.
import { done } from '../../control/failure.ts'
import type { HistoryRow } from '../../store/historyrows.ts'
import { SENT, REDACTED, viewRedaction } from '../chat/message.ts'
import { takenBack } from '../chat/lines.ts'
import { verb } from '../command.ts'
import type { OutputOf } from '../shape.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { fields } from '../table.ts'
import { inert, print } from '../terminal.ts'
import { DETAILS, detailsOf } from './delivery.ts'
import { deliveryDetails, part } from './lines.ts'
import { nothingCalled, trace } from './trace.ts'

const MESSAGE = { ...SENT, redacted: REDACTED } as const

const SOURCE = {
  composed_by: 'text',
  file: 'text',
  /** Where the template begins. */
  line: 'number or null',
  template: 'text or null',
  /** The file has changed, or gone, since this message was composed. */
  changed_since: 'true or false',
} as const

const STORY = {
  /** Null if a delivery was asked for. */
  message: { orNull: MESSAGE },
  delivery: DETAILS,
  source: { orNull: SOURCE },
} as const

export default verb({
  details: `Takes the id of a message (its \`msgid\` tag; \`hookline history --json\` shows it) or of a delivery (the tag \`hookline.internal/delivery\` on every line that a
bot posts). Shows the payload, what produced the text and where that is in the bot's files, tokens without a value, and who was woken.`,
  arguments: [{ name: 'id', description: 'id of a message or of a delivery', required: true }],
  options: [],
  changes: false,
  where: 'server',
  examples: [{ run: 'hookline bot why d-1m7z3k1qcne6jhqfh', shows: 'the payload and what was made of it' }],
  exits: { 1: 'no such id, or no delivery caused it', ...NEEDS_SERVER },
  output: STORY,

  needs: () => import('./running/source.ts'),

  async run(context, { id }, __, { sourceOf }) {
    const traced = await trace(context.running, id)
    if (!traced.ok) return traced
    const { said, record } = traced.output
    if (!record) return nothingCalled(id)
    return done({
      message: said ? messageView(said) : null,
      delivery: detailsOf(record),
      source: sourceOf(context, record),
    })
  },

  show: (story) => print(reasons(story)),
})

function messageView(row: HistoryRow): OutputOf<typeof MESSAGE> {
  const { id, time, target, from, text } = row
  return { id, time: new Date(time).toISOString(), target, from, text, redacted: viewRedaction(row) }
}

/** Which bot said it, and because of what. */
function reasons({ message, delivery, source }: OutputOf<typeof STORY>): string {
  const said: [string, string][] = message
    ? [
        ['message', message.id],
        ['said', `${message.time} in ${inert(message.target)} by ${message.from}`],
        ...(message.redacted ? [['since', takenBack(message.redacted)] satisfies [string, string]] : []),
      ]
    : []
  const first = [...said, ...sourceFacts(source)]
  const parts = [part('Template', source?.template ?? null), deliveryDetails(delivery)]
  return [first.length ? fields(first) : '', ...parts].filter((some) => some !== '').join('\n\n')
}

function sourceFacts(source: OutputOf<typeof STORY>['source']): [string, string][] {
  if (!source) return []
  const place = source.line === null ? source.file : `${source.file}:${source.line}`
  return [['source', `${place}${source.changed_since ? ' (changed since)' : ''}`]]
}
