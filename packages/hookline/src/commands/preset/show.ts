// `preset list|show`: the presets, as their files define them.
import { fixtureNames } from '../../bots/fixtures.ts'
import { findPreset, noSuchPreset, presetNames, type Preset } from '../../bots/presets.ts'
import type { Context } from '../context.ts'
import { done, wrong, type Answer } from '../../control/failure.ts'
import type { Input } from '../oldlist.ts'
import type { Outputs } from '../../control/outputs.ts'

export function listPresets(): Answer<Outputs['preset list']> {
  return done(
    presetNames()
      .flatMap((name) => findPreset(name) ?? [])
      .map(summaryOf),
  )
}

export function showPreset(_: Context, { name }: Input<'preset show'>): Answer<Outputs['preset show']> {
  const preset = findPreset(name)
  if (!preset) {
    const { message, hint } = noSuchPreset(name)
    return wrong('not_found', message, hint)
  }
  const { event, filter, engine, texts } = preset
  const rest = { event: event?.text ?? null, filter: filter ?? null, engine, templates: texts }
  return done({ ...summaryOf(preset), ...rest, fixtures: fixtureNames(name) })
}

function summaryOf({ name, title, description, auth, texts }: Preset) {
  return { name, title, description, auth: auth ?? null, events: Object.keys(texts) }
}
