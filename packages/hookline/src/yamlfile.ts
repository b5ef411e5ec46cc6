// A YAML file checked against a zod schema: every complaint has the line and column that it is about.
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import type { Document, Node, Scalar, YAMLError } from 'yaml'
import { z } from 'zod'
import { nearest } from './nearest.ts'

export interface Problem {
  readonly file: string
  /** Both count from 1; 0 where `file` is no file but a flag or a variable. */
  readonly line: number
  readonly column: number
  /** Where in the document, `output.channels.1`; empty for the document itself. */
  readonly path: string
  readonly message: string
}

export type YamlRead<T> =
  | { readonly ok: true; readonly value: T; readonly document: Document }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Beyond it a file is refused unread: nothing that a person writes by hand is longer. */
export const YAML_MAX_BYTES = 64 * 1024

/** After a few complaints the rest is most often their echo. */
const problemsMax = 20

/** `bots/x/bot.yaml:5:5 output.channels.1: must be text` */
export function formatProblem(problem: Problem): string {
  if (problem.line === 0) return `${problem.file} ${problem.message}`
  const where = `${problem.file}:${problem.line}:${problem.column}`
  return problem.path === '' ? `${where}: ${problem.message}` : `${where} ${problem.path}: ${problem.message}`
}

/**
 * Reads YAML 1.2 (core schema) and checks it. Aliases and repeated keys are refused; an unknown key is an error that
 * names the nearest known one. Problems come in the order of their lines and never hold a value of the file.
 */
export function readYaml<S extends z.ZodType>(text: string, file: string, schema: S): YamlRead<z.output<S>> {
  const lines = new LineCounter()
  const problem = (offset: number, path: readonly PropertyKey[], message: string): Problem => {
    const { line, col } = lines.linePos(offset)
    return {
      file,
      line: Math.max(line, 1),
      column: Math.max(col, 1),
      path: path.map(String).join('.'),
      message,
    }
  }
  const refuse = (problems: Problem[]): YamlRead<never> => ({
    ok: false,
    problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, problemsMax),
  })

  if (Buffer.byteLength(text) > YAML_MAX_BYTES) {
    return refuse([problem(0, [], `is longer than ${YAML_MAX_BYTES / 1024} KiB: shorten it`)])
  }

  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const mistakes = withoutEchoes([...document.errors, ...document.warnings])
  const comment = mistakes.some(({ code }) => code === 'BAD_INDENT') ? commentInList.exec(text) : null
  // The list that it leaves open is complained about elsewhere, with all that is around it.
  if (comment) {
    const offset = comment.index + comment[0].length
    return refuse([problem(offset, [], '# begins a comment: write "#name" in quotes')])
  }
  if (mistakes.length > 0) {
    return refuse(mistakes.map((mistake) => problem(mistake.pos[0], [], inOurWords(mistake, text))))
  }

  const refused: Problem[] = []
  visit(document, {
    Scalar: (_, { type, range }) => {
      const cut = type === undefined || type === 'PLAIN' ? commentOfBraces.exec(text.slice(range?.[1])) : null
      if (cut) {
        const offset = (range?.[1] ?? 0) + cut[0].length - 2
        refused.push(problem(offset, [], '# begins a comment: put the whole text in quotes'))
      }
    },
    // A page of aliases can stand for gigabytes, and none of our files needs one.
    Alias: (_, alias) =>
      void refused.push(problem(startOf(alias), [], 'aliases are not allowed: write the value out')),
    Pair: (_, { key }) => {
      if (!isScalar(key)) refused.push(problem(startOf(key), [], 'a key must be a word'))
    },
  })
  if (refused.length > 0) return refuse(refused)

  const checked = schema.safeParse(document.toJS())
  if (checked.success) return { ok: true, value: checked.data, document }
  return refuse(
    checked.error.issues
      .flatMap((issue) => explain(issue, document, schema))
      .map(({ offset, path, message }) => problem(offset, path, message)),
  )
}

