// `trigger` of bot.yaml for bots that react to the chat, to the clock and to silence.
import { z } from 'zod'
import type { Rate } from '../../chat/bucket.ts'
import { cronFlaw, isTimezone, localTimezone, type Schedule } from './cron.ts'
import { duration } from './duration.ts'
import { channel, NAME_PATTERN } from './fields.ts'
import { type HappeningKind, HAPPENINGS, TRIGGER_TYPES, type TriggerType } from './triggertypes.ts'

const OUTCOMES = ['posted', 'skipped', 'failed'] as const

/** Settings of a bot of type event. Nicks, channels and texts are compared without case. */
export interface Reaction {
  readonly on: readonly HappeningKind[]
  /** Where; undefined: the channels it speaks in. */
  readonly in: readonly string[] | undefined
  readonly from: readonly string[] | undefined
  readonly match: {
    readonly contains: string | undefined
    readonly startsWith: string | undefined
    /** The first word. */
    readonly command: string | undefined
    readonly mentionsMe: boolean
  }
  /** Whose deliveries; undefined: every other bot's. */
  readonly bots: readonly string[] | undefined
  readonly outcomes: readonly string[]
  /** Beyond it what happens is dropped and counted, and the owner is told. */
  readonly rate: Rate
}

export interface Expectation {
  readonly everyMs: number
  /** As written: `24h`. */
  readonly every: string
}

/** The part of `trigger` that says what wakes the bot. */
export interface Reactions {
  readonly type: TriggerType
  /** For type event. */
  readonly reaction: Reaction | undefined
  /** For type schedule. */
  readonly schedule: Schedule | undefined
  /** For types webhook and event. */
  readonly expect: Expectation | undefined
}

const EXPECT_RULE = 'must be a time from 10s to 366d, written as in every 24h'

const text = z.string().min(1, 'must not be empty').max(200)

function names(name: z.ZodString) {
  return z.array(name).min(1, 'must name at least one').max(100)
}

