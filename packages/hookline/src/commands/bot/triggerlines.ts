// Formats a bot's trigger for `bot inspect`.
import type { BotView } from './bot.ts'
import { inert } from '../terminal.ts'

/** Only the fields that are set. */
export function triggerFields({ reacts, schedule, expect, here }: BotView): [string, string][] {
  const pairs: [string, string | null][] = [
    ...(reacts ? reactionFields(reacts) : []),
    ...(schedule ? scheduleFields(schedule) : []),
    ['expect', expect === null ? null : `every ${expect}`],
    ['here', here ? 'only where it happened' : null],
  ]
  return pairs.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, inert(value)]]))
}

function reactionFields(reacts: NonNullable<BotView['reacts']>): [string, string | null][] {
  const { match, bots, on } = reacts
  const conditions = Object.entries(match ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [
    ['on', on.join(', ')],
    ['in', reacts.in.join(' ') || '-'],
    ['from', reacts.from?.join(' ') ?? null],
    ['match', conditions.join(', ') || null],
    ['bots', on.includes('delivery') ? (bots?.join(' ') ?? 'every other bot') : null],
    ['outcome', on.includes('delivery') ? reacts.outcome.join(', ') : null],
    ['rate', reacts.rate],
  ]
}

function scheduleFields(schedule: NonNullable<BotView['schedule']>): [string, string][] {
  const next = schedule.next_run_at?.slice(0, 16).replace('T', ' ')
  return [
    ['cron', `${schedule.cron} (${schedule.timezone})`],
    ['next run', next === undefined ? 'never' : `${next} UTC`],
    ['catch_up', String(schedule.catch_up)],
  ]
}
