// Changes `trigger` in a bot.yaml: the keys of one type go when the type changes.
import { type Document, isMap } from 'yaml'
import { change } from './document.ts'
import { keysLost } from './triggerschema.ts'
import type { HappeningKind, TriggerType } from './triggertypes.ts'

/** Null takes the field out. */
export interface TriggerChanges {
  /** Makes it a bot of type event. */
  readonly on?: readonly HappeningKind[]
  readonly in?: readonly string[] | null
  /** Also makes it react to messages, if it reacts to nothing yet. */
  readonly command?: string | null
  /** Makes it a bot of type schedule. */
  readonly cron?: string
  readonly timezone?: string | null
  /** `24h` */
  readonly expect?: string | null
}

/** `document` is a valid bot.yaml; whether it still is afterwards is for the caller to check. */
export function editTrigger(document: Document, changes: TriggerChanges): void {
  const set = (path: readonly string[], value: unknown): void =>
    change(document, ['trigger', ...path], value, { flow: Array.isArray(value) })
  const become = (type: TriggerType, from: TriggerType): void => {
    set(['type'], type)
    for (const key of keysLost(from, type)) set([key], null)
  }

  const { on, cron, command, expect } = changes
  const reactsToNothing = on === undefined && !document.hasIn(['trigger', 'on'])
  if (cron !== undefined) {
    become('schedule', 'event')
    change(document, ['output', 'here'], null)
  } else if (on !== undefined || typeof command === 'string') become('event', 'schedule')
  set(['on'], on ?? (typeof command === 'string' && reactsToNothing ? ['message'] : undefined))
  set(['in'], changes.in)
  set(['match', 'command'], command)
  set(['cron'], cron)
  set(['timezone'], changes.timezone)
  set(['expect'], typeof expect === 'string' ? `every ${expect.replace(/^every /, '')}` : expect)
  const match = document.getIn(['trigger', 'match'])
  if (isMap(match) && match.items.length === 0) set(['match'], null)
}
