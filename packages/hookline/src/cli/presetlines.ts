// How presets look on the terminal.
import type { Outputs } from '../control/outputs.ts'
import { fields, table } from './table.ts'
import { inert } from './terminal.ts'

/** NAME FOR AUTH EVENTS */
export function presetTable(presets: Outputs['preset list']): string {
  const rows = presets.map(({ name, title, auth, events }) => [name, title, auth ?? '-', events.join(' ')])
  return table(['NAME', 'FOR', 'AUTH', 'EVENTS'], rows)
}

/** What it is for, then each template under its event. */
export function presetDetails(preset: Outputs['preset show']): string {
  const { name, title, description, auth, event, filter, engine, templates } = preset
  const facts = fields([
    ['name', name],
    ['for', title],
    ['auth', auth ?? 'none that the service has'],
    ['event', event ?? 'from a header'],
    ...(filter === null ? [] : [['filter', JSON.stringify(filter)] as [string, string]]),
    ['engine', engine],
  ])
  const texts = Object.entries(templates).map(
    ([key, text]) => `${key}:\n${inert(text.trimEnd()).replaceAll(/^/gm, '  ')}`,
  )
  return [description.trim(), facts, ...texts].join('\n\n')
}
