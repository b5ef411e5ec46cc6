// Checks a YAML file against a zod schema: every problem has its line and column.
import { type Document, isPair, isScalar, LineCounter, parseDocument, visit, type YAMLError } from 'yaml'
import type { z } from 'zod'
import { type Complaint, complaintsOf, locate, SECOND_COLON, startOf } from './complaints.ts'
import { excessIn } from './yamlbounds.ts'

export interface Problem {
  readonly file: string
  /** Both count from 1; 0 if `file` is a flag or a variable instead. */
  readonly line: number
  readonly column: number
  /** Path in the document, `output.channels.1`; empty for the document itself. */
  readonly path: string
  readonly message: string
}

export type YamlRead<T> =
  | {
      readonly ok: true
      readonly value: T
      /** A problem with what is at this path, or with the nearest key above it. */
      readonly problemAt: (path: readonly PropertyKey[], message: string) => Problem
    }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** A larger file is refused unparsed: nobody writes one by hand. */
export const YAML_MAX_BYTES = 64 * 1024

/** Beyond a few, problems are mostly echoes of the first. */
const PROBLEMS_MAX = 20

/** `bots/x/bot.yaml:5:5 output.channels.1: must be text` */
export function formatProblem(problem: Problem): string {
  if (problem.line === 0) return `${problem.file} ${problem.message}`
  const where = `${problem.file}:${problem.line}:${problem.column}`
  return problem.path === '' ? `${where}: ${problem.message}` : `${where} ${problem.path}: ${problem.message}`
}

/**
 * Parses YAML 1.2 (core schema) and checks it. Aliases and duplicate keys are refused; an unknown key is an error that
 * names the nearest known one. Problems are sorted by line and never contain a value of the file.
 */
export function readYaml<S extends z.ZodType>(text: string, file: string, schema: S): YamlRead<z.output<S>> {
  const lines = new LineCounter()
  const refuse = (complaints: readonly Complaint[]): YamlRead<never> => ({
    ok: false,
    problems: complaints
      .map((complaint) => problemOf(complaint, file, lines))
      .toSorted((a, b) => a.line - b.line || a.column - b.column)
      .slice(0, PROBLEMS_MAX),
  })

  if (Buffer.byteLength(text) > YAML_MAX_BYTES)
    return refuse([complain(0, `is longer than ${YAML_MAX_BYTES / 1024} KiB: shorten it`)])
  const excess = excessIn(text)
  if (excess) {
    lines.addNewLine(0)
    for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1)
    return refuse([complain(excess.offset, excess.message)])
  }
  const document = parse(text, lines)
  const mistakes = mistakesIn(document, text)
  if (mistakes.length > 0) return refuse(mistakes)
  const unwelcome = unwelcomeIn(document, text)
  if (unwelcome.length > 0) return refuse(unwelcome)
  const checked = schema.safeParse(document.toJS())
  if (checked.success) {
    const problemAt = (path: readonly PropertyKey[], message: string): Problem => {
      const { keyOffset, offset, found } = locate(document, path)
      return problemOf({ offset: found ? offset : keyOffset, path: [], message }, file, lines)
    }
    return { ok: true, value: checked.data, problemAt }
  }
  const issues = withoutCounts(checked.error.issues)
  return refuse(issues.flatMap((issue) => complaintsOf(issue, document, schema)))
}

/** A file may have a mistake at every character. The library makes an error of each, and most of the time goes into their stacks. */
function parse(text: string, lines: LineCounter): Document {
  const depth = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  } finally {
    Error.stackTraceLimit = depth
  }
}

/** A text where a list should be has a length too, which zod compares with that of the list. */
function withoutCounts(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const placeOf = ({ path }: z.core.$ZodIssue): string => path.map(String).join('.')
  const wrong = new Set(issues.filter(({ code }) => code === 'invalid_type').map(placeOf))
  return issues.filter((issue) => issue.code === 'invalid_type' || !wrong.has(placeOf(issue)))
}

function problemOf({ offset, path, message }: Complaint, file: string, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(offset)
  return {
    file,
    line: Math.max(line, 1),
    column: Math.max(col, 1),
    path: path.map(String).join('.'),
    message,
  }
}

/** A problem with the text itself rather than with a key. */
function complain(offset: number, message: string): Complaint {
  return { offset, path: [], message }
}

/** Syntax errors. */
function mistakesIn({ errors, warnings }: Document, text: string): readonly Complaint[] {
  const mistakes = withoutEchoes([...errors, ...warnings])
  const comment = mistakes.some(({ code }) => code === 'BAD_INDENT') ? COMMENT_IN_LIST.exec(text) : null
  // The unclosed list would be reported elsewhere, along with everything around it.
  if (comment) return [complain(comment.index + comment[0].length, NAME_AS_COMMENT)]
  return mistakes.map((mistake) => complain(mistake.pos[0], inOurWords(mistake, text)))
}

