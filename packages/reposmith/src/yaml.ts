// Parses hand-written YAML: each error has its line and column.
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLError,
} from 'yaml'

export interface Source {
  readonly document: Document
  /** `repo.yaml:3:5` */
  readonly at: (offset: number) => string
  /** The line of a key, or of its nearest ancestor if there is none. */
  readonly lineOf: (path: readonly PropertyKey[]) => number
  /** `repo.yaml:3:5: Map keys must be unique` */
  readonly tell: (mistake: YAMLError) => string
}

export function parseYaml(source: string, file: string): Source {
  const lines = new LineCounter()
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
  // Otherwise the library prints warnings itself, such as that `{{ name }}` is a map as a key.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  return {
    document,
    at,
    lineOf: (path) => Math.max(lines.linePos(offsetOf(document, path)).line, 1),
    // Drops the library's advice to programmers.
    tell: ({ pos, message }) => `${at(pos[0])}: ${message.replace(/; please use .*$/, '')}`,
  }
}

/** The offset of the key, or of its nearest ancestor if it is missing. */
export function offsetOf(document: Document, path: readonly PropertyKey[]): number {
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
