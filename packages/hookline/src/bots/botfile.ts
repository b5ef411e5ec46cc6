// bot.yaml: its schema, and reading it. `hookline explain bot.yaml` shows every field
import { z } from 'zod'
import { formatProblem, readYaml } from '../yamlfile.ts'
import { authSchema, type BotAuth } from './authschema.ts'
import { isNetwork } from '../networks.ts'
import { withoutRepeats } from './channels.ts'
import { duration, rate, type Rate } from './duration.ts'
import { channel, NAME_PATTERN, path } from './fields.ts'
import { findPreset, noSuchPreset } from './presets.ts'
import { ruleSchema } from './rules/schema.ts'
import type { Rule } from './rules/schema.ts'
import { ENGINES, templateProblem } from './templates.ts'
import type { Engine } from './templates.ts'
import { checkTrigger, type Reactions, toReactions, triggerFields } from './triggerschema.ts'

export interface BotSettings {
  readonly name: string
  readonly owner: string
  readonly description: string
  readonly created: string | undefined
  readonly trigger: Reactions & {
    readonly auth: BotAuth | undefined
    readonly rate: Rate | undefined
    /** Where the event is named, when no well-known header does. */
    readonly event: string | undefined
    readonly filter: Rule | undefined
    /** Addresses and networks that may send; undefined: all. */
    readonly allowFrom: readonly string[] | undefined
    /** In ms: from then on nothing is accepted. */
    readonly expiresAt: number | undefined
    /** What the sender hears for what was accepted; undefined: our own answer. */
    readonly reply: { readonly status: number; readonly type: string; readonly body: string } | undefined
  }
  readonly output: {
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
    /** The first whose rule holds takes the message. */
    readonly routes: readonly Route[]
    /** Only in the channel where it happened, for what happened in one. */
    readonly here?: boolean
    /** A template: what renders equal belongs together. */
    readonly thread: string | undefined
  }
}

export interface Route {
  readonly when: Rule
  /** Undefined: the bot's own. */
  readonly channels: readonly string[] | undefined
  /** Null wakes nobody. */
  readonly mention: string | null | undefined
}

export type Fallback = (typeof FALLBACKS)[number]
export const FALLBACKS = ['json', 'summary', 'skip', 'error'] as const

const nameRule =
  'must be letters, digits, _ or -, begin with a letter or digit, and have 64 characters at most'
const name = z.string().regex(NAME_PATTERN, nameRule)

const eventTemplates = z
  .record(
    z.string().regex(/^[^\s\p{Cc}]{1,200}$/u, 'must be an event: push, pull_request.closed or *'),
    z.string(),
  )
  .refine((map) => Object.keys(map).length <= 200, 'must hold 200 templates at most')

const nick = z.string().regex(/^[^\s,:#@!*?.\p{Cc}]{1,64}$/u, 'must be a nick, written without @')

const instant = z.string().transform((text, context): number => {
  const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  context.addIssue({
    code: 'custom',
    message: 'must be a day or a time in UTC: "2026-12-31", "2026-12-31T09:15Z"',
  })
  return z.NEVER
})

const reply = z.strictObject({
  status: z.int().min(200).max(299).default(200).describe('200 to 299'),
  type: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.-]+)*$/, 'must be a media type: text/plain')
    .default('text/plain; charset=utf-8')
    .describe('Content-Type of the body'),
  body: z.string().max(65_536).default('').describe('The body, as it is sent'),
})

