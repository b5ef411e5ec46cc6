// repo.yaml: what a repository should be. Read once; every problem has its line and column.
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { cannot, done, wrong, type Answer } from './failure.ts'
import { INDEX_NAMES, REVIEWERS_MAX, WAIT_MINUTES_MAX } from './table/env.ts'
import { nearest } from './table/nearest.ts'
import { codeOf, messageOf } from './thrown.ts'
import { offsetOf, parseYaml, type Source } from './yaml.ts'

const text = z
  .string()
  .min(1, 'is empty')
  // YAML can write one, but no URL can have it.
  .refine((value) => value.isWellFormed(), 'has half a surrogate pair')
const list = z.array(text)

const repository = z.strictObject({
  name: text,
  org: text.optional(),
  visibility: z.enum(['public', 'private', 'internal']).optional(),
  // A YAML block ends with a line break.
  description: z.string().trim().optional(),
  homepage: z.string().optional(),
  topics: list.optional(),
  template: text.optional(),
  license: text.optional(),
  gitignore: text.optional(),
})

const actions = z.strictObject({
  allowed: z.enum(['all', 'local_only', 'selected', 'off']).optional(),
  allow: list.optional(),
  allow_owned: z.boolean().optional(),
  allow_verified: z.boolean().optional(),
  workflow_token: z.enum(['read', 'write']).optional(),
  approve_prs: z.boolean().optional(),
})

const merge = z.strictObject({
  commit: z.boolean().optional(),
  squash: z.boolean().optional(),
  rebase: z.boolean().optional(),
  auto: z.boolean().optional(),
  update_branch: z.boolean().optional(),
  delete_branch: z.boolean().optional(),
})

