// What may wake a bot, by name. Apart from the schema, which would take the command line longer to load than all else it needs.
export const TRIGGER_TYPES = ['webhook', 'event', 'schedule'] as const
export const HAPPENINGS = ['join', 'part', 'quit', 'kick', 'nick', 'topic', 'message', 'delivery'] as const

export type TriggerType = (typeof TRIGGER_TYPES)[number]
export type HappeningKind = (typeof HAPPENINGS)[number]

/** For a bot with an invalid file, the usual one. */
export function triggerTypeOf(
  settings: { readonly trigger: { readonly type: TriggerType } } | undefined,
): TriggerType {
  return settings?.trigger.type ?? 'webhook'
}
