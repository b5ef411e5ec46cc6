// Turns `--on`, `--cron` and the options that go with them into changes of a bot's trigger.
import type { TriggerChanges } from '../../../bots/file/triggeredit.ts'
import { HAPPENINGS, type HappeningKind } from '../../../bots/file/triggertypes.ts'
import { done, wrong, type Answer } from '../../../control/failure.ts'
import { notAChannel } from '../../input.ts'

interface Typed {
  readonly on?: readonly string[]
  readonly cron?: string
  readonly in?: readonly string[] | null
  readonly command?: string | null
  readonly timezone?: string | null
  readonly expect?: string | null
}

/**
 * Separates them from the other input. Contradictions are refused here, and what is no channel, which bot.yaml's schema would report
 * in terms of YAML; the rest by that schema.
 */
export function takeTrigger<T extends Typed & { readonly channels?: readonly string[] }>(
  input: T,
): Answer<{ readonly trigger: TriggerChanges | undefined; readonly rest: Omit<T, keyof Typed> }> {
  const { on, cron, in: where, command, timezone, expect, ...rest } = input
  const misnamed = [...(input.channels ?? []), ...(where ?? [])].find((name) => !name.startsWith('#'))
  if (misnamed !== undefined) return notAChannel(misnamed)
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
