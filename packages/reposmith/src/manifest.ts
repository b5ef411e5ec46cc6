// repo.yaml: what a repository should be. Read once; every problem has its line and column.
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml'
import { z } from 'zod'
import { cannot, done, wrong, type Answer } from './failure.ts'
import { INDEX_NAMES, REVIEWERS_MAX, WAIT_MINUTES_MAX } from './table/env.ts'
import { nearest } from './table/nearest.ts'
import { codeOf, messageOf } from './thrown.ts'
import { parseYaml } from './yaml.ts'

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
  workflow_token: z.enum(['read', 'write']).optional(),
  approve_prs: z.boolean().optional(),
})

const scaffold = z.strictObject({
  path: text,
  lang: z.enum(['python']).default('python'),
  with: text.default('cookiecutter'),
  var: list.optional(),
})

const environment = z.strictObject({
  index: z.enum(INDEX_NAMES).optional(),
  name: text.optional(),
  branches: list.optional(),
  tags: list.optional(),
  reviewers: list.max(REVIEWERS_MAX, `takes at most ${REVIEWERS_MAX} reviewers`).optional(),
  wait_minutes: z
    .int()
    .min(0, 'takes at least 0 minutes')
    .max(WAIT_MINUTES_MAX, `takes at most ${WAIT_MINUTES_MAX} minutes`)
    .optional(),
  workflow: text.default('publish.yml'),
  project: text.optional(),
})

const schema = z.strictObject({
  repository,
  actions: actions.optional(),
  scaffold: scaffold.optional(),
  environments: z.array(environment).optional(),
})

export type Manifest = z.output<typeof schema>
export type ManifestEnvironment = z.output<typeof environment>

/** Nobody writes a longer one by hand. */
const MAX_BYTES = 64 * 1024

/** From a file, or from standard input for `-`. */
export async function readManifest(file: string): Promise<Answer<Manifest>> {
  try {
    if (file === '-') return decodeManifest(await readBounded(process.stdin), 'standard input')
    return decodeManifest(await readBounded(createReadStream(file)), file)
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

function decodeManifest(bytes: Buffer, file: string): Answer<Manifest> {
  if (bytes.length > MAX_BYTES)
    return invalid(file, [`${file}: is longer than ${MAX_BYTES / 1024} KiB: shorten it`])
  if (!isUtf8(bytes)) return wrong('invalid', `${file} is not UTF-8`, 'save it as UTF-8')
  return parseManifest(bytes.toString('utf8'), file)
}

function invalid(file: string, problems: readonly string[]) {
  const remediation = 'fix it, then run this again (see: reposmith explain repo.yaml)'
  return wrong('invalid', `${file} is invalid`, remediation, problems)
}

/** Problems read `repo.yaml:3:5 repository.visibility: must be one of public, private, internal`. */
export function parseManifest(source: string, file: string): Answer<Manifest> {
  const { document, at, tell } = parseYaml(source, file)
  const mistakes = [...document.errors, ...document.warnings]
  if (mistakes.length) return invalid(file, mistakes.map(tell))
  // A page of aliases can expand to gigabytes; with none allowed this throws at the first.
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 0 })
  } catch {
    return invalid(file, [`${file}: aliases are not allowed: write the value out`])
  }
  const checked = schema.safeParse(value)
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
  return [{ path, message: issue.message }]
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
  object: 'a group of keys',
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
    scaffold,
    environments: environment,
  }
  return Object.keys((path.length ? groups[String(path[0])] : schema)?.shape ?? {})
}

/** The offset of the key, or of its nearest ancestor if it is missing. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents
  let offset = startOf(node)
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment))
      if (!pair) return offset
      offset = startOf(pair.key)
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(segment)]
      offset = startOf(node)
    } else {
      return offset
    }
  }
  return offset
}

function startOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0
}
