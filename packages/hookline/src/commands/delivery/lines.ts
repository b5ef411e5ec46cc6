// Formats deliveries for the terminal: a table, stories, one in detail, and the way from a message back to it.
import type { Outputs } from '../../control/outputs.ts'
import type { DeliveryDetails, DeliveryView, SourceView } from './delivery.ts'
import { takenBack } from '../chat/lines.ts'
import { fields, table } from '../table.ts'
import { inert } from '../terminal.ts'

/** ID WHEN BOT STATUS EVENT, and the message or the error. */
export function deliveryTable(deliveries: readonly DeliveryView[]): string {
  const rows = deliveries.map((each) => [
    each.id,
    each.received_at.slice(0, 19).replace('T', ' '),
    each.bot,
    each.attempts > 1 && each.status === 'refused' ? `refused, ${each.attempts} times` : each.status,
    each.event ? inert(each.event) : '-',
    oneLine(each.error_line ?? (each.status === 'skipped' ? each.reason : null) ?? each.text ?? ''),
  ])
  return table(['ID', 'WHEN (UTC)', 'BOT', 'STATUS', 'EVENT', 'TEXT'], rows)
}

/** Each delivery with its full text and error. */
export function deliveryStories(deliveries: readonly DeliveryView[]): string {
  return deliveries.length ? deliveries.map(story).join('\n') : 'no deliveries yet'
}

/** Every field with a value, then the message, the error and the payload. */
export function deliveryDetails(delivery: DeliveryDetails): string {
  const { text, error, payload } = delivery
  const parts = [part('Said', text), part('Error', error), part('Payload', payload ?? 'no longer kept')]
  return [fields(facts(delivery)), ...parts].filter((some) => some !== '').join('\n\n')
}

/** Which bot said it, and because of what. */
export function reasons({ message, delivery, source }: Outputs['bot why']): string {
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

function story(delivery: DeliveryView): string {
  const { id, received_at: at, status, event, channels, text, error, attempts } = delivery
  const times = status === 'refused' && attempts > 1 ? `${attempts} times` : ''
  const head = [at, id, status, times, event ? inert(event) : '', inert(channels.join(' '))]
    .filter((some) => some !== '')
    .join('  ')
  const body = [text, error].flatMap((some) => (some === null ? [] : inert(some).trimEnd().split('\n')))
  return [head, ...body.map((line) => `  ${line}`)].join('\n')
}

function oneLine(text: string): string {
  const flat = inert(text).trim().replaceAll(/\s+/g, ' ')
  return flat.length > 80 ? `${flat.slice(0, 79)}…` : flat
}

function facts(delivery: DeliveryDetails): [string, string][] {
  const { attempts, channels, unresolved, woken } = delivery
  const pairs: [string, string | null][] = [
    ['delivery', delivery.id],
    ['bot', delivery.bot],
    ['came', delivery.received_at],
    ['event', delivery.event],
    ['status', attempts > 1 ? `${delivery.status}, ${attempts} attempts` : delivery.status],
    ['because', delivery.reason],
    ['channels', channels.join(' ') || null],
    ['woken', woken.join(' ') || null],
    ['composed by', delivery.composed_by],
    ['unresolved', unresolved.map((token) => `{${token}}`).join(' ') || null],
    ...Object.entries(delivery.headers).map(([name, value]): [string, string] => [
      'header',
      `${name}: ${value}`,
    ]),
  ]
  return pairs.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, inert(value)]]))
}

function sourceFacts(source: SourceView | null): [string, string][] {
  if (!source) return []
  const place = source.line === null ? source.file : `${source.file}:${source.line}`
  return [['source', `${place}${source.changed_since ? ' (changed since)' : ''}`]]
}

function part(title: string, text: string | null): string {
  return text === null ? '' : `${title}:\n${inert(text).trimEnd().replaceAll(/^/gm, '  ')}`
}
