// `output` of bot.yaml: where a bot speaks, and what it says.
import { z } from 'zod'
import type { Rate } from '../../chat/bucket.ts'
import { withoutRepeats } from './channels.ts'
import { duration, rate } from './duration.ts'
import { eventKey } from '../../message/event.ts'
import { type Fallback, FALLBACKS } from '../../message/fallback.ts'
import { channel } from './fields.ts'
import { findPreset, noSuchPreset } from '../../senders/presets.ts'
import { type Rule, ruleSchema } from '../../message/rules/schema.ts'
import { type Engine, ENGINES, templateProblem } from '../../message/templates.ts'

export interface Output {
  readonly channels: readonly string[]
  readonly dmOwner: boolean
  readonly mention: string | undefined
  readonly template: string | undefined
  /** By event: `push`, `pull_request.closed`, `*`. */
  readonly templates: Readonly<Record<string, string>>
  readonly engine: Engine
  readonly preset: string | undefined
  readonly fallback: Fallback
  readonly burst: Rate | undefined
  readonly coalesceMs: number | undefined
  /** The first route whose rule holds takes the message. */
  readonly routes: readonly Route[]
  /** Speak only in the channel where something happened, if it happened in one. */
  readonly here: boolean
  /** A template: messages for which it renders the same belong together. */
  readonly thread: string | undefined
}

export interface Route {
  readonly when: Rule
  /** Undefined: the bot's own. */
  readonly channels: readonly string[] | undefined
  /** Null wakes nobody. */
  readonly mention: string | null | undefined
}

const eventTemplates = z
  .record(
    z
      .string()
      .regex(
        /^(?=.{1,200}$)[^\s\p{Cc}]+(?: [^\s\p{Cc}]+)*$/u,
        'must be an event, such as push, pull_request.closed or *',
      ),
    z.string(),
  )
  .refine((map) => Object.keys(map).length <= 200, 'must hold at most 200 templates')

const nick = z.string().regex(/^[^\s,:#@!*?.\p{Cc}]{1,64}$/u, 'must be a nick, written without @')
const nickOrNone = z.string().regex(/^[^\s,:#@!*?.\p{Cc}]{0,64}$/u, 'must be a nick, written without @')

const route = z
  .strictObject({
    when: ruleSchema.describe('Rules as in trigger.filter; the first route whose rules hold is taken'),
    channels: z.array(channel).max(100).optional().describe("Channels in place of the bot's own"),
    mention: nick.nullable().optional().describe('Whom to wake in place of output.mention; null: nobody'),
  })
  .refine(
    ({ channels, mention }) => channels !== undefined || mention !== undefined,
    'must set channels, mention or both',
  )

export const outputSchema = z
  .strictObject({
    channels: z.array(channel).max(100).nullish().describe('Channels to speak in: ["#builds"]'),
    dm_owner: z.boolean().nullable().default(false).describe('Also send each message to the owner directly'),
    mention: nickOrNone.nullish().describe('Nick of an agent to @mention, which wakes it'),
    template: z
      .string()
      .nullish()
      .describe('The message; {body.field.subfield} names a value of the payload'),
    templates: eventTemplates
      .nullish()
      .describe('Templates by event: push, pull_request.closed, *; the most specific one is used'),
    engine: z
      .enum(ENGINES)
      .default('tokens')
      .describe('Language of template and templates: {tokens}, or Liquid with conditions and loops'),
    preset: z.string().nullish().describe('Built-in templates: hookline preset list'),
    fallback: z
      .enum(FALLBACKS)
      .nullable()
      .default('json')
      .describe('If a token has no value: the payload, a summary of it, nothing, or a failure'),
    burst: rate.nullish().describe('Messages posted one by one: 10/1m; beyond it one line counts them'),
    routes: z
      .array(route)
      .max(100)
      .nullish()
      .describe('Where a message goes, and whom it wakes, depending on its payload'),
    coalesce: duration(1_000, 600_000).nullish().describe('Messages within this time are posted as one: 5s'),
    here: z.boolean().optional().describe('Speak only in the channel where it happened (trigger.type event)'),
    thread: z
      .string()
      .max(1_000)
      .nullish()
      .describe('Thread key, "{body.pull_request.number}": messages with the same key reply to the first'),
  })
  .prefault({})
  .describe('Where the bot speaks, and what it says')

type Written = z.output<typeof outputSchema>

/** Checked on the whole file, so that templates are complained about only if the rest of it is valid. */
export function checkTemplates({ output }: { output: Written }, context: z.RefinementCtx): void {
  const { engine, preset, template, templates } = output
  const complain = (key: readonly string[], message: string | undefined): void => {
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['output', ...key], message })
  }
  complain(['template'], templateProblem(engine, template ?? ''))
  const known = new Map<string, string>()
  for (const [event, text] of Object.entries(templates ?? {})) {
    complain(['templates', event], templateProblem(engine, text))
    const twin = known.get(eventKey(event))
    if (twin !== undefined)
      complain(['templates', event], `is the same event as ${twin}: keep one of them, case does not matter`)
    known.set(eventKey(event), event)
  }
  if (preset && !findPreset(preset)) {
    const { message, hint } = noSuchPreset(preset)
    complain(['preset'], `${message}: ${hint}`)
  }
}

export function toOutput(output: Written): Output {
  return {
    channels: withoutRepeats(output.channels ?? []),
    dmOwner: output.dm_owner ?? false,
    mention: output.mention || undefined,
    // An empty template would never say anything, so it counts as none.
    template: output.template?.trim() ? output.template : undefined,
    templates: output.templates ?? {},
    engine: output.engine,
    preset: output.preset || undefined,
    fallback: output.fallback ?? 'json',
    burst: output.burst ?? undefined,
    coalesceMs: output.coalesce ?? undefined,
    routes: (output.routes ?? []).map(({ when, channels, mention }) => ({
      when,
      channels: channels && withoutRepeats(channels),
      mention,
    })),
    here: output.here ?? false,
    thread: output.thread?.trim() ? output.thread : undefined,
  }
}