/** Valid YAML that is hardly meant, or that these files do not need. */
function unwelcomeIn(document: Document, text: string): readonly Complaint[] {
  const found: Complaint[] = []
  visit(document, {
    Scalar: (key, { type, range, source }, path) => {
      if (type !== undefined && type !== 'PLAIN') return
      const isName = source === '' && (typeof key === 'number' || isOfChannels(path.at(-1)))
      const cut = (isName ? COMMENT_OF_NAME : COMMENT_OF_BRACES).exec(text.slice(range?.[1]))
      if (!cut) return
      const offset = (range?.[1] ?? 0) + cut[0].length - 1
      found.push(
        complain(offset, isName ? NAME_AS_COMMENT : '# begins a comment: put the whole text in quotes'),
      )
    },
    // A page of aliases can expand to gigabytes.
    Alias: (_, alias) =>
      void found.push(complain(startOf(alias), 'aliases are not allowed: write the value out')),
    Map: (_, { items }) => {
      // The library compares each key with all before it.
      const known = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (known.has(key.value)) found.push(complain(startOf(key), givenTwice(text, startOf(key))))
        known.add(key.value)
      }
    },
    Pair: (_, { key }) => {
      if (!isScalar(key)) found.push(complain(startOf(key), 'a key must be a word'))
      else if (key.value === '__proto__') found.push(complain(startOf(key), '__proto__ cannot be a key here'))
    },
  })
  return found
}

const NAME_AS_COMMENT = '# begins a comment: write "#name" in quotes'

/** The `#b` of `channels: #b` and of `- #b`, where nothing else is. */
const COMMENT_OF_NAME = /^[ \t]*#(?=[\p{L}\p{N}])/u

function isOfChannels(pair: unknown): boolean {
  return isPair(pair) && isScalar(pair.key) && (pair.key.value === 'channels' || pair.key.value === 'in')
}

/** Matches up to `#b` in `channels: ["#a", #b]`: the rest is not part of the list. */
const COMMENT_IN_LIST = /^[^"'#[\n]*\[(?:[^"'#\]\n]|"[^"\n]*"|'[^'\n]*')*(?<=[[,\s])(?=#\S)/m

/** The `#{` in `template: PR #{n}`: nobody begins a comment like that. */
const COMMENT_OF_BRACES = /^[ \t]*#(?=\{)/

/** Once the library has lost track, it reports everything that follows. */
function withoutEchoes(mistakes: readonly YAMLError[]): readonly YAMLError[] {
  const lost = mistakes.findIndex(({ code }) => LOST.has(code))
  return lost === -1 ? mistakes : mistakes.slice(0, lost + 1)
}

const LOST: ReadonlySet<string> = new Set(['UNEXPECTED_TOKEN', 'BAD_ALIAS', 'RESOURCE_EXHAUSTION'])

function givenTwice(text: string, offset: number): string {
  return `${/^[^:,}\n]*/.exec(text.slice(offset, offset + 200))?.[0].trim()} is given twice: keep one of them`
}

/** Rewords messages that are meant for programmers, or that quote the text, which may be a secret. */
function inOurWords({ code, pos, message }: YAMLError, text: string): string {
  switch (code) {
    case 'MULTIPLE_DOCS':
      return 'a second document begins here, but a file has only one: remove this line'
    case 'DUPLICATE_KEY':
      return givenTwice(text, pos[0])
    case 'BLOCK_AS_IMPLICIT_KEY':
      return /^[^\n]*:(?:\s|$)/.test(text.slice(pos[0]))
        ? SECOND_COLON
        : 'the line below is indented too far, or this text wants quotes'
    case 'BAD_ALIAS':
    case 'BAD_SCALAR_START':
      return 'no text begins with this character: put the whole text in quotes'
    case 'BAD_DQ_ESCAPE':
      return 'in double quotes \\ begins an escape: write \\\\, or put the text in single quotes'
    case 'RESOURCE_EXHAUSTION':
      return 'is nested too deeply'
    case 'TAG_RESOLVE_FAILED':
      return 'Unresolved tag: put a text that begins with ! in quotes'
    case 'UNEXPECTED_TOKEN':
      return /[|>][-+\d]*[ \t]+$/.test(text.slice(0, pos[0]))
        ? 'after | or > the text begins on the next line'
        : 'nothing more is expected here: put the whole text in quotes'
    case 'MISSING_CHAR':
    case 'MULTILINE_IMPLICIT_KEY':
      return /^Implicit (?:map )?keys need/.test(message)
        ? 'here should be a key and a colon: indent a text further than its own key'
        : message
    // These name only marks and positions.
    case 'ALIAS_PROPS':
    case 'BAD_COLLECTION_TYPE':
    case 'BAD_DIRECTIVE':
    case 'BAD_INDENT':
    case 'BAD_PROP_ORDER':
    case 'BLOCK_IN_FLOW':
    case 'IMPOSSIBLE':
    case 'KEY_OVER_1024_CHARS':
    case 'MULTIPLE_ANCHORS':
    case 'MULTIPLE_TAGS':
    case 'NON_STRING_KEY':
    case 'TAB_AS_INDENT':
      return message
  }
}
