// A bot's trigger, as outputs show it.
import type { BotSettings } from '../../../bots/file/botfile.ts'
import { nextRun } from '../../../bots/file/cron.ts'
import { formatRate } from '../../../bots/file/duration.ts'
import type { Reaction } from '../../../bots/file/triggerschema.ts'
import type { BotView } from '../bot.ts'

type TriggerView = Pick<BotView, 'reacts' | 'schedule' | 'expect' | 'here'>

export function viewTrigger(settings: BotSettings | undefined): TriggerView {
  const { reaction, schedule, expect } = settings?.trigger ?? {}
  const next = schedule && nextRun(schedule, Date.now())
  return {
    reacts: settings && reaction ? viewReaction(settings, reaction) : null,
    schedule: schedule
      ? {
          cron: schedule.cron,
          timezone: schedule.timezone,
          catch_up: schedule.catchUp,
          next_run_at: next === undefined ? null : new Date(next).toISOString(),
        }
      : null,
    expect: expect?.every ?? null,
    here: settings?.output.here ?? false,
  }
}

function viewReaction({ output }: BotSettings, reaction: Reaction): BotView['reacts'] {
  const { contains, startsWith, command, mentionsMe } = reaction.match
  const match = {
    ...(contains === undefined ? {} : { contains }),
    ...(startsWith === undefined ? {} : { starts_with: startsWith }),
    ...(command === undefined ? {} : { command }),
    ...(mentionsMe ? { mentions_me: true } : {}),
  }
  return {
    on: reaction.on,
    in: reaction.in ?? output.channels,
    from: reaction.from ?? null,
    match: Object.keys(match).length > 0 ? match : null,
    bots: reaction.bots ?? null,
    outcome: reaction.outcomes,
    rate: formatRate(reaction.rate),
  }
}
