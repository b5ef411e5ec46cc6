// Turns `--on`, `--cron` and the options that go with them into changes of a bot's trigger.
import type { TriggerChanges } from '../../bots/triggeredit.ts'
import { HAPPENINGS, type HappeningKind } from '../../bots/triggertypes.ts'
import { done, wrong, type Answer } from '../failure.ts'

interface Typed {
  readonly on?: readonly string[]
  readonly cron?: string
  readonly in?: readonly string[] | null
  readonly command?: string | null
  readonly timezone?: string | null
  readonly expect?: string | null
}

/** Separates them from the other input. Contradictions are refused here, the rest by bot.yaml's schema. */
export function takeTrigger<T extends Typed>(
  input: T,
): Answer<{ readonly trigger: TriggerChanges | undefined; readonly rest: Omit<T, keyof Typed> }> {
  const { on, cron, in: where, command, timezone, expect, ...rest } = input
  if (on !== undefined && cron !== undefined)
    return wrong('usage', '--on and --cron are two triggers, and a bot has one', 'create one bot for each')
  const trigger = {
    ...(on === undefined ? {} : { on: on.filter(isHappening) }),
    ...(cron === undefined ? {} : { cron }),
    ...(where === undefined ? {} : { in: where }),
    ...(command === undefined ? {} : { command }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(expect === undefined ? {} : { expect }),
  }
  return done({ trigger: Object.keys(trigger).length > 0 ? trigger : undefined, rest })
}

function isHappening(word: string): word is HappeningKind {
  return (HAPPENINGS as readonly string[]).includes(word)
}
