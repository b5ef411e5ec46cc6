// Mends a workflow's text where one line more, or one less, does it. Comments and order stay.
import type { Finding } from './finding.ts'

/** What the names of actions mean: `actions/checkout@v5` → a hash. */
export type Pins = ReadonlyMap<string, string>

/** The text with all of it mended that can be; findings are those of this file. */
export function mendText(source: string, findings: readonly Finding[], pins: Pins): string {
  const lines = source.split('\n')
  // From the last line up, so that the numbers above stay right.
  const spots = findings
    .map((finding) => ({ finding, index: Number(finding.place?.split(':').at(-1)) - 1 }))
    .toSorted((one, other) => other.index - one.index)
  for (const { finding, index } of spots) mendLine(lines, finding, index, pins)
  return lines.join('\n')
}

function mendLine(lines: string[], { id, message }: Finding, index: number, pins: Pins): void {
  switch (id) {
    case 'pin':
      return pin(lines, index, pins)
    case 'kept-credentials':
      return putUnder(lines, index, 'with', 'persist-credentials: false')
    case 'id-token':
      return putPermission(lines, index)
    case 'password':
      return remove(lines, index, /^\s*(password|token|[A-Z_]+): *\S/)
    case 'attestation':
      return message.endsWith('attests nothing') ? remove(lines, index, /^\s*attestations: *\S/) : undefined
    default:
      return undefined
  }
}

/** `uses: actions/checkout@v5`, alone on its line. */
const USES = /^(\s*(?:- )?uses: *)([^\s'"@]+)@([^\s'"]+)\s*(?:#.*)?$/

/** Each action that one of the findings is about, where its line has nothing else. */
export function unpinnedIn(source: string, findings: readonly Finding[]): readonly string[] {
  const lines = source.split('\n')
  return findings
    .filter(({ id }) => id === 'pin')
    .flatMap(({ place }) => {
      const [, , name, ref] = USES.exec(lines[Number(place?.split(':').at(-1)) - 1] ?? '') ?? []
      return name && ref ? [`${name}@${ref}`] : []
    })
}

function pin(lines: string[], index: number, pins: Pins): void {
  const [, key, name, ref] = USES.exec(lines[index] ?? '') ?? []
  const hash = pins.get(`${name}@${ref}`)
  if (hash !== undefined) lines[index] = `${key}${name}@${hash} # ${ref}`
}

/** A line in `key:` beside the given one; nothing if that is written in one line with others. */
function putUnder(lines: string[], index: number, key: string, text: string): void {
  const line = lines[index] ?? ''
  const [dash = ''] = /^\s*(?:- )?/.exec(line) ?? []
  if (!/^(uses|run):/.test(line.slice(dash.length))) return
  const indent = ' '.repeat(dash.length)
  for (let at = index + 1; at < lines.length; at++) {
    const next = lines[at] ?? ''
    if (next.trim() === '' || depth(next) > indent.length) continue
    if (depth(next) < indent.length || next.startsWith(`${' '.repeat(Math.max(indent.length - 2, 0))}- `))
      break
    if (next.trim() === `${key}:`) {
      lines.splice(at + 1, 0, `${' '.repeat(childDepth(lines, at))}${text}`)
      return
    }
    if (next.trim().startsWith(`${key}:`)) return
  }
  lines.splice(index + 1, 0, `${indent}${key}:`, `${indent}  ${text}`)
}

/** `index` is the line of `permissions:`, or of the job if it has none. */
function putPermission(lines: string[], index: number): void {
  const line = lines[index] ?? ''
  if (!/:\s*(#.*)?$/.test(line)) return
  const child = ' '.repeat(childDepth(lines, index))
  const text = /^\s*permissions:/.test(line)
    ? [`${child}id-token: write`]
    : [`${child}permissions:`, `${child}  id-token: write`]
  lines.splice(index + 1, 0, ...text)
}

/** With the key above it, if that would hold nothing then. */
function remove(lines: string[], index: number, like: RegExp): void {
  const line = lines[index] ?? ''
  const isLong = depth(lines[index + 1] ?? '') > depth(line) && lines[index + 1]?.trim() !== ''
  if (!like.test(line) || isLong || /[|>]\s*$/.test(line)) return
  const isAlone = depth(lines[index - 1] ?? '') < depth(line) && depth(lines[index + 1] ?? '') < depth(line)
  if (isAlone && /^\s*(with|env):\s*$/.test(lines[index - 1] ?? '')) lines.splice(index - 1, 2)
  else lines.splice(index, 1)
}

function depth(line: string): number {
  return line.length - line.trimStart().length
}

/** How far what belongs to that line is indented. */
function childDepth(lines: readonly string[], index: number): number {
  const own = depth(lines[index] ?? '')
  const child = lines.slice(index + 1).find((line) => line.trim() !== '')
  return child !== undefined && depth(child) > own ? depth(child) : own + 2
}
