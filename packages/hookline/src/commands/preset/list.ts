// `hookline preset list`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import type { OutputOf } from '../shape.ts'
import { table } from '../table.ts'
import { print } from '../terminal.ts'
import { PRESET, summaryOf } from './preset.ts'

export default verb({
  details:
    'A bot uses one with `bot create --preset NAME`, or `output.preset` in its bot.yaml. Its own templates take precedence, per event.',
  arguments: [],
  options: [],
  changes: false,
  where: 'files',
  examples: [{ run: 'hookline preset list', shows: 'names, and the purpose of each' }],
  exits: { 2: 'the home folder cannot be used' },
  output: [PRESET],

  needs: () => import('../../senders/presets.ts'),

  run(_, __, ___, { findPreset, presetNames }) {
    return done(
      presetNames()
        .flatMap((name) => findPreset(name) ?? [])
        .map(summaryOf),
    )
  },

  show: (presets) => print(presetTable(presets)),
})

/** NAME FOR AUTH EVENTS; a long list of events is cut and counted. */
function presetTable(presets: readonly OutputOf<typeof PRESET>[]): string {
  const rows = presets.map(({ name, title, auth, events }) => [name, title, auth ?? '-', some(events)])
  return table(['NAME', 'FOR', 'AUTH', 'EVENTS'], rows)
}

function some(events: readonly string[]): string {
  const shown = events.slice(0, 5)
  const more = events.length - shown.length
  return more > 0 ? `${shown.join(' ')} (+${more})` : shown.join(' ')
}
