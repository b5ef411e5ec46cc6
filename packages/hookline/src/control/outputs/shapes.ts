// What `--json` prints, key by key, for `explain` and `--help --json`. The compiler checks it against `Outputs`.
import type { Outputs } from '../outputs.ts'
import type { DeliveryDetails, DeliveryView } from '../../commands/delivery/delivery.ts'
import type { BotView } from '../../commands/bot/bot.ts'
import type { Tested } from './try.ts'

/** A word for a value, one such shape in a list, keys with their shapes, or either of these or null. */
export type AnyShape =
  | string
  | readonly [AnyShape]
  | { readonly orNull: AnyShape }
  | { readonly [key: string]: AnyShape }

/** `object`: as it is in a file, or as another command prints it. */
type Shape<T> = null extends T ? OrNull<NonNullable<T>> : Sure<T>
type Sure<T> = T extends string
  ? 'text' | 'time'
  : T extends number
    ? 'number'
    : T extends boolean
      ? 'true or false'
      : T extends readonly (infer Item)[]
        ? readonly [Shape<Item>]
        : 'object' | `object as of ${keyof Outputs}` | { readonly [Key in keyof T]-?: Shape<T[Key]> }
type OrNull<T> = T extends string | number | boolean
  ? `${Sure<T> & string} or null`
  : { readonly orNull: Sure<T> }
/** Where one object or a list of them is printed, that of the object. */
type Printed<T> = [T] extends [readonly unknown[]] ? Sure<T> : Sure<Exclude<T, readonly unknown[]>>

const botOnDisk = {
  name: 'text',
  trigger: 'text',
  reacts: {
    orNull: {
      on: ['text'],
      in: ['text'],
      from: { orNull: ['text'] },
      match: { orNull: 'object' },
      bots: { orNull: ['text'] },
      outcome: ['text'],
      rate: 'text',
    },
  },
  schedule: {
    orNull: { cron: 'text', timezone: 'text', catch_up: 'true or false', next_run_at: 'time or null' },
  },
  expect: 'text or null',
  here: 'true or false',
  channels: ['text'],
  owner: 'text or null',
  description: 'text',
  created: 'text or null',
  mention: 'text or null',
  dm_owner: 'true or false',
  template: 'text or null',
  templates: 'object',
  engine: 'text',
  preset: 'text or null',
  event: 'text or null',
  filter: { orNull: 'object' },
  fallback: 'text',
  auth: { orNull: { type: 'text', secrets: 'number', references: ['text'], proof: { orNull: 'object' } } },
  handler: 'text or null',
  isolated: 'true or false or null',
  file: 'text',
  thread: 'text or null',
  rate: 'text or null',
  allow_from: { orNull: ['text'] },
  expires: 'text or null',
  reply: { orNull: 'object' },
  burst: 'text or null',
  coalesce: 'text or null',
  routes: ['object'],
  problems: ['text'],
  warnings: ['text'],
} as const satisfies Shape<Omit<BotView, 'status' | 'url'>>

const bot = { ...botOnDisk, status: 'text', url: 'text or null' } as const satisfies Shape<BotView>
const aBot = 'object as of bot list'
const changed = { bot: aBot, secret: 'text or null', setup: ['text'] } as const

const delivery = {
  id: 'text',
  bot: 'text',
  received_at: 'time',
  finished_at: 'time or null',
  status: 'text',
  event: 'text or null',
  channels: ['text'],
  text: 'text or null',
  error: 'text or null',
  error_line: 'text or null',
  attempts: 'number',
  composed_by: 'text or null',
  unresolved: ['text'],
  reason: 'text or null',
  woken: ['text'],
} as const satisfies Shape<DeliveryView>

const details = {
  ...delivery,
  headers: 'object',
  payload: 'text or null',
} as const satisfies Shape<DeliveryDetails>

const sent = { id: 'text', time: 'time', target: 'text', from: 'text', text: 'text' } as const
const redacted = { orNull: { by: 'text', at: 'time', reason: 'text or null' } } as const

const tried = {
  kind: 'text',
  text: 'text or null',
  unresolved: ['text'],
  event: 'text or null',
  composed_by: 'text or null',
  reason: 'text or null',
  thread: 'text or null',
  destination: { orNull: { channels: ['text'], mention: 'text or null' } },
  fixture: 'text or null',
  golden: { orNull: { file: 'text', status: 'text', diff: ['text'] } },
} as const satisfies Shape<Tested>

const counts = {
  payloads: 'number',
  resolved: 'number',
  incomplete: 'number',
  fell_back: 'number',
  filtered: 'number',
  failed: 'number',
} as const

/** Where a command prints one object or a list of such, that of the object. */
const shapes: Readonly<{ [Name in keyof Outputs]: Printed<Outputs[Name]> }> = {
  'bot create': { ...changed, try: 'text or null' },
  'bot start': { bot: aBot },
  'bot stop': { bot: aBot },
  'bot list': [bot],
  'bot inspect': {
    ...bot,
    deliveries: { orNull: [delivery] },
    refused: { orNull: [delivery] },
    without_account: { orNull: ['text'] },
  },
  'bot edit': changed,
  'bot rotate-secret': { ...changed, dropped: 'number' },
  'bot delete': { name: 'text', moved_to: 'text or null' },
  'bot validate': { bots: [botOnDisk] },
  'bot test': tried,
  'bot capture': { bot: 'text', folder: 'text', captured: 'number', kept: 'number', removed: 'number' },
  'bot suggest': {
    bot: 'text',
    from: 'text',
    events: [
      {
        event: 'text or null',
        payloads: 'number',
        paths: [
          { token: 'text', in: 'number', types: ['text'], lengths: { orNull: ['number'] }, sample: 'text' },
        ],
        more: 'number',
        unwritable: 'number',
      },
    ],
  },
  'bot lint': {
    bot: 'text',
    from: 'text',
    handler: 'text or null',
    ...counts,
    events: [
      {
        event: 'text or null',
        ...counts,
        has_template: 'true or false',
        missing: [{ token: 'text', in: 'number' }],
        problems: [{ problem: 'text', in: 'number', example: 'text' }],
      },
    ],
    warnings: ['text'],
  },
  'bot logs': { deliveries: [delivery], log: ['text'] },
  'bot deliveries': [delivery],
  'bot deliveries show': details,
  'bot replay': {
    id: 'text',
    status: 'text',
    message: 'text or null',
    channels: ['text'],
    error: 'text or null',
  },
  'bot retract': {
    delivery: 'text',
    messages: [{ id: 'text', target: 'text' }],
    unheard: 'number',
    reason: 'text or null',
  },
  'bot why': {
    message: { orNull: { ...sent, redacted } },
    delivery: details,
    source: {
      orNull: {
        composed_by: 'text',
        file: 'text',
        line: 'number or null',
        template: 'text or null',
        changed_since: 'true or false',
      },
    },
  },
}

/** Undefined for commands that print a page or a script. */
export function shapeOf(operation: string): AnyShape | undefined {
  return (shapes as Readonly<Record<string, AnyShape>>)[operation]
}
