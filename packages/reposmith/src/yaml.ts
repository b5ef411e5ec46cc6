// Parses hand-written YAML: each error has its line and column.
import { LineCounter, parseDocument, type Document, type YAMLError } from 'yaml'

export interface Source {
  readonly document: Document
  /** `repo.yaml:3:5` */
  readonly at: (offset: number) => string
  /** `repo.yaml:3:5: Map keys must be unique` */
  readonly tell: (mistake: YAMLError) => string
}

export function parseYaml(source: string, file: string): Source {
  const lines = new LineCounter()
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
  return {
    // Otherwise the library prints warnings itself, such as that `{{ name }}` is a map as a key.
    document: parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: 'error' }),
    at,
    // Drops the library's advice to programmers.
    tell: ({ pos, message }) => `${at(pos[0])}: ${message.replace(/; please use .*$/, '')}`,
  }
}
