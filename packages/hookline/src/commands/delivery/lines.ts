// Formats deliveries for the terminal: a table, or one in detail.
import { fields, table } from '../table.ts'
import { inert } from '../terminal.ts'
import type { DeliveryDetails, DeliveryView } from './delivery.ts'

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

/** Every field with a value, then the message, the error and the payload. */
export function deliveryDetails(delivery: DeliveryDetails): string {
  const { text, error, payload } = delivery
  const parts = [part('Said', text), part('Error', error), part('Payload', payload ?? 'no longer kept')]
  return [fields(facts(delivery)), ...parts].filter((some) => some !== '').join('\n\n')
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

export function part(title: string, text: string | null): string {
  return text === null ? '' : `${title}:\n${inert(text).trimEnd().replaceAll(/^/gm, '  ')}`
}