const label = z.strictObject({
  name: text,
  color: z
    .string()
    .regex(/^#?[\da-f]{6}$/i, 'must be six hexadecimal digits, in quotes')
    .optional(),
  description: z.string().optional(),
})

const rule = z.union([text, z.strictObject({ type: text, parameters: z.record(z.string(), z.unknown()) })])

const ruleset = z.strictObject({
  name: text,
  target: z.enum(['branch', 'tag']).default('branch'),
  enforcement: z.enum(['active', 'disabled', 'evaluate']).default('active'),
  include: list,
  exclude: list.optional(),
  rules: z.array(rule),
  bypass: z
    .array(
      z.strictObject({
        actor_id: z.int().nullable(),
        actor_type: text,
        bypass_mode: z.enum(['always', 'pull_request', 'exempt']).default('always'),
      }),
    )
    .optional(),
})

const variableName = z
  .string()
  .regex(
    /^(?!GITHUB_)[A-Z_][A-Z\d_]*$/,
    'must be capital letters, digits and _, and may not begin with a digit or GITHUB_',
  )

const scaffold = z.strictObject({
  path: text,
  lang: z.enum(['python']).default('python'),
  with: text.default('cookiecutter'),
  author: text.optional(),
  email: text.optional(),
  python_version: text.optional(),
  var: list.optional(),
})

const environment = z.strictObject({
  index: z.enum(INDEX_NAMES).optional(),
  name: text.optional(),
  branches: list.optional(),
  tags: list.optional(),
  protected_branches: z.boolean().optional(),
  reviewers: list.max(REVIEWERS_MAX, `takes at most ${REVIEWERS_MAX} reviewers`).optional(),
  prevent_self_review: z.boolean().optional(),
  admins_bypass: z.boolean().optional(),
  wait_minutes: z
    .int()
    .min(0, 'takes at least 0 minutes')
    .max(WAIT_MINUTES_MAX, `takes at most ${WAIT_MINUTES_MAX} minutes`)
    .optional(),
  workflow: text.default('publish.yml'),
  project: text.optional(),
})

const schema = z.strictObject({
  extends: text.optional(),
  repository,
  actions: actions.optional(),
  merge: merge.optional(),
  labels: z.array(label).optional(),
  variables: z.record(variableName, z.string()).optional(),
  secrets: z.record(variableName, text).optional(),
  scaffold: scaffold.optional(),
  environments: z.array(environment).optional(),
  rulesets: z.array(ruleset).optional(),
})

/** What several manifests share: any part of one. */
const base = schema.extend({ repository: repository.partial().optional() })

export type Manifest = z.output<typeof schema>
/** As it is written: what has a default may be left out. */
export type WrittenManifest = z.input<typeof schema>
export type ManifestEnvironment = z.output<typeof environment>
export type ManifestLabel = z.output<typeof label>
export type ManifestRuleset = z.output<typeof ruleset>

/** What is imported of a large repository is smaller. */
const MAX_BYTES = 1024 * 1024
/** A base may have a base; more than these are a circle. */
const BASES_MAX = 8

/** Where a manifest comes from. */
interface From {
  readonly cwd: string
  /** What `-` stands for. */
  readonly stdin?: () => AsyncIterable<Buffer>
}

/** From a file, or from standard input for `-`; with what it extends. */
export async function readManifest(typed: string, { cwd, stdin }: From): Promise<Answer<Manifest>> {
  const isTyped = typed === '-' && stdin !== undefined
  const file = isTyped ? typed : resolve(cwd, typed)
  const own = await readText(file, isTyped ? stdin() : createReadStream(file))
  if (!own.ok) return own
  const parsed = parse(own.output, nameOf(file))
  if (!parsed.ok) return parsed
  const { value } = parsed.output
  if (!isGroup(value) || value['extends'] === undefined) return validate(parsed.output, schema)
  const part = validate(parsed.output, base)
  if (!part.ok) return part
  const whole = await withBases(value, { file, folder: isTyped ? cwd : dirname(file) }, BASES_MAX)
  // A mistake is shown where it stands, if it stands in this file.
  return whole.ok ? validate({ ...parsed.output, value: whole.output }, schema) : whole
}

type Values = Readonly<Record<string, unknown>>

async function withBases(
  value: Values,
  { file, folder }: { readonly file: string; readonly folder: string },
  left: number,
): Promise<Answer<Values>> {
  const { extends: name, ...own } = value
  if (typeof name !== 'string') return done(own)
  const where = resolve(folder, name)
  if (left === 0) return invalid(nameOf(file), [`${nameOf(file)}: extends itself, or has too many bases`])
  const source = await readText(where, createReadStream(where))
  if (!source.ok) return source
  const parsed = parse(source.output, where)
  const checked = parsed.ok ? validate(parsed.output, base) : parsed
  if (!parsed.ok || !checked.ok) return checked as Answer<never>
  const whole = await withBases(
    parsed.output.value as Values,
    { file: where, folder: dirname(where) },
    left - 1,
  )
  return whole.ok ? done(merged(whole.output, own) as Values) : whole
}

/** Groups are merged key by key, and lists of named things by name; anything else is replaced. */
function merged(under: unknown, over: unknown): unknown {
  if (isNamed(under) && isNamed(over)) {
    const own = new Map(over.map((each) => [keyOf(each), each]))
    const kept = under.map((each) => {
      const mine = own.get(keyOf(each))
      own.delete(keyOf(each))
      return mine ? merged(each, mine) : each
    })
    return [...kept, ...own.values()]
  }
  if (!isGroup(under) || !isGroup(over)) return over
  const keys = [...new Set([...Object.keys(under), ...Object.keys(over)])]
  return Object.fromEntries(
    keys.map((key) => [
      key,
      key in over ? (key in under ? merged(under[key], over[key]) : over[key]) : under[key],
    ]),
  )
}

function isGroup(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Labels, rulesets, environments. */
function isNamed(value: unknown): value is readonly Values[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => isGroup(each) && keyOf(each) !== '')
  )
}

function keyOf({ name, index }: Values): string {
  const key = name ?? index
  return typeof key === 'string' ? key.toLowerCase() : ''
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file
}

