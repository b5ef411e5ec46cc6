// `engine: liquid`: templates in Liquid, within limits, and with values as harmless as in token templates.
import { createRequire } from 'node:module'
import type { Context, Emitter, Liquid, Output, Template } from 'liquidjs'
import { type Refusable, refuse } from '../../failure/refusal.ts'
import { cleanAuthorText, cleanPayloadText, withoutBlankLines } from '../clean.ts'
import { APART, goesOn } from '../colour.ts'
import type { Envelope, JsonObject, Payload } from '../payload.ts'
import { MESSAGE_MAX_CHARS } from '../template.ts'
import { CODE, colourNumber, hideCodes, showCodes } from './codes.ts'
import { liquidFilters, textOf } from './filters.ts'
import { type KnownNames, problemOf } from './problems.ts'
import { plain, scopeOf } from './scope.ts'
import { changeGiven, giveText } from './textfilters.ts'

/** Each text is parsed once, when its bot or preset is read; the reason gives its place in the template. */
export function compileLiquid(text: string): Refusable<{ parts: Template[] }> {
  const { liquid, library } = engine()
  try {
    const parts = liquid.parse(hideCodes(cleanAuthorText(text)))
    for (const part of leavesIn(parts, library)) {
      if (part instanceof library.Output) watch(part)
      else bound(part)
    }
    return { ok: true, parts }
  } catch (error) {
    return refuse(problemOf(error, knownTo(liquid)))
  }
}

/**
 * `parts` are those of a compiled template; `unresolved` are values that should be shown but are missing. Refused when it
 * exceeds a limit.
 */
export function renderLiquid(
  parts: Template[],
  payload: Payload,
  envelope: Envelope,
): Refusable<{ text: string; unresolved: readonly string[] }> {
  const { liquid, library } = engine()
  const body = plain(payload.value) as JsonObject
  const context = new library.Context(body, liquid.options, { sync: true }, { liquid })
  const missing = new Set<string>()
  context.setRegister(MISSING_REGISTER, missing)
  context.push(scopeOf(payload, body, envelope))
  limitTime(context)
  try {
    const text: unknown = liquid.renderSync(parts, context)
    return { ok: true, text: withoutBlankLines(showCodes(String(text))), unresolved: [...missing] }
  } catch (error) {
    return refuse(problemOf(error, knownTo(liquid)))
  }
}

function knownTo({ filters }: Liquid): KnownNames {
  return { filters: Object.keys(filters), tags: [...TAGS] }
}

type Library = typeof import('liquidjs')

let made: { readonly liquid: Liquid; readonly library: Library } | undefined

/** Loaded on first use: most commands, and many servers, never need it. */
function engine(): { readonly liquid: Liquid; readonly library: Library } {
  if (made) return made
  const library = createRequire(import.meta.url)('liquidjs') as Library
  const liquid = new library.Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: 64 * 1024,
    renderLimit: RENDER_MS,
    memoryLimit: 10_000_000,
    // Nothing is read from disk: the tags that would do so are removed, and this is all they would find.
    templates: {},
    timezoneOffset: 'UTC',
  })
  for (const tag of Object.keys(liquid.tags)) if (!TAGS.has(tag)) delete liquid.tags[tag]
  for (const name of withoutFilters) delete liquid.filters[name]
  giveText(liquid)
  for (const [name, filter] of Object.entries(liquidFilters)) liquid.registerFilter(name, filter)
  boundSlice(liquid)
  boundProperties(liquid)
  made = { liquid, library }
  return made
}

/** Liquid's own parses a number given as text anew for each character, which takes minutes when a payload supplies both. */
function boundSlice(liquid: Liquid): void {
  changeGiven(liquid, 'slice', (value, begin, length = 1) => [value, Number(begin) || 0, Number(length) || 0])
}

/** They parse the property's name anew for each entry, and a payload that supplies both could make it as long as it likes. */
function boundProperties(liquid: Liquid): void {
  for (const name of propertyFilters) {
    changeGiven(liquid, name, (value, property, ...given) => [
      value,
      property && textOf(property).slice(0, MOST_PROPERTY_CHARS),
      ...given,
    ])
  }
}