/** Up to `#b` in `channels: ["#a", #b]`: what follows is no part of the list. */
const commentInList = /^[^"'#[\n]*\[(?:[^"'#\]\n]|"[^"\n]*"|'[^'\n]*')*(?<=[[,\s])(?=#\S)/m

/** Of `template: PR #{n}`, what no text has: nobody begins a comment so. */
const commentOfBraces = /^[ \t]*#\{/

const secondColon = 'a second ": " in one line: put the whole text in quotes'

/** Where the library has lost the thread it complains about all that follows. */
function withoutEchoes(mistakes: readonly YAMLError[]): readonly YAMLError[] {
  const lost = mistakes.findIndex(({ code }) => code === 'UNEXPECTED_TOKEN' || code === 'BAD_ALIAS')
  return lost === -1 ? mistakes : mistakes.slice(0, lost + 1)
}

/** Where the library speaks to programmers, or says what stands there, which may be a secret. */
function inOurWords({ code, pos, message }: YAMLError, text: string): string {
  switch (code) {
    case 'MULTIPLE_DOCS':
      return 'a second document begins here, and a file has one: take this line out'
    case 'DUPLICATE_KEY':
      return `${/^[^:,}\n]*/.exec(text.slice(pos[0]))?.[0].trim()} is there twice: keep one of them`
    case 'BLOCK_AS_IMPLICIT_KEY':
      return /^[^\n]*:(?:\s|$)/.test(text.slice(pos[0]))
        ? secondColon
        : 'the line below is indented too far, or this text wants quotes'
    case 'BAD_ALIAS':
    case 'BAD_SCALAR_START':
      return 'no text begins with this character: put the whole text in quotes'
    case 'BAD_DQ_ESCAPE':
      return 'in double quotes \\ begins an escape: write \\\\, or put the text in single quotes'
    case 'TAG_RESOLVE_FAILED':
      return 'Unresolved tag: put a text that begins with ! in quotes'
    case 'UNEXPECTED_TOKEN':
      return /[|>][-+\d]*[ \t]+$/.test(text.slice(0, pos[0]))
        ? 'behind | or > the text begins on the next line'
        : 'nothing is expected here any more: put the whole text in quotes'
    // These speak of marks and places alone.
    case 'ALIAS_PROPS':
    case 'BAD_COLLECTION_TYPE':
    case 'BAD_DIRECTIVE':
    case 'BAD_INDENT':
    case 'BAD_PROP_ORDER':
    case 'BLOCK_IN_FLOW':
    case 'IMPOSSIBLE':
    case 'KEY_OVER_1024_CHARS':
    case 'MISSING_CHAR':
    case 'MULTILINE_IMPLICIT_KEY':
    case 'MULTIPLE_ANCHORS':
    case 'MULTIPLE_TAGS':
    case 'NON_STRING_KEY':
    case 'RESOURCE_EXHAUSTION':
    case 'TAB_AS_INDENT':
      return message
  }
}

interface Complaint {
  readonly offset: number
  readonly path: readonly PropertyKey[]
  readonly message: string
}

type Issue = z.core.$ZodIssue

function explain(issue: Issue, document: Document, schema: z.core.$ZodType): Complaint[] {
  const { path } = issue
  const spot = locate(document, path)
  const at = (message: string): Complaint[] => [{ offset: spot.offset, path, message }]

  // A rule of our own says itself what is missing.
  if (!spot.found && issue.code !== 'custom') return at('is required')
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        offset: locate(document, [...path, key]).keyOffset,
        path: key === '' ? path : [...path, key],
        message: key === '' ? secondColon : unknownKey(key, knownKeys(schemaAt(schema, path))),
      }))
    case 'invalid_type':
      return at(wrongType(issue.expected, spot.node))
    case 'invalid_value':
      return at(`must be ${oneOf(issue.values.map(String))}${meant(spot.node, issue.values.map(String))}`)
    case 'invalid_union': {
      if (issue.errors.length === 0) return at(issue.message)
      // The branch that got furthest is the one that was meant.
      const furthest = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0] ?? []
      return furthest.flatMap((inner) =>
        explain({ ...inner, path: [...path, ...inner.path] }, document, schema),
      )
    }
    case 'too_big':
      return at(outside(issue, `${issue.maximum}`, 'at most'))
    case 'too_small':
      return at(outside(issue, `${issue.minimum}`, 'at least'))
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return at(issue.message)
  }
}

/** `must have 500 characters at most`, unless the schema has words of its own. */
function outside(issue: Issue & { origin: string }, limit: string, side: string): string {
  if (!/^Too (?:small|big): /.test(issue.message)) return issue.message
  const [one, many] = COUNTED[issue.origin] ?? []
  return one === undefined
    ? `must be ${limit} ${side}`
    : `must have ${limit} ${limit === '1' ? one : many} ${side}`
}

const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length))
}

interface Spot {
  readonly offset: number
  readonly keyOffset: number
  readonly node: unknown
  /** False when the document ends before the path does; the offset is then that of the nearest key above. */
  readonly found: boolean
}

function locate(document: Document, path: readonly PropertyKey[]): Spot {
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
    // A key without a value (`owner:`) is complained about where the key is.
    offset = isScalar(node) && node.value === null && node.source === '' ? keyOffset : startOf(node)
  }
  return { offset, keyOffset, node, found: true }
}

/** Of `: a`, which has a key all the same, it is nothing. */
function nameOf({ value }: Scalar): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

function startOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0
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

function wrongType(expected: string, node: unknown): string {
  const wanted = `must be ${KIND_NAMES[expected] ?? expected}`
  if (expected === 'string' && (isMap(node) || isSeq(node)) && node.flow) return `${wanted}: put it in quotes`
  if (expected === 'string' && isScalar(node) && node.value !== null) return `${wanted}: put it in quotes`
  if (expected === 'array' && isScalar(node) && node.value !== null) return `${wanted}: write [ ] around it`
  return isScalar(node) && node.value === null ? `${wanted}; it is empty` : wanted
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
}

/** Names a known word, never what was written. */
function meant(node: unknown, known: readonly string[]): string {
  const written = isScalar(node) && typeof node.value === 'string' ? node.value : ''
  const near = known.length > 1 && written !== '' ? nearest(written, known) : undefined
  return near === undefined ? '' : `: did you mean ${near}?`
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known)
  if (near !== undefined) return `unknown key: did you mean ${near}?`
  return known.length > 0 ? `unknown key: known here are ${known.join(', ')}` : 'unknown key'
}

/** The schema that judges what is at `path`, without its wrappers. */
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
