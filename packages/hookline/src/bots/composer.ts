// What a bot says to a payload: its handler's answer, else its template, else the whole payload. [CONTRACT 3 and 5]
import type { BotSettings } from './botfile.ts'
import { cleanHandlerText, withoutBlankLines } from './clean.ts'
import { findHandler } from './handler/find.ts'
import type { HandlerFile } from './handler/find.ts'
import { Handler } from './handler/handler.ts'
import type { HandlerLimits } from './handler/limits.ts'
import type { PrintLog } from './handler/prints.ts'
import type { Payload } from './payload.ts'
import { compile, render, renderFallback } from './template.ts'
import type { Template } from './template.ts'

/**
 * `unresolved` are the tokens because of which the message is the whole payload; `composedBy` is what made the text.
 * An empty message is skipped.
 */
export type Composed =
  | {
      readonly kind: 'message'
      readonly text: string
      readonly unresolved: readonly string[]
      readonly composedBy: string
    }
  | { readonly kind: 'skip'; readonly composedBy: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: string }

export interface DeliveryFacts {
  readonly id: string
  /** The sender's word for the kind of event: `push`. */
  readonly event: string | null
  /** What `{headers.…}` names, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Author {
  readonly name: string
  readonly folder: string
  readonly settings: BotSettings
}

export interface ComposerOptions {
  readonly log: PrintLog
  readonly limits: HandlerLimits
  readonly state: {
    load(bot: string): Promise<string | undefined>
    save(bot: string, json: string): Promise<void>
  }
}

export class Composer {
  readonly #options: ComposerOptions
  readonly #handlers = new Map<string, Handler>()
  readonly #templates = new WeakMap<BotSettings, Template>()
  #isClosed = false

  constructor(options: ComposerOptions) {
    this.#options = options
  }

  /** Looks at the folder each time: a handler that was added, edited or removed counts from the next delivery. Rejects never. */
  async compose(bot: Author, payload: Payload, delivery: DeliveryFacts): Promise<Composed> {
    const { handler, problem } = findHandler(bot.folder)
    if (problem !== undefined) return { kind: 'failed', error: problem }
    if (handler) return await this.#ask(bot, handler, payload, delivery.id)

    const template = this.#template(bot.settings)
    if (!template) return fallback(payload, [])
    const rendered = render(template, payload, { headers: delivery.headers })
    if (!rendered.ok) return fallback(payload, rendered.unresolved)
    return messageOrSkip(rendered.text, 'output.template', 'the template rendered to nothing')
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

  async #ask(bot: Author, file: HandlerFile, payload: Payload, deliveryId: string): Promise<Composed> {
    if (this.#isClosed) return { kind: 'failed', error: 'the server is shutting down' }
    const about = attributes(bot.settings, deliveryId)
    const answer = await this.#handler(bot).call({ file, payload: payload.text, about })
    if (!answer.ok) return { kind: 'failed', error: answer.error }
    const text = withoutBlankLines(cleanHandlerText(answer.text ?? '', payload.text))
    return messageOrSkip(text, file.name, 'the handler answered nothing')
  }

  #handler({ name, folder }: Author): Handler {
    const known = this.#handlers.get(name)
    if (known) return known
    const { limits, log, state } = this.#options
    const handler = new Handler({
      bot: name,
      folder,
      limits,
      log,
      state: { load: () => state.load(name), save: (json) => state.save(name, json) },
    })
    this.#handlers.set(name, handler)
    return handler
  }

  #template(settings: BotSettings): Template | undefined {
    const { template: text } = settings.output
    if (text === undefined) return undefined
    const template = this.#templates.get(settings) ?? compile(text)
    this.#templates.set(settings, template)
    return template
  }
}

function messageOrSkip(text: string, composedBy: string, whySkipped: string): Composed {
  if (text === '') return { kind: 'skip', composedBy, reason: whySkipped }
  return { kind: 'message', text, unresolved: [], composedBy }
}

function fallback(payload: Payload, unresolved: readonly string[]): Composed {
  return { kind: 'message', text: renderFallback(payload), unresolved, composedBy: 'fallback json' }
}

/** `bot` as a handler sees it, besides its state. */
function attributes(
  settings: BotSettings,
  deliveryId: string,
): Record<string, string | boolean | null | readonly string[]> {
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
    delivery_id: deliveryId,
  }
}
