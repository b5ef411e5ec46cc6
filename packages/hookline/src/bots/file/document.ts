// Changes a YAML file, keeping what a person wrote around it.
import {
  type CreateNodeOptions,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type YAMLSeq,
} from 'yaml'

/** Undefined leaves what is there; null takes it out. A map keeps the order of what stays in it. */
export function change(
  document: Document,
  path: readonly string[],
  value: unknown,
  style: CreateNodeOptions = {},
): void {
  if (value === undefined) return
  const was = document.getIn(path, true)
  if (value === null) {
    if (document.hasIn(path)) document.deleteIn(path)
  } else if (isMap(was) && typeof value === 'object' && !Array.isArray(value)) {
    for (const key of Object.keys(was.toJSON() as object))
      if (!(key in value)) change(document, [...path, key], null)
    for (const [key, each] of Object.entries(value)) change(document, [...path, key], each, style)
  } else document.setIn(path, likeBefore(document.createNode(value, style), was))
}

/** With the comments of the old node. A list keeps its style, and items whose value stays keep their own comments. */
function likeBefore(node: Node, was: unknown): Node {
  if (!isNode(was)) return node
  if (isSeq(node) && isSeq(was) && was.items.length > 0) {
    if (was.flow) node.flow = true
    else delete node.flow
    node.items = node.items.map((item) => sameIn(was, item) ?? item)
  }
  const { comment, commentBefore, spaceBefore } = was
  return Object.assign(node, { comment, commentBefore, spaceBefore })
}

function sameIn(list: YAMLSeq, item: unknown): unknown {
  return list.items.find((each) => isScalar(each) && isScalar(item) && each.value === item.value)
}

/** In the style of all our files. */
export function print(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}
