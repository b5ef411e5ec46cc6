// Resolves `--fixture NAME`: sample payloads of the presets, and payloads captured from the bot.
import { CAPTURED, capturedNames, findCaptured } from '../../../bots/captured.ts'
import { findFixture, fixtureNames, type Fixture } from '../../../senders/fixtures.ts'
import { presetNames } from '../../../senders/presets.ts'
import { done, wrong, type Answer } from '../../../control/failure.ts'
import { nearest } from '../../../text/nearest.ts'
import type { Triable } from './trial.ts'

/** `github/push` is one; `github` is all of them. */
export function findFixtures({ name: bot, folder }: Triable, wanted: string): Answer<readonly Fixture[]> {
  const isCaptured = wanted === CAPTURED || wanted.startsWith(`${CAPTURED}/`)
  const captured = isCaptured ? capturedNames(folder) : []
  if (isCaptured && captured.length === 0)
    return wrong('not_found', `no payloads are captured for ${bot}`, howToCapture(bot))
  if (wanted === CAPTURED) return done(captured.flatMap((name) => findCaptured(folder, name) ?? []))
  const one = isCaptured ? findCaptured(folder, wanted) : findFixture(wanted)
  if (one) return done([one])
  const all = presetNames().includes(wanted) ? fixtureNames(wanted) : []
  return all.length > 0 ? done(all.flatMap((name) => findFixture(name) ?? [])) : none(folder, wanted)
}

export function howToCapture(bot: string): string {
  return `while the server runs: hookline bot capture ${bot}`
}

function none(folder: string, wanted: string) {
  const [preset = ''] = wanted.split('/')
  // Within a known preset, only its own: `github/nope` is no typo of `gitlab/note`.
  const known = presetNames().includes(preset)
    ? fixtureNames(preset)
    : [...presetNames(), ...fixtureNames(), CAPTURED, ...capturedNames(folder)]
  const near = nearest(wanted, known)
  const see = presetNames().includes(preset) ? `preset show ${preset}` : 'preset list'
  const hint = near === undefined ? `see which there are: hookline ${see}` : `did you mean ${near}?`
  return wrong('not_found', `there is no fixture ${JSON.stringify(wanted)}`, hint)
}
