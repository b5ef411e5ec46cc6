// Formats presets for the terminal.
import type { Outputs } from '../../control/outputs.ts'
import { fields, table } from '../table.ts'
import { inert } from '../terminal.ts'

/** NAME FOR AUTH EVENTS; a long list of events is cut and counted. */
export function presetTable(presets: Outputs['preset list']): string {
  const rows = presets.map(({ name, title, auth, events }) => [name, title, auth ?? '-', some(events)])
  return table(['NAME', 'FOR', 'AUTH', 'EVENTS'], rows)
}

function some(events: readonly string[]): string {
  const shown = events.slice(0, 5)
  const more = events.length - shown.length
  return more > 0 ? `${shown.join(' ')} (+${more})` : shown.join(' ')
}

/** Its purpose, then each template under its event. */
export function presetDetails(preset: Outputs['preset show']): string {
  const { name, title, description, auth, event, filter, engine, templates, fixtures } = preset
  const facts = fields([
    ['name', name],
    ['for', title],
    ['auth', auth ?? 'none offered by the service'],
    ['event', event ?? 'from a known header'],
    ...(filter === null ? [] : [['filter', JSON.stringify(filter)] as [string, string]]),
    ['engine', engine],
    ...(fixtures.length === 0 ? [] : [['samples', fixtures.join(' ')] as [string, string]]),
  ])
  const texts = Object.entries(templates).map(
    ([key, text]) => `${key}:\n${inert(text.trimEnd()).replaceAll(/^/gm, '  ')}`,
  )
  return [description.trim(), facts, ...texts].join('\n\n')
}
