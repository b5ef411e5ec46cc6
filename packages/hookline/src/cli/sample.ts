// A sample payload with the fields that a template uses, so that the line to paste shows a real message.

type Sample = { [name: string]: string | Sample }

const KNOWN: ReadonlyMap<string, string> = new Map([
  ['who', 'Ada'],
  ['text', 'the kettle is on'],
])

/**
 * `{body.repository.name}` → `{"repository":{"name":"name"}}`; without tokens, just a `text`. Tokens into lists are
 * skipped.
 */
export function sampleFor(template: string | null): Sample {
  const sample: Sample = Object.create(null) as Sample
  for (const [, path = ''] of (template ?? '').matchAll(/\{([^{}\s"']+)\}/g)) {
    const segments = (path.split('|', 1)[0] ?? '').split('.')
    const names = segments[0] === 'body' ? segments.slice(1) : segments
    if (names.length && names.every((name) => /^[A-Za-z_][\w-]*$/.test(name))) put(sample, names)
  }
  if (Object.keys(sample).length === 0) put(sample, ['text'])
  return sample
}

function put(sample: Sample, names: readonly string[]): void {
  let inside = sample
  for (const name of names.slice(0, -1)) {
    const next = inside[name]
    inside = typeof next === 'object' ? next : (inside[name] = Object.create(null) as Sample)
  }
  const last = names.at(-1) ?? ''
  if (typeof inside[last] !== 'object') inside[last] = KNOWN.get(last) ?? last
}
