// `bot deliveries show`, `bot why`: one delivery in full, and from a message back to its cause.
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { templateIn } from '../../bots/botedit.ts'
import { findPreset } from '../../bots/presets.ts'
import { done, wrong, type Answer } from '../../control/failure.ts'
import type { Outputs } from '../../control/outputs.ts'
import type { DeliveryDetails, SourceView } from './delivery.ts'
import type { Delivery } from '../../store/deliveryrows.ts'
import type { HistoryRow } from '../../store/historyrows.ts'
import { viewBot, viewDelivery } from '../bot/running/view.ts'
import { viewRedaction } from '../chat/message.ts'
import type { Context, LiveContext, Running } from '../context.ts'
import type { Input } from '../oldlist.ts'
import { noDelivery } from './replay.ts'

export async function showDelivery(
  { running }: LiveContext,
  { id }: Input<'bot deliveries show'>,
): Promise<Answer<DeliveryDetails>> {
  const row = await running.store.deliveries.get(id)
  return row ? done(detailsOf(row)) : noDelivery(id)
}

export async function why(
  context: LiveContext,
  { id }: Input<'bot why'>,
): Promise<Answer<Outputs['bot why']>> {
  const traced = await trace(context.running, id)
  if (!traced.ok) return traced
  const { said, record } = traced.output
  if (!record) return nothingCalled(id)
  return done({
    message: said ? messageView(said) : null,
    delivery: detailsOf(record),
    source: sourceOf(context, record),
  })
}

interface Traced {
  /** The message of that id; undefined if the id is that of the delivery. */
  readonly said: HistoryRow | undefined
  readonly delivery: string
  /** Undefined once it is pruned, and for an id of nothing. */
  readonly record: Delivery | undefined
}

/** The delivery of that id, or the one that a message of that id comes from. */
export async function trace({ store }: Running, id: string): Promise<Answer<Traced>> {
  const said = await store.message(id)
  if (said && said.delivery === null) return notOfABot(said)
  const delivery = said?.delivery ?? id
  return done({ said, delivery, record: await store.deliveries.get(delivery) })
}

export function nothingCalled(id: string) {
  const hint = 'the id of a message is its msgid tag; for ids see: hookline history CHANNEL --json'
  return wrong('not_found', `no message or delivery has the id ${JSON.stringify(id)}`, hint)
}

function notOfABot(said: HistoryRow) {
  return wrong('not_found', `${said.from} said that: no delivery caused it`, "give the id of a bot's message")
}

function detailsOf(row: Delivery): DeliveryDetails {
  return {
    ...viewDelivery(row),
    headers: row.headers,
    payload: row.body === null ? null : Buffer.from(row.body).toString('utf8'),
  }
}

function messageView(row: HistoryRow): Outputs['bot why']['message'] {
  const { id, time, target, from, text } = row
  return { id, time: new Date(time).toISOString(), target, from, text, redacted: viewRedaction(row) }
}

/** Where the text comes from, according to the present files. */
function sourceOf(context: Context, { bot, composedBy, finishedAt }: Delivery): SourceView | null {
  const file = viewBot(context, bot)?.file
  if (composedBy === null || file === undefined) return null
  const isHandler = composedBy.startsWith('handler.')
  const path = isHandler ? join(dirname(file), composedBy) : file
  const stats = statSync(path, { throwIfNoEntry: false })
  const found = isHandler || !stats ? undefined : templateOf(composedBy, readFileSync(file, 'utf8'))
  return {
    composed_by: composedBy,
    file: path,
    line: found?.line ?? null,
    template: found?.text ?? null,
    changed_since: !stats || stats.mtimeMs > (finishedAt ?? 0),
  }
}

/** From the bot's own file, or from the preset that it names. */
function templateOf(composedBy: string, botYaml: string): { text: string; line: number } | undefined {
  const [, preset, key = ''] = /^preset (\S+): (.*)$/s.exec(composedBy) ?? []
  if (preset === undefined) return templateIn(botYaml, composedBy)
  const line = templateIn(botYaml, 'output.preset')?.line
  const text = findPreset(preset)?.texts[key]
  return text === undefined || line === undefined ? undefined : { text, line }
}
