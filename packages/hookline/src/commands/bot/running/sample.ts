// A sample payload for a bot, so that the line to paste shows a real message.
import { findPreset, type Sample } from '../../../senders/presets.ts'
import type { BotView } from '../bot.ts'

/** Its preset's, or one with the fields that its template uses. */
export function sampleOf({
  engine,
  preset,
  template,
}: Pick<BotView, 'engine' | 'preset' | 'template'>): Sample {
  const known = template === null && preset !== null ? findPreset(preset)?.sample : undefined
  return known ?? { headers: {}, body: bodyFor(template ?? '', PATHS[engine]) }
}

/** In what a template has between its braces. */
const PATHS: Readonly<Record<BotView['engine'], RegExp>> = {
  tokens: /(?<!\{)\{([^{}\s"']+)\}/g,
  liquid: /\{\{-? *([\w.]+)/g,
}

type Body = { [name: string]: string | Body }

/**
 * `{body.repository.name}` → `{"repository":{"name":"name"}}`; without tokens, just a `text`. Tokens into lists are
 * skipped.
 */
function bodyFor(template: string, paths: RegExp): Body {
  const body: Body = Object.create(null) as Body
  for (const [, path = ''] of template.matchAll(paths)) {
    const segments = (path.split('|', 1)[0] ?? '').split('.')
    const names = segments[0] === 'body' ? segments.slice(1) : segments
    if (names.length && names.every((name) => /^[A-Za-z_][\w-]*$/.test(name))) put(body, names)
  }
  if (Object.keys(body).length === 0) put(body, ['text'])
  return body
}

function put(body: Body, names: readonly string[]): void {
  let inside = body
  for (const name of names.slice(0, -1)) {
    const next = inside[name]
    inside = typeof next === 'object' ? next : (inside[name] = Object.create(null) as Body)
  }
  const last = names.at(-1) ?? ''
  if (typeof inside[last] !== 'object') inside[last] = KNOWN.get(last) ?? last
}

const KNOWN: ReadonlyMap<string, string> = new Map([
  ['who', 'Ada'],
  ['text', 'the kettle is on'],
])