const propertyFilters = 'sort sort_natural map sum where reject group_by has find find_index'.split(' ')
const MOST_PROPERTY_CHARS = 200

/** A template that takes longer is stopped: it holds up every other bot. */
const RENDER_MS = 250

/** By what this thread has worked: that the machine does other work is not the template's fault. */
function limitTime({ renderLimit }: Context): void {
  const check = renderLimit.check.bind(renderLimit)
  const began = process.threadCpuUsage()
  let due = performance.now() + RENDER_MS
  renderLimit.check = (now) => {
    if (now <= due) return
    const { user, system } = process.threadCpuUsage(began)
    const leftMs = RENDER_MS - (user + system) / 1_000
    if (leftMs > 0) due = now + leftMs
    else check(now)
  }
}

// Not among them: what reads files (include, render, layout, block), and what prints past our cleaning (echo, cycle,
// increment, decrement, tablerow, liquid).
const TAGS = new Set([
  'assign',
  'capture',
  'case',
  'comment',
  'if',
  'unless',
  'for',
  'break',
  'continue',
  'raw',
  '#',
])

// `raw` would print past our cleaning; decoders could make the characters that stand for formatting; random ones would make a
// replay differ; those that take an expression as text could take it from a payload; and HTML is of no use here.
const withoutFilters = 'raw url_decode base64_decode base64_encode sample shuffle newline_to_br strip_html'
  .concat(' where_exp reject_exp group_by_exp has_exp find_exp find_index_exp')
  .split(' ')

const MISSING_REGISTER = 'missing'

/** All that contains nothing else, also inside tags. */
function leavesIn(parts: readonly Template[], library: Library): Template[] {
  return parts.flatMap((part): Template[] => {
    const inner = part.children?.(false, true)
    return inner && !(part instanceof library.Output)
      ? leavesIn(library.toValueSync(inner) as Template[], library)
      : [part]
  })
}

/** Plain text in a loop grows with a payload too. */
function bound(part: Template): void {
  const render = part.render.bind(part)
  part.render = (context: Context, emitter: Emitter): unknown => {
    if ((emitter as Buffered).buffer.length > MESSAGE_MAX_CHARS) throw new Error(TOO_LONG)
    return render(context, emitter)
  }
}

/** Cleans what an output prints, and notes it as missing when it is not there. */
function watch(output: Output): void {
  const { value } = output
  const name = value.initial.postfix.map((token) => token.getText()).join(' ')
  const filters = value.filters.map(({ name: filter }) => filter)
  const mayLack = filters.includes('default') || filters.includes('link')
  checkColours(output)
  output.render = function* render(context: Context, emitter: Emitter): IterableIterator<unknown> {
    const made: unknown = yield value.value(context, false)
    const shown = textOf(made)
    if (shown === '') {
      if (mayLack) return
      const missing = context.getRegister(MISSING_REGISTER) as Set<string>
      const initial: unknown = yield value.initial.evaluate(context, false)
      if (initial === undefined) missing.add(name)
      // A calculation without a result: a division by 0, or something that is not a number.
      else if (typeof made === 'number') missing.add([name, ...filters].join(' | '))
      return
    }
    const text = cleanPayloadText(shown)
    const { buffer } = emitter as Buffered
    if (buffer.length + text.length > MESSAGE_MAX_CHARS) throw new Error(TOO_LONG)
    emitter.write(goesOn(buffer.slice(-6), CODE.colour)?.test(text) ? APART + text : text)
  }
}

type Buffered = Emitter & { readonly buffer: string }

const TOO_LONG = 'the message is too long'

/** A literal colour is checked now, not when the first payload comes. */
function checkColours({ value, token }: Output): void {
  for (const { name, args } of value.filters) {
    const [argument] = args
    if (name !== 'colour' || Array.isArray(argument)) continue
    const written = /^(["'])(.*)\1$/.exec(argument?.getText() ?? '""')
    if (!written || colourNumber(written[2] ?? '') !== undefined) continue
    const [line, column] = token.getPosition()
    throw new Error(`there is no colour ${written[2] || '(none given)'}, line:${line}, col:${column}`)
  }
}