/** The shape of bot.yaml, each field described: the JSON Schema in the package is made from it. */
export const botSchema = z
  .strictObject({
    bot: z
      .strictObject({
        name: name.describe("Full name <owner>-<name>: the nick, the URL path, and the folder's name"),
        owner: name.describe(
          'Nick of the person or agent that owns the bot, with the server in front: spark-ori',
        ),
        description: z.string().max(500).nullish().describe('Free text, shown in WHOIS'),
        created: z.string().max(64).nullish().describe('Creation date, "2026-04-03"'),
      })
      .describe('Who the bot is'),
    trigger: z
      .strictObject({
        ...triggerFields,
        auth: authSchema
          .nullish()
          .describe(
            'How a sender proves itself; without it every sender is believed, and none from beyond this machine is served',
          ),
        rate: rate
          .nullish()
          .describe('Deliveries that are accepted: 60/1m; beyond it 429. event: happenings; beyond it none'),
        event: path
          .nullish()
          .describe('Where the event is named, body.type or headers.x-event; default: a well-known header'),
        filter: ruleSchema
          .nullish()
          .describe('Which deliveries the bot speaks of; the others are answered 200 and skipped'),
        allow_from: z
          .array(z.string().refine(isNetwork, 'must be an address or a network, as 192.0.2.0/24'))
          .min(1, 'must hold one address at least')
          .max(100)
          .nullish()
          .describe('Addresses and networks that may send; others hear 403'),
        expires: instant.nullish().describe('Day or time (UTC) from which senders hear 410: "2026-12-31"'),
        reply: reply
          .nullish()
          .describe('What a sender hears in place of our own answer when it was accepted'),
      })
      .superRefine(checkTrigger)
      .prefault({})
      .describe('What makes the bot speak'),
    output: z
      .strictObject({
        channels: z.array(channel).max(100).nullish().describe('Channels to speak in: ["#builds"]'),
        dm_owner: z.boolean().default(false).describe('Send the owner the same message directly'),
        mention: nick.nullish().describe('Nick of an agent to @mention, which wakes it'),
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
        preset: z.string().nullish().describe('Templates that come with the server: hookline preset list'),
        fallback: z
          .enum(FALLBACKS)
          .default('json')
          .describe('When a token names nothing: the payload, a summary of it, nothing, or a failure'),
        burst: rate
          .nullish()
          .describe('Messages that are told one by one: 10/1m; beyond it one line counts them'),
        routes: z
          .array(
            z
              .strictObject({
                when: ruleSchema.describe(
                  'Rules as in trigger.filter; the first route whose rules hold is taken',
                ),
                channels: z.array(channel).max(100).optional().describe("Channels in place of the bot's own"),
                mention: nick
                  .nullable()
                  .optional()
                  .describe('Whom to wake in place of output.mention; null: nobody'),
              })
              .refine(
                (route) => route.channels !== undefined || route.mention !== undefined,
                'must say channels, or mention, or both',
              ),
          )
          .max(100)
          .nullish()
          .describe('Where a message goes, and whom it wakes, by what its payload says'),
        coalesce: duration(1_000, 600_000)
          .nullish()
          .describe('Messages within this time are told as one: 5s'),
        here: z
          .boolean()
          .optional()
          .describe('Speak only in the channel where it happened (trigger.type event)'),
        thread: z
          .string()
          .max(1_000)
          .nullish()
          .describe('What belongs together, "{body.pull_request.number}": messages answer the first of it'),
      })
      .prefault({})
      .describe('Where the bot speaks, and what it says'),
  })
  .superRefine(({ output }, context) => {
    const { engine, preset, template, templates } = output
    const complain = (key: readonly string[], message: string | undefined): void => {
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['output', ...key], message })
    }
    complain(['template'], templateProblem(engine, template ?? ''))
    for (const [event, text] of Object.entries(templates ?? {}))
      complain(['templates', event], templateProblem(engine, text))
    if (preset && !findPreset(preset)) complain(['preset'], noSuchPreset(preset))
  })
  .superRefine(({ bot, trigger, output }, context) => {
    const complain = (message: string) =>
      context.addIssue({ code: 'custom', path: ['output', 'here'], message })
    if (output.here && trigger.type !== 'event') complain('is for trigger.type event')
    if (bot.name.startsWith(`${bot.owner}-`) && bot.name.length > bot.owner.length + 1) return
    context.addIssue({
      code: 'custom',
      path: ['bot', 'name'],
      message: `must be <owner>-<name>: ${bot.owner}-…`,
    })
  })

export type BotFileRead =
  | { readonly ok: true; readonly settings: BotSettings }
  | { readonly ok: false; readonly problems: readonly string[] }

/** `file` is how problems call it; `folderName` is what the bot must be named. Problems begin `file:line:column`. */
export function parseBotFile(text: string, file: string, folderName: string): BotFileRead {
  const inItsFolder = botSchema.superRefine(({ bot }, context) => {
    if (bot.name === folderName) return
    context.addIssue({
      code: 'custom',
      path: ['bot', 'name'],
      message: `must equal the name of its folder, ${folderName}: rename one of the two`,
    })
  })
  const read = readYaml(text, file, inItsFolder)
  return read.ok
    ? { ok: true, settings: toSettings(read.value) }
    : { ok: false, problems: read.problems.map(formatProblem) }
}

function toSettings({ bot, trigger, output }: z.output<typeof botSchema>): BotSettings {
  return {
    name: bot.name,
    owner: bot.owner,
    description: bot.description ?? '',
    created: bot.created ?? undefined,
    trigger: {
      ...toReactions(trigger),
      auth: trigger.auth ?? undefined,
      event: trigger.event ?? undefined,
      filter: trigger.filter ?? undefined,
      rate: trigger.rate ?? undefined,
      allowFrom: trigger.allow_from ?? undefined,
      expiresAt: trigger.expires ?? undefined,
      reply: trigger.reply ?? undefined,
    },
    output: {
      channels: withoutRepeats(output.channels ?? []),
      dmOwner: output.dm_owner,
      mention: output.mention ?? undefined,
      // An empty template would say nothing for ever: it is none.
      template: output.template?.trim() ? output.template : undefined,
      templates: output.templates ?? {},
      engine: output.engine,
      preset: output.preset ?? undefined,
      fallback: output.fallback,
      burst: output.burst ?? undefined,
      coalesceMs: output.coalesce ?? undefined,
      routes: (output.routes ?? []).map(({ when, channels, mention }) => ({
        when,
        channels: channels && withoutRepeats(channels),
        mention,
      })),
      ...(output.here === undefined ? {} : { here: output.here }),
      thread: output.thread?.trim() ? output.thread : undefined,
    },
  }
}
