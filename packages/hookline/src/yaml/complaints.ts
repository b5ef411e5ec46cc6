// Turns a zod schema's issues with a YAML document into plain messages, each with its position.
import { type Document, isCollection, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml'
import { z } from 'zod'
import { nearest } from '../text/nearest.ts'

export interface Complaint {
  /** In the document's text. */
  readonly offset: number
  /** Empty for the document itself. */
  readonly path: readonly PropertyKey[]
  readonly message: string
}

type Issue = z.core.$ZodIssue

/** `schema` is the one that `document` was checked against. */
export function complaintsOf(issue: Issue, document: Document, schema: z.core.$ZodType): Complaint[] {
  const { path } = issue
  const spot = locate(document, path)
  const at = (message: string): Complaint[] => [{ offset: spot.offset, path, message }]

  // A custom rule says itself what is missing.
  if (!spot.found && issue.code !== 'custom') return at('is required')
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        offset: locate(document, [...path, key]).keyOffset,
        path: key === '' ? path : [...path, key],
        message: key === '' ? SECOND_COLON : unknownKey(key, knownKeys(schemaAt(schema, path))),
      }))
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input: ')) return at(issue.message)
      return at(wrongType(issue.expected, spot.node, knownKeys(schemaAt(schema, path))))
    case 'invalid_value': {
      const known = issue.values.map(String)
      return at(`must be ${oneOf(known)}${meant(spot.node, known)}`)
    }
    case 'invalid_union': {
      if (issue.errors.length === 0) return at(issue.message)
      // Of a union's branches, the one that got furthest is the one meant.
      const furthest = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0] ?? []
      return furthest.flatMap((inner) =>
        complaintsOf({ ...inner, path: [...path, ...inner.path] }, document, schema),
      )
    }
    case 'too_big':
      return at(outside(issue, `${issue.maximum}`, 'at most'))
    case 'too_small':
      return at(outside(issue, `${issue.minimum}`, 'at least'))
    case 'invalid_key':
      return issue.issues.map(({ message }) => ({ offset: spot.keyOffset, path, message }))
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_element':
    case 'custom':
      return at(issue.message)
  }
}

/** Also for an empty key, as in `: a`: nobody means one. */
export const SECOND_COLON = 'a second ": " in one line: put the whole text in quotes'

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known)
  if (near !== undefined) return `unknown key: did you mean ${near}?`
  return known.length > 0 ? `unknown key: use one of ${known.join(', ')}` : 'unknown key'
}

function wrongType(expected: string, node: unknown, keys: readonly string[]): string {
  const wanted = `must be ${KIND_NAMES[expected] ?? expected}`
  if (keys.length > 0) return `${wanted}: ${keys.join(', ')}`
  if (isScalar(node) && node.value === null) return `${wanted}; it is empty`
  // A text that begins with [ or { is read as a list or a group.
  const isInline = isScalar(node) || (isCollection(node) && node.flow === true && node.items.length < 2)
  if (expected === 'string' && isInline) return `${wanted}: put it in quotes`
  return expected === 'array' && isScalar(node) ? `${wanted}: write [ ] around it` : wanted
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a group of keys',
  record: 'a group of keys',
  array: 'a list',
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
}

/** Suggests a known word; never quotes what was written. */
function meant(node: unknown, known: readonly string[]): string {
  const written = isScalar(node) && typeof node.value === 'string' ? node.value : ''
  const near = known.length > 1 && written !== '' ? nearest(written, known) : undefined
  return near === undefined ? '' : `: did you mean ${near}?`
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length))
}

/** `must have at most 500 characters`, unless the schema has its own message. */
function outside(issue: Issue & { origin: string }, limit: string, side: string): string {
  if (!/^Too (?:small|big): /.test(issue.message)) return issue.message
  const [one, many] = COUNTED[issue.origin] ?? []
  return one === undefined
    ? `must be ${side} ${limit}`
    : `must have ${side} ${limit} ${limit === '1' ? one : many}`
}

const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

interface Spot {
  readonly offset: number
  readonly keyOffset: number
  readonly node: unknown
  /** False if the document ends before the path does; the offset is then that of the nearest key above. */
  readonly found: boolean
}

/** Where a path leads in the document. */
export function locate(document: Document, path: readonly PropertyKey[]): Spot {
  let node: unknown = document.contents
  let keyOffset = startOf(node)
  let offset = keyOffset
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && nameOf(key) === String(segment))
      if (!pair) return { offset: keyOffset, keyOffset, node, found: false }
      keyOffset = startOf(pair.key)
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(segment)]
      keyOffset = startOf(node)
    } else {
      return { offset: keyOffset, keyOffset, node, found: false }
    }
    // A key without a value (`owner:`) is reported at the key.
    offset = isScalar(node) && node.value === null && node.source === '' ? keyOffset : startOf(node)
  }
  return { offset, keyOffset, node, found: true }
}

/** Empty for `: a`, whose key is null. */
function nameOf({ value }: Scalar): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

/** The offset of its start; 0 if missing. */
export function startOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0
}

/** The schema for what is at `path`, without its wrappers. */
function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  const bare = unwrap(schema)
  const [segment, ...rest] = path
  if (segment === undefined) return bare
  if (bare instanceof z.ZodObject) {
    const inner: z.core.$ZodType | undefined = bare.shape[String(segment)]
    return inner && schemaAt(inner, rest)
  }
  if (bare instanceof z.ZodArray) return schemaAt(bare.element, rest)
  if (bare instanceof z.ZodRecord) return schemaAt(bare.valueType, rest)
  if (bare instanceof z.ZodUnion) {
    const inside = bare.options.map((option) => schemaAt(option, path)).filter((found) => found !== undefined)
    return inside.find((found) => found instanceof z.ZodObject) ?? inside[0]
  }
  return undefined
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  ) {
    return unwrap(schema.unwrap())
  }
  return schema
}

function knownKeys(schema: z.core.$ZodType | undefined): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => knownKeys(unwrap(option)))
  return []
}
