// What a bot says to a payload: its handler's answer, else its template, else the whole payload. docs/handlers.md, docs/templates.md
import type { BotSettings } from './file/botfile.ts'
import { ownWords } from './causes.ts'
import { cleanHandlerText, withoutBlankLines } from '../message/clean.ts'
import { fallBack } from '../message/fallback.ts'
import { type HandlerFile, handlerOf } from '../handlers/find.ts'
import { Handler, type HandlerCall, type HandlerOptions } from '../handlers/handler.ts'
import { Starts } from '../handlers/starts.ts'
import { Warm } from '../handlers/warm.ts'
import type { Composed, DeliveryFacts } from '../message/composed.ts'
import type { Payload } from '../message/payload.ts'
import { planOf } from './plan.ts'
import type { Compiled } from '../message/templates.ts'

export interface Author {
  readonly name: string
  readonly folder: string
  /** The name of its handler's file, when the folder was read last. */
  readonly handler?: string | undefined
  readonly settings: BotSettings
}

export type ComposerOptions = Pick<HandlerOptions, 'home' | 'log' | 'limits' | 'state'>

export class Composer {
  readonly #options: ComposerOptions
  readonly #handlers = new Map<string, Handler>()
  readonly #starts = new Starts()
  readonly #warm: Warm
  #isClosed = false

  constructor(options: ComposerOptions) {
    this.#options = options
    this.#warm = new Warm(options.limits.maxWarm)
  }

  /** Asks the bot's handler, if it has one. Looks at the folder each time, so changes count from the next delivery. Never rejects. */
  async compose(bot: Author, payload: Payload, delivery: DeliveryFacts): Promise<Composed> {
    const { handler, problem } = handlerOf(bot)
    if (!handler) return renderOf(bot, payload, delivery, problem)
    return saidAnyway(bot, payload, delivery) ?? (await this.#ask(bot, handler, payload, delivery))
  }

  /** The bot's next call gets a new worker; a call under way is still answered. */
  renew(name: string): void {
    this.#handlers.get(name)?.renew()
  }

  /** Ends the bot's worker; calls in it fail. */
  async forget(name: string): Promise<void> {
    const handler = this.#handlers.get(name)
    this.#handlers.delete(name)
    await handler?.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#handlers.keys()].map((name) => this.forget(name)))
  }

  async #ask(bot: Author, file: HandlerFile, payload: Payload, delivery: DeliveryFacts): Promise<Composed> {
    if (this.#isClosed) return { kind: 'failed', error: 'the server is shutting down' }
    const about = attributes(bot.settings, delivery)
    const { handler: isolation } = bot.settings
    const answer = await this.#handler(bot).call({ file, isolation, payload: payload.text, about })
    if (!answer.ok) return { kind: 'failed', error: answer.error }
    const text = withoutBlankLines(cleanHandlerText(answer.text ?? '', payload.text))
    return messageOrSkip(text, file.name, 'the handler returned nothing')
  }

  #handler({ name, folder }: Author): Handler {
    const known = this.#handlers.get(name)
    if (known) return known
    const shared = { ...this.#options, starts: this.#starts, warm: this.#warm }
    const handler = new Handler({ bot: name, folder, ...shared })
    this.#handlers.set(name, handler)
    return handler
  }
}

/** What a bot without a usable handler says. `problem` tells what is wrong with its handler, if it has one. */
export function renderOf(
  bot: Author,
  payload: Payload,
  delivery: DeliveryFacts,
  problem: string | undefined,
): Composed {
  const said = saidAnyway(bot, payload, delivery)
  if (said) return said
  if (problem !== undefined) return { kind: 'failed', error: problem }
  return fromTemplate(planOf(bot.settings).choose(payload, delivery.event), bot.settings, payload, delivery)
}

/** What is said whatever composes: for deliveries of our own, and for those that the filter leaves out, which are skipped. */
function saidAnyway({ settings }: Author, payload: Payload, delivery: DeliveryFacts): Composed | undefined {
  const plan = planOf(settings)
  const own = ownWords(payload, delivery)
  if (own) {
    const template = own.kind === 'message' ? plan.ofEvent(delivery.event ?? '') : undefined
    return template ? fromTemplate(template, settings, payload, delivery) : own
  }
  const why = plan.judge?.(payload, delivery)
  return why === undefined ? undefined : { kind: 'skip', composedBy: null, reason: `filtered: ${why}` }
}

function fromTemplate(
  template: Compiled | undefined,
  { output }: BotSettings,
  payload: Payload,
  delivery: DeliveryFacts,
): Composed {
  const orElse = (reason: string | null, unresolved: readonly string[] = []): Composed =>
    fallBack(output.fallback, payload, delivery, { unresolved, reason })
  if (!template) {
    const hasSome = output.preset !== undefined || Object.keys(output.templates).length > 0
    return orElse(hasSome ? 'no template matches this event' : null)
  }
  const { name } = template
  const made = template.make(payload, delivery)
  switch (made.kind) {
    case 'text':
      return messageOrSkip(made.text, name, 'the template rendered to nothing', made.unresolved)
    case 'unresolved': {
      const reason = `${name} uses values that the payload lacks: ${made.unresolved.join(', ')}`
      return orElse(reason, made.unresolved)
    }
    case 'stopped':
      return orElse(`${name}: ${made.problem}`)
  }
}

function messageOrSkip(
  text: string,
  composedBy: string,
  whySkipped: string,
  unresolved: readonly string[] = [],
): Composed {
  if (text === '') {
    return { kind: 'skip', composedBy, reason: whySkipped, ...(unresolved.length > 0 ? { unresolved } : {}) }
  }
  return { kind: 'message', text, unresolved, composedBy }
}

/** `bot` as a handler sees it, besides its state. */
function attributes(settings: BotSettings, { id, event, headers }: DeliveryFacts): HandlerCall['about'] {
  const { output } = settings
  return {
    name: settings.name,
    nick: settings.name,
    owner: settings.owner,
    description: settings.description,
    created: settings.created ?? null,
    channels: output.channels,
    mention: output.mention ?? null,
    dm_owner: output.dmOwner,
    template: output.template ?? null,
    fallback: output.fallback,
    delivery_id: id,
    event,
    headers,
  }
}
