// bot.yaml: its schema, and reading it. `hookline explain bot.yaml` shows every field
import { z } from 'zod'
import type { Rate } from '../../chat/bucket.ts'
import { isNetwork } from '../../net/networks.ts'
import { formatProblem, readYaml } from '../../yaml/yamlfile.ts'
import { authSchema, type BotAuth } from '../../senders/authschema.ts'
import { rate } from './duration.ts'
import { NAME_PATTERN } from './fields.ts'
import { checkTemplates, type Output, outputSchema, toOutput } from './outputschema.ts'
import type { Isolation } from '../../handlers/openfiles.ts'
import { path, type Rule, ruleSchema } from '../../message/rules/schema.ts'
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
    /** A body may be an array, of which each element is a delivery. */
    readonly batch: boolean
    /** The response to a delivery that was accepted; undefined: the default one. */
    readonly reply: { readonly status: number; readonly type: string; readonly body: string } | undefined
  }
  readonly output: Output
  /** Undefined if the file does not say `handler:`: then its handler is not isolated, as before there was any isolation. */
  readonly handler: Isolation | undefined
}

const NAME_RULE =
  'must be letters, digits, _ or -, begin with a letter or digit, and have at most 64 characters'
const name = z.string().regex(NAME_PATTERN, NAME_RULE)

const INSTANT_RULE = 'must be a day or a time in UTC, such as "2026-12-31" or "2026-12-31T09:15Z"'

const instant = z.string(INSTANT_RULE).transform((text, context): number => {
  const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN
  // JavaScript counts on from a day that a month does not have: February 30 would be March 2.
  if (new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10)) && !Number.isNaN(ms)) return ms
  context.addIssue(INSTANT_RULE)
  return z.NEVER
})

const reply = z.strictObject({
  status: z.int().min(200).max(299).default(200).describe('200 to 299'),
  type: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.-]+)*$/, 'must be a media type, such as text/plain')
    .default('text/plain; charset=utf-8')
    .describe('Content-Type of the body'),
  body: z.string().max(65_536).default('').describe('The body, sent as it is'),
})

/** RFC 9110, 15.3.5 and 15.3.6: 204 and 205 have none. */
export function hasContent(status: number): boolean {
  return status !== 204 && status !== 205
}

const openPath = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0]*$/, 'must be a path')

const handlerSchema = z.strictObject({
  files: z
    .array(
      z.union([
        openPath,
        z
          .strictObject({ path: openPath, write: z.boolean().default(false) })
          .describe('write: true to write'),
      ]),
    )
    .max(50)
    .default([])
    .describe('What it also sees, read-only: paths, absolute or in its folder; {path: …, write: true}'),
  network: z.boolean().default(false).describe('true: it can use the network'),
})

/** The shape of bot.yaml, each field described: the JSON Schema in the package is made from it. */
export const botSchema = z
  .strictObject({
    bot: z
      .strictObject({
        name: name.describe("Full name <owner>-<name>: the nick, the URL path, and the folder's name"),
        owner: name.describe(
          "Nick of the person or agent that owns the bot, prefixed with the server's name: spark-ori",
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
            'How senders authenticate; without it every sender on this machine is accepted, and none from elsewhere. Once a bot has it, only type none ends it',
          ),
        rate: rate
          .nullish()
          .describe('Deliveries accepted: 60/1m; beyond it 429. event: reactions; beyond it none'),
        event: path
          .nullish()
          .describe('Path to the event name, body.type or headers.x-event; default: a well-known header'),
        filter: ruleSchema
          .nullish()
          .describe('Which deliveries the bot posts; the others are answered 200 and skipped'),
        allow_from: z
          .array(z.string().refine(isNetwork, 'must be an address or a network, such as 192.0.2.0/24'))
          .min(1, 'must hold at least one address')
          .max(100)
          .nullish()
          .describe('Addresses and networks that may send; others get 403'),
        batch: z
          .boolean()
          .nullish()
          .describe(
            'The body may be an array: each element becomes a delivery, in order, all of them or none',
          ),
        expires: instant.nullish().describe('Day or time (UTC) from which senders get 410: "2026-12-31"'),
        reply: reply.nullish().describe('Response to an accepted delivery, in place of the default'),
      })
      .superRefine(checkTrigger)
      .prefault({})
      .describe('What makes the bot speak'),
    output: outputSchema,
    handler: handlerSchema
      .nullish()
      .describe(
        'handler: {} isolates handler.py or handler.ts: it sees its own folder, its interpreter and no network',
      ),
  })
  .superRefine(checkTemplates)
  .superRefine(({ bot, trigger, output }, context) => {
    const complain = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (output.here && trigger.type !== 'event') complain(['output', 'here'], 'is for trigger.type event')
    const isOwned = bot.name.startsWith(`${bot.owner}-`) && bot.name.length > bot.owner.length + 1
    if (!isOwned) complain(['bot', 'name'], `must be <owner>-<name>: ${bot.owner}-…`)
  })

export type BotFileRead =
  | { readonly ok: true; readonly settings: BotSettings }
  | { readonly ok: false; readonly problems: readonly string[] }

/** `file` is its name in problems; `folderName` is what the bot must be named. Problems begin `file:line:column`. */
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

function toSettings({ bot, trigger, output, handler }: z.output<typeof botSchema>): BotSettings {
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
      batch: trigger.batch ?? false,
      reply: trigger.reply ?? undefined,
    },
    output: toOutput(output),
    handler: toIsolation(handler),
  }
}

/** `handler:` with nothing behind it isolates as well: whoever writes that means to. */
function toIsolation(handler: z.output<typeof handlerSchema> | null | undefined): Isolation | undefined {
  if (handler === undefined) return undefined
  const { files, network } = handler ?? { files: [], network: false }
  return {
    files: files.map((each) => (typeof each === 'string' ? { path: each, write: false } : each)),
    network,
  }
}