async function readText(file: string, input: AsyncIterable<Buffer>): Promise<Answer<string>> {
  try {
    return decode(await readBounded(input), nameOf(file))
  } catch (error) {
    const why = REASONS[codeOf(error) ?? ''] ?? messageOf(error)
    return cannot(
      'setup',
      `cannot read ${file}: ${why}`,
      'create it (see: reposmith explain repo.yaml), or name another with -f',
    )
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
}

/** Reads just enough to show that it is too long. */
async function readBounded(input: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_BYTES) break
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer, file: string): Answer<string> {
  if (bytes.length > MAX_BYTES)
    return invalid(file, [`${file}: is longer than ${MAX_BYTES / 1024} KiB: shorten it`])
  if (!isUtf8(bytes)) return wrong('invalid', `${file} is not UTF-8`, 'save it as UTF-8')
  return done(bytes.toString('utf8'))
}

function invalid(file: string, problems: readonly string[]) {
  const remediation = 'fix it, then run this again (see: reposmith explain repo.yaml)'
  return wrong('invalid', `${file} is invalid`, remediation, problems)
}

/** One without a base. Problems read `repo.yaml:3:5 repository.visibility: must be one of public, private, internal`. */
export function parseManifest(source: string, file: string): Answer<Manifest> {
  const parsed = parse(source, file)
  return parsed.ok ? validate(parsed.output, schema) : parsed
}

interface Parsed extends Omit<Source, 'tell' | 'lineOf'> {
  readonly file: string
  readonly value: unknown
}

function parse(source: string, file: string): Answer<Parsed> {
  const { document, at, tell } = parseYaml(source, file)
  const mistakes = [...document.errors, ...document.warnings]
  if (mistakes.length) return invalid(file, mistakes.map(tell))
  // A page of aliases can expand to gigabytes; with none allowed this throws at the first.
  try {
    return done({ file, document, at, value: document.toJS({ maxAliasCount: 0 }) as unknown })
  } catch {
    return invalid(file, [`${file}: aliases are not allowed: write the value out`])
  }
}

function validate<T>({ file, document, at, value }: Parsed, shape: z.ZodType<T>): Answer<T> {
  const checked = shape.safeParse(value)
  if (checked.success) return done(checked.data)
  const problems = checked.error.issues
    .flatMap((issue) => complaints(issue, value))
    .map(({ path, message }) => ({ offset: offsetOf(document, path), path: path.join('.'), message }))
    .toSorted((a, b) => a.offset - b.offset)
  return invalid(
    file,
    problems.map(({ offset, path, message }) => `${at(offset)}${path ? ` ${path}` : ''}: ${message}`),
  )
}

interface Complaint {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

function complaints(issue: z.core.$ZodIssue, value: unknown): readonly Complaint[] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, keysAt(path)) }))
  if (issue.code === 'invalid_type') {
    const found = path.reduce<unknown>(
      (inside, key) => (inside as Record<PropertyKey, unknown> | null)?.[key],
      value,
    )
    const kind = KINDS[issue.expected] ?? issue.expected
    return [{ path, message: found === undefined ? 'is required' : `must be ${kind}` }]
  }
  if (issue.code === 'invalid_value')
    return [{ path, message: `must be one of ${issue.values.map(String).join(', ')}` }]
  if (issue.code === 'invalid_key') return [{ path, message: issue.issues[0]?.message ?? issue.message }]
  if (issue.code === 'invalid_union')
    return [{ path, message: 'must be a text, or a group of type and parameters' }]
  return [{ path, message: issue.message }]
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
  object: 'a group of keys',
  record: 'a group of keys',
  array: 'a list',
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known)
  return near ? `unknown key: did you mean ${near}?` : `unknown key: use one of ${known.join(', ')}`
}

function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const groups: Readonly<Record<string, z.ZodObject>> = {
    repository,
    actions,
    merge,
    scaffold,
    labels: label,
    environments: environment,
    rulesets: ruleset,
  }
  return Object.keys((path.length ? groups[String(path[0])] : schema)?.shape ?? {})
}
