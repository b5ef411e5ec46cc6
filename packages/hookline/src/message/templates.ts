// Templates by event: which one a delivery gets, in either language.
import { actionOf, eventKey } from './event.ts'
import { compileLiquid, renderLiquid } from './liquid/engine.ts'
import { rootsOf } from './path.ts'
import type { Envelope, Payload } from './payload.ts'
import { compile, render } from './template.ts'

export const ENGINES = ['tokens', 'liquid'] as const
export type Engine = (typeof ENGINES)[number]

/** What a template made of a delivery. */
export type Made =
  /** `unresolved`: values that a Liquid template should show but that are missing. */
  | { readonly kind: 'text'; readonly text: string; readonly unresolved: readonly string[] }
  | { readonly kind: 'unresolved'; readonly unresolved: readonly string[] }
  /** It exceeded a limit. */
  | { readonly kind: 'stopped'; readonly problem: string }

export interface Compiled {
  /** Its name in records: `output.templates.push`. */
  readonly name: string
  readonly warnings: readonly string[]
  readonly make: (payload: Payload, envelope: Envelope) => Made
}

/** By event, in lower case. */
export type Templates = ReadonlyMap<string, Compiled>

/** `names` gives the name of a key's template. The texts must have been checked. */
export function compileTemplates(
  engine: Engine,
  texts: Readonly<Record<string, string>>,
  names: (key: string) => string,
): Templates {
  return new Map(
    Object.entries(texts).map(([key, text]) => [eventKey(key), compileText(engine, text, names(key))]),
  )
}

export function compileText(engine: Engine, text: string, name: string): Compiled {
  return engine === 'liquid' ? inLiquid(text, name) : inTokens(text, name)
}

/** Why the text is not a template. As tokens, every text is one. */
export function templateProblem(engine: Engine, text: string): string | undefined {
  if (engine === 'tokens') return undefined
  const read = compileLiquid(text)
  return read.ok ? undefined : read.reason
}

/** The most specific: `<event>.<action>`, then `<event>`, then `*`. */
export function choose(templates: Templates, payload: Payload, event: string | null): Compiled | undefined {
  if (templates.size === 0) return undefined
  if (event === null) return templates.get('*')
  const withAction = templates.get(eventKey(event, actionOf(payload)))
  return withAction ?? templates.get(eventKey(event)) ?? templates.get('*')
}

function inTokens(text: string, name: string): Compiled {
  const template = compile(text)
  return {
    name,
    warnings: template.warnings,
    make: (payload, envelope) => {
      const rendered = render(template, payload, rootsOf(envelope))
      return rendered.ok
        ? { kind: 'text', text: rendered.text, unresolved: [] }
        : { kind: 'unresolved', unresolved: rendered.unresolved }
    },
  }
}

function inLiquid(text: string, name: string): Compiled {
  const read = compileLiquid(text)
  if (!read.ok) throw new Error(`a template that was not checked: ${read.reason}`)
  return {
    name,
    warnings: [...text.matchAll(TOKEN_PATTERN)].map(
      ([token, path = '']) => `${token} is plain text in Liquid: write {{ ${inItsCase(path)} }}`,
    ),
    make: (payload, envelope) => {
      const rendered = renderLiquid(read.parts, payload, envelope)
      return rendered.ok ? { kind: 'text', ...rendered } : { kind: 'stopped', problem: rendered.reason }
    },
  }
}

/** Headers have lower-case names, and only tokens may write them in another way. */
function inItsCase(path: string): string {
  return path.startsWith('headers.') ? path.toLowerCase() : path
}

// A token as written without `engine: liquid`.
const TOKEN_PATTERN = /(?<!\{)\{((?:body|headers)\.[^\s{}|]{1,200})(?:\|[^\s{}]{0,200})?\}(?!\})/g
