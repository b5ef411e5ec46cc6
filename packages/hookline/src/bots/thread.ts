// `output.thread`: which messages of a bot belong together.
import { hash } from 'node:crypto'
import type { BotSettings } from './botfile.ts'
import type { Composed } from './composer.ts'
import type { Envelope } from './event.ts'
import { rootsOf } from './path.ts'
import type { Payload } from './payload.ts'
import { compile, render, type Template } from './template.ts'

/** The same message with the key of its thread, if it has one. Without `output.thread` it stays as it is. */
export function inThread(
  composed: Composed,
  settings: BotSettings,
  payload: Payload,
  envelope: Envelope,
): Composed {
  if (composed.kind !== 'message' || settings.output.thread === undefined) return composed
  const thread = keyOf(compiled(settings, settings.output.thread), payload, envelope)
  return thread === undefined ? composed : { ...composed, thread }
}

/** What is valid but probably not meant. A thread is always in tokens: Liquid in it gives the same text for every message. */
export function threadWarnings({ engine, thread = '' }: BotSettings['output']): readonly string[] {
  const liquid = engine === 'liquid' ? (thread.match(/\{\{.+?\}\}|\{%.+?%\}/g) ?? []) : []
  return liquid.length > 0
    ? liquid.map(
        (text) => `${text} is plain text here: a thread is in tokens, {body.name}, also with engine: liquid`,
      )
    : compile(thread, '').warnings
}

/** Undefined if a token names nothing, null or an empty text: such a message belongs to no other. */
function keyOf({ whole, tokens }: Compiled, payload: Payload, envelope: Envelope): string | undefined {
  const textOf = (template: Template): string | undefined => {
    const rendered = render(template, payload, rootsOf(envelope))
    return rendered.ok ? rendered.text : undefined
  }
  if (tokens.some((token) => NOTHING.has(textOf(token)))) return undefined
  const key = textOf(whole)
  // An index holds the key of every thread: a longer one is replaced by its hash.
  if (key === undefined) return undefined
  return key.length > LONGEST_KEY ? hash('sha256', key, 'hex') : key
}

const NOTHING: ReadonlySet<string | undefined> = new Set([undefined, 'null', ''])
const LONGEST_KEY = 200

interface Compiled {
  readonly whole: Template
  /** Each by itself, to see whether it is null. */
  readonly tokens: readonly Template[]
}

/** Compiled once for each settings object. */
const known = new WeakMap<BotSettings, Compiled>()

function compiled(settings: BotSettings, text: string): Compiled {
  const kept = known.get(settings)
  if (kept) return kept
  const whole = compile(text)
  const tokens = whole.parts.flatMap((part) => (typeof part === 'string' ? [] : { ...whole, parts: [part] }))
  known.set(settings, { whole, tokens })
  return { whole, tokens }
}
