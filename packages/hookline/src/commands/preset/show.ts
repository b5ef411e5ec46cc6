// `hookline preset show`
import { done, wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { as, type OutputOf } from '../shape.ts'
import { fields } from '../table.ts'
import { inert, print } from '../terminal.ts'
import { PRESET, summaryOf } from './preset.ts'

const DETAILS = {
  ...PRESET,
  /** Where the event's name is, if no well-known header has it. */
  event: 'text or null',
  filter: { orNull: 'object' },
  engine: 'text',
  templates: as<Readonly<Record<string, string>>>()('object'),
  /** Names of sample payloads: `github/push`. */
  fixtures: ['text'],
} as const

export default verb({
  details:
    'How the service authenticates, which events it sends, and the template for each. To change a template, copy it to `output.templates` of the bot.',
  arguments: [{ name: 'name', description: 'name of the preset: slack', required: true }],
  options: [],
  changes: false,
  where: 'files',
  examples: [{ run: 'hookline preset show slack', shows: 'its templates by event' }],
  exits: { 1: 'no such preset', 2: 'the home folder cannot be used' },
  output: DETAILS,

  needs: async () => ({
    ...(await import('../../senders/fixtures.ts')),
    ...(await import('../../senders/presets.ts')),
  }),

  run(_, { name }, ___, { findPreset, fixtureNames, noSuchPreset }) {
    const preset = findPreset(name)
    if (!preset) {
      const { message, hint } = noSuchPreset(name)
      return wrong('not_found', message, hint)
    }
    const { event, filter, engine, texts } = preset
    const rest = { event: event?.text ?? null, filter: filter ?? null, engine, templates: texts }
    return done({ ...summaryOf(preset), ...rest, fixtures: fixtureNames(name) })
  },

  show: (preset) => print(presetDetails(preset)),
})

/** Its purpose, then each template under its event. */
function presetDetails(preset: OutputOf<typeof DETAILS>): string {
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
