// Puts a new secret before the old ones in bot.yaml, as a person wrote it.
import { isScalar, isSeq, parseDocument } from 'yaml'
import { print } from './document.ts'

export interface Rotation {
  /** The new secret or a reference to it; undefined: old ones are removed and none is added. */
  readonly add: string | undefined
  /** How many remain at most, the newest of them. */
  readonly most: number
}

/** The same file with the secrets rotated; each keeps the comment that stands above or beside it. */
export function rotateInFile(text: string, { add, most }: Rotation): string {
  const document = parseDocument(text)
  const list = document.getIn(['trigger', 'auth', 'secrets'], true)
  if (!isSeq(list)) return text
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
  return print(document)
}
