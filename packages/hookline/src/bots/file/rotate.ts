// Puts a new secret before the old ones in bot.yaml, as a person wrote it.
import { type Document, isScalar, isSeq } from 'yaml'

export interface Rotation {
  /** The new secret or a reference to it; undefined: old ones are removed and none is added. */
  readonly add: string | undefined
  /** How many remain at most, the newest of them. */
  readonly most: number
}

/** Each secret keeps the comment that stands above or beside it. */
export function rotate(document: Document, { add, most }: Rotation): void {
  const list = document.getIn(['trigger', 'auth', 'secrets'], true)
  if (!isSeq(list)) return
  const [first] = list.items
  if (add !== undefined) {
    // A comment above the first secret belongs to it, but YAML attaches it to the list.
    if (isScalar(first) && list.commentBefore && !list.flow) {
      first.commentBefore = list.commentBefore
      list.commentBefore = null
    }
    list.items.unshift(document.createNode(add))
  }
  list.items.splice(most)
}
