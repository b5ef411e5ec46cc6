// Edits bot.yaml, keeping what a person wrote around it, and finds templates in it.
import { Document, isNode, isScalar, LineCounter, parseDocument, Scalar } from 'yaml'
import type { BotAuth } from '../../senders/authschema.ts'
import { change, print } from './document.ts'
import type { Fallback } from '../../message/fallback.ts'
import { rotate, type Rotation } from './rotate.ts'
import { editTrigger, type TriggerChanges } from './triggeredit.ts'

/** What an edit changes; null takes the field out of the file. */
export interface BotChanges {
  readonly description?: string | null
  readonly channels?: readonly string[]
  readonly dmOwner?: boolean
  readonly mention?: string | null
  readonly template?: string | null
  readonly preset?: string | null
  readonly fallback?: Fallback
  readonly thread?: string | null
  readonly auth?: BotAuth | null
  /** These replace what is there; the rest of `auth` stays. */
  readonly authHeader?: string | undefined
  readonly secrets?: readonly string[]
  readonly rotation?: Rotation
  readonly trigger?: TriggerChanges
}

/** The text of a new bot.yaml. `created` is `2026-04-03`. */
export function newBotFile(
  { name, owner, created }: { name: string; owner: string; created: string },
  changes: BotChanges,
): string {
  const document = new Document({
    bot: { name, owner, description: '', created },
    trigger: { type: 'webhook' },
    handler: {},
    output: { channels: [], dm_owner: false },
  })
  // Many other YAML readers take a date without quotes for a date type.
  const date = document.getIn(['bot', 'created'], true)
  if (isScalar(date)) date.type = Scalar.QUOTE_DOUBLE
  const handler = document.getIn(['handler'], true)
  if (isNode(handler)) handler.comment = ' isolates a handler.py, if there is one'
  return editBotFile(print(document), { fallback: 'json', ...changes })
}

/** The same file with `changes`; comments, order and everything else stay. `text` must be a valid bot.yaml. */
export function editBotFile(text: string, changes: BotChanges): string {
  const document = parseDocument(text)
  const set = (path: readonly string[], value: unknown): void => change(document, path, value)

  set(['bot', 'description'], changes.description)
  set(['trigger', 'auth'], changes.auth && authNode(changes.auth))
  set(['trigger', 'auth', 'header'], changes.authHeader)
  set(['trigger', 'auth', 'secrets'], changes.secrets)
  if (changes.rotation) rotate(document, changes.rotation)
  set(['output', 'channels'], changes.channels)
  set(['output', 'dm_owner'], changes.dmOwner)
  set(['output', 'mention'], changes.mention)
  set(['output', 'preset'], changes.preset)
  set(['output', 'template'], changes.template)
  set(['output', 'fallback'], changes.fallback)
  if (changes.trigger) editTrigger(document, changes.trigger)
  set(['output', 'thread'], changes.thread)
  writeTemplate(document, changes.template)
  return print(document)
}

/**
 * The template that `composedBy` names (`output.template`), and the line where it begins; undefined when the file does
 * not have it.
 */
export function templateIn(text: string, composedBy: string): { text: string; line: number } | undefined {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  // A key of `templates` may itself contain dots.
  const [, key] = /^output\.templates\.(.*)$/s.exec(composedBy) ?? []
  const path = key === undefined ? composedBy.split('.') : ['output', 'templates', key]
  const node = document.getIn(path, true)
  if (!isScalar(node) || typeof node.value !== 'string' || !node.range) return undefined
  return { text: node.value, line: lines.linePos(node.range[0]).line }
}

/** Without undefined values, and without an empty list of secrets. */
function authNode(auth: BotAuth): object {
  const said = Object.entries(auth).filter(
    ([key, value]) => value !== undefined && (key !== 'secrets' || auth.secrets.length > 0),
  )
  return Object.fromEntries(said)
}

function writeTemplate(document: Document, template: BotChanges['template']): void {
  const node = document.getIn(['output', 'template'], true)
  if (template?.includes('\n') && isScalar(node)) node.type = Scalar.BLOCK_LITERAL
}
