// What may wake a bot, by name. The command line shows the names, and a schema would take longer to load than all else that it needs.
import type { BotSettings } from './botfile.ts'

export const TRIGGER_TYPES = ['webhook', 'event', 'schedule'] as const
export const HAPPENINGS = ['join', 'part', 'quit', 'kick', 'nick', 'topic', 'message', 'delivery'] as const

export type TriggerType = (typeof TRIGGER_TYPES)[number]
export type HappeningKind = (typeof HAPPENINGS)[number]

/** Of a bot whose file does not read, the usual one. */
export function triggerTypeOf(settings: BotSettings | undefined): TriggerType {
  return settings?.trigger.type ?? 'webhook'
}