export const triggerFields = {
  type: z
    .enum(TRIGGER_TYPES)
    .default('webhook')
    .describe('What wakes the bot: a POST to its URL, something that happens in the chat, or the clock'),
  on: z
    .union([z.enum(HAPPENINGS), z.array(z.enum(HAPPENINGS)).min(1, 'must name at least one event')])
    .optional()
    .describe('event: what it reacts to, one or more'),
  in: names(channel).optional().describe('event: where it listens; default: output.channels'),
  from: names(z.string().regex(/^[^\s,:#@!*?\p{Cc}]{1,64}$/u, 'must be nicks, written without @'))
    .optional()
    .describe('event: only what these nicks do'),
  match: z
    .strictObject({
      contains: text.optional().describe('The message contains this, ignoring case'),
      starts_with: text.optional().describe('The message begins with this, ignoring case'),
      command: text
        .regex(/^\S+$/, 'must be one word, such as "!deploy"')
        .optional()
        .describe('The first word of the message: "!deploy"'),
      mentions_me: z.boolean().default(false).describe("The message contains the bot's nick"),
    })
    .optional()
    .describe('event, on message: which messages; all given conditions must hold'),
  bots: names(z.string().regex(NAME_PATTERN, 'must be full names of bots'))
    .optional()
    .describe("event, on delivery: whose deliveries; default: every other bot's"),
  outcome: z
    .union([z.enum(OUTCOMES), z.array(z.enum(OUTCOMES)).min(1, 'must name at least one outcome')])
    .optional()
    .describe('event, on delivery: with which outcome; default: any'),
  cron: z
    .string()
    .max(200)
    .optional()
    .describe('schedule: when, as minute, hour, day of month, month, weekday: "0 9 * * 1-5"'),
  timezone: z
    .string()
    .refine(isTimezone, 'must be a time zone such as Europe/Berlin or UTC')
    .optional()
    .describe("schedule: the time zone of cron; default: the machine's"),
  catch_up: z
    .boolean()
    .optional()
    .describe('schedule: after server downtime, the last missed run is made up for'),
  expect: z
    .string(EXPECT_RULE)
    .transform((written, context): Expectation => {
      const every = /^every (\S+)$/.exec(written)?.[1] ?? ''
      const parsed = duration(10_000, 366 * 86_400_000).safeParse(every)
      if (parsed.success) return { everyMs: parsed.data, every }
      context.addIssue(EXPECT_RULE)
      return z.NEVER
    })
    .optional()
    .describe('webhook, event: after this long without any, one line says so: every 24h'),
} as const

type Fields = z.output<z.ZodObject<typeof triggerFields>>
type Written = Fields & { readonly rate?: Rate | null | undefined }

/** Which keys go with which type, and what the type requires. */
export function checkTrigger(
  trigger: Fields & { readonly auth?: unknown; readonly rate?: unknown },
  context: z.RefinementCtx,
): void {
  const complain = (key: string, message: string) =>
    context.addIssue({ code: 'custom', path: [key], message })
  for (const [key, types] of Object.entries(KEYS)) {
    const value = trigger[key as keyof typeof trigger]
    if (value === undefined || value === null || types.includes(trigger.type)) continue
    complain(key, `is for type ${types.join(' and ')}: set trigger.type, or remove it`)
  }
  if (trigger.type === 'event') for (const [key, flaw] of flawsOfReaction(trigger)) complain(key, flaw)
  if (trigger.type !== 'schedule') return
  const flaw = trigger.cron === undefined ? 'must say when, such as "0 9 * * 1-5"' : cronFlaw(trigger.cron)
  if (flaw !== undefined) complain('cron', flaw)
}

function* flawsOfReaction(trigger: Fields): Generator<[string, string]> {
  const on = [trigger.on ?? []].flat()
  if (on.length === 0) yield ['on', `must say what it reacts to: one of ${HAPPENINGS.join(', ')}`]
  if (trigger.match && !on.includes('message')) yield ['match', 'needs message in trigger.on']
  for (const key of ['bots', 'outcome'] as const) {
    if (trigger[key] !== undefined && !on.includes('delivery')) yield [key, 'needs delivery in trigger.on']
  }
  const isDeaf = on.length > 0 && on.every((kind) => kind === 'delivery')
  const why = 'needs more than delivery in trigger.on: no delivery happens in a channel, or by a nick'
  for (const key of ['in', 'from'] as const) if (trigger[key] !== undefined && isDeaf) yield [key, why]
}

export function toReactions(trigger: Written): Reactions {
  const { type, cron, timezone, catch_up: catchUp = false, expect } = trigger
  return {
    type,
    reaction: type === 'event' ? toReaction(trigger) : undefined,
    schedule: cron === undefined ? undefined : { cron, timezone: timezone ?? localTimezone(), catchUp },
    expect,
  }
}

/** The keys that a bot loses when its type changes. */
export function keysLost(from: TriggerType, to: TriggerType): readonly string[] {
  return Object.entries(KEYS).flatMap(([key, types]) =>
    types.includes(from) && !types.includes(to) ? [key] : [],
  )
}

const KEYS: Readonly<Record<string, readonly TriggerType[]>> = {
  auth: ['webhook'],
  event: ['webhook'],
  allow_from: ['webhook'],
  batch: ['webhook'],
  expires: ['webhook'],
  reply: ['webhook'],
  rate: ['webhook', 'event'],
  on: ['event'],
  in: ['event'],
  from: ['event'],
  match: ['event'],
  bots: ['event'],
  outcome: ['event'],
  cron: ['schedule'],
  timezone: ['schedule'],
  catch_up: ['schedule'],
  expect: ['webhook', 'event'],
}

/** As loud as a room of twenty people; an unforeseen loop is held to ten lines in ten seconds. */
const USUAL_RATE: Rate = { count: 10, everyMs: 10_000 }

function toReaction({ on, in: where, from, match, bots, outcome, rate }: Written): Reaction {
  return {
    on: [on ?? []].flat(),
    in: where,
    from,
    match: {
      contains: match?.contains,
      startsWith: match?.starts_with,
      command: match?.command,
      mentionsMe: match?.mentions_me ?? false,
    },
    bots,
    outcomes: [outcome ?? OUTCOMES].flat(),
    rate: rate ?? USUAL_RATE,
  }
}
