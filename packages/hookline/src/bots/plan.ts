// A bot's settings, prepared for deliveries: which pass, what their event is, which template each one gets.
import type { BotSettings } from './file/botfile.ts'
import type { Destination } from '../message/composed.ts'
import { eventKey } from '../message/event.ts'
import type { Output } from './file/outputschema.ts'
import { type Path, pathOf } from '../message/path.ts'
import type { Envelope, Payload } from '../message/payload.ts'
import { eventOf } from '../senders/eventof.ts'
import { findPreset } from '../senders/presets.ts'
import { compileRule, inside, type Judge } from '../message/rules/judge.ts'
import { choose, type Compiled, compileTemplates, compileText, type Templates } from '../message/templates.ts'
import { compileThread, type ThreadKey, threadWarnings } from './thread.ts'

export interface Plan {
  readonly event: Path | undefined
  /** Undefined lets everything pass. */
  readonly judge: Judge | undefined
  /** The bot's own file takes precedence; its preset has the rest. */
  readonly choose: (payload: Payload, event: string | null) => Compiled | undefined
  /** The template of its own file for exactly that event. */
  readonly ofEvent: (event: string) => Compiled | undefined
  /** Where a message goes if some route takes it; undefined where there are no routes. */
  readonly route: ((payload: Payload, envelope: Envelope) => Destination | undefined) | undefined
  /** Undefined without `output.thread`. */
  readonly thread: ThreadKey | undefined
  /** What is valid but probably not meant. */
  readonly warnings: readonly string[]
}

/** Made once for each settings object. */
export function planOf(settings: BotSettings): Plan {
  const known = plans.get(settings)
  if (known) return known
  const plan = makePlan(settings)
  plans.set(settings, plan)
  return plan
}

/** The sender's word for the kind of event, found where the bot's settings say. */
export function eventFor(
  settings: BotSettings | undefined,
  headers: Readonly<Record<string, string>>,
  payload: Payload,
): string | null {
  return eventOf(headers, payload, settings && planOf(settings).event)
}

const plans = new WeakMap<BotSettings, Plan>()

function makePlan({ trigger, output }: BotSettings): Plan {
  const { engine, template, routes, thread } = output
  const preset = output.preset === undefined ? undefined : findPreset(output.preset)
  const own = compileTemplates(engine, output.templates, (key) => `output.templates.${key}`)
  const one = template === undefined ? undefined : compileText(engine, template, 'output.template')
  const rest = preset?.templates
  return {
    event: trigger.event === undefined ? preset?.event : pathOf(trigger.event),
    judge: trigger.filter
      ? inside('trigger.filter', compileRule(trigger.filter))
      : preset?.filter && inside(`the filter of preset ${preset.name}`, compileRule(preset.filter)),
    choose: (payload, event) => choose(own, payload, event) ?? one ?? (rest && choose(rest, payload, event)),
    route: routes.length === 0 ? undefined : routeOf(output),
    thread: thread === undefined ? undefined : compileThread(thread),
    ofEvent: (event) => own.get(eventKey(event)),
    warnings: [...warningsOf(output, { own, one, rest })],
  }
}

function* warningsOf(
  output: Output,
  { own, one, rest }: { own: Templates; one: Compiled | undefined; rest: Templates | undefined },
): Generator<string> {
  const compiled = [...own.values(), ...(one ? [one] : [])]
  for (const { name, warnings } of compiled) for (const warning of warnings) yield `${name}: ${warning}`
  for (const event of Object.keys(output.templates)) {
    // Filter rules take `pull_request.*`.
    if (/.\*|\*./.test(event))
      yield `output.templates.${event}: it is never used: write the event alone for all of its actions, or * alone for all other events`
  }
  if (one && own.has('*'))
    yield `${one.name}: it is never used, because output.templates.* covers every event`
  for (const warning of threadWarnings(output)) yield `output.thread: ${warning}`
  const tellsAll = own.get('*') ?? one
  if (rest && tellsAll)
    yield `output.preset: its templates are never used, because ${tellsAll.name} covers every event`
  const { fallback } = output
  if (compiled.length === 0 && !rest && (fallback === 'skip' || fallback === 'error'))
    yield `output.fallback: ${fallback} without a template posts nothing: add output.template or a preset`
}

/** The first route whose rule holds. */
function routeOf({ routes, channels }: Output): NonNullable<Plan['route']> {
  const ways = routes.map(({ when, channels: to = channels, mention }) => {
    const destination: Destination = mention === undefined ? { channels: to } : { channels: to, mention }
    return { judge: compileRule(when), destination }
  })
  return (payload, envelope) => ways.find(({ judge }) => judge(payload, envelope) === undefined)?.destination
}
