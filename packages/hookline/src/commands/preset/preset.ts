// A preset, as commands print it.
import type { Preset } from '../../senders/presets.ts'
import type { OutputOf } from '../shape.ts'

export const PRESET = {
  name: 'text',
  title: 'text',
  description: 'text',
  /** How the service proves itself: what `--auth` should be. */
  auth: 'text or null',
  events: ['text'],
} as const

export function summaryOf({ name, title, description, auth, texts }: Preset): OutputOf<typeof PRESET> {
  return { name, title, description, auth: auth ?? null, events: Object.keys(texts) }
}
