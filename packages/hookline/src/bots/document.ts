// A file of YAML that is changed: what a person wrote around it stays.
import type { CreateNodeOptions, Document } from 'yaml'

/** Undefined leaves what is there; null takes it out. */
export function change(
  document: Document,
  path: readonly string[],
  value: unknown,
  style: CreateNodeOptions = {},
): void {
  if (value === undefined) return
  if (value !== null) document.setIn(path, document.createNode(value, style))
  else if (document.hasIn(path)) document.deleteIn(path)
}

/** As every file of ours is written. */
export function print(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}
