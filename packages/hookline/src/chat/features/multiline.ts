// BATCH from a client: the lines of one long message, collected until it closes.
// https://ircv3.net/specs/extensions/multiline, https://ircv3.net/specs/extensions/client-batch
import { CAPS } from '../../irc/caps.ts'
import { type Incoming, type Message, parse } from '../../irc/message.ts'
import { fold } from '../../irc/names.ts'
import { byteLength } from '../../irc/split.ts'
import type { Command, Failure, Turn, UserTurn } from '../command.ts'
import type { MessageCommand, Said } from '../events.ts'
import { answering } from '../output/answering.ts'
import { labelOf } from '../output/response.ts'
import type { SaidLine } from '../saidlines.ts'
import type { Session } from '../session.ts'
import { Slot } from '../slot.ts'
import { clientTagsOf, sayTo } from './say.ts'

interface OpenMultiline {
  readonly ref: string
  readonly target: string
  /** From the opening: the answer to the batch carries it. */
  readonly label: string | undefined
  readonly tags: Said['clientTags']
  readonly lines: SaidLine[]
  command: MessageCommand | undefined
  bytes: number
  /** Lines received for it, dropped ones included. */
  seen: number
  /** An error was reported; the rest is read to its end and dropped. */
  isRefused: boolean
}

export const BATCH: Command = {
  name: 'BATCH',
  minParams: 1,
  when: 'registered',
  help: 'BATCH +<ref> draft/multiline <target> … BATCH -<ref>: sends one message of several lines',
  run(turn, message) {
    const { session } = turn
    const [ref = '', type, target] = message.params
    if (ref.startsWith('-')) return close(turn, ref.slice(1))
    const label = ref.startsWith('+') ? labelOf(session.caps, message.tags) : undefined
    const fail: Turn['fail'] = (...why) => answering(turn.chat, session, label, () => turn.fail(...why))
    const name = ref.replace(/^\+/, '')
    if (!/^\+[A-Za-z0-9-]{1,64}$/.test(ref))
      return fail('INVALID_REFTAG', [name], 'A reference tag has only letters, digits and hyphens')
    if (!session.has(CAPS['draft/multiline']) || type !== 'draft/multiline') {
      return fail('UNKNOWN_TYPE', [name, type ?? '*'], 'Clients cannot send batches of this type')
    }
    if (isCollecting(session) || target === undefined) {
      return fail('MULTILINE_INVALID', [], 'A batch needs a target, and cannot begin inside another')
    }
    opened.keep(session, {
      ref: name,
      target,
      label,
      tags: clientTagsOf(message),
      lines: [],
      command: undefined,
      bytes: 0,
      seen: 0,
      isRefused: false,
    })
  },
}

/** The batch that a connection has opened. */
export const opened = new Slot<Session, OpenMultiline>()

/** Whether a batch is open. */
export function isCollecting(session: Session): boolean {
  return opened.of(session) !== undefined
}

/** Whether a line, not parsed yet, is one of the first `most` of the open batch. */
export function isCollected(session: Session, line: Incoming, most: number): boolean {
  if (typeof line !== 'string' || !line.startsWith('@')) return false
  const open = opened.of(session)
  return open !== undefined && open.seen < most && parse(line)?.tags.get('batch') === open.ref
}

/** A line with a `batch` tag. */
export function collectLine(turn: Turn, message: Message): void {
  const open = opened.of(turn.session)
  if (open === undefined)
    return turn.fail('INVALID_REFTAG', [message.tags.get('batch') ?? ''], 'No such batch is open')
  open.seen++
  if (open.isRefused) return
  const failure = add(turn, open, message)
  if (failure !== undefined) refuse(turn, open, failure)
}

/** A line that cannot be read is missing from the open batch, which would say something else without it. */
export function spoil(turn: Turn): void {
  const open = opened.of(turn.session)
  if (open !== undefined && !open.isRefused)
    refuse(turn, open, ['MULTILINE_INVALID', [], 'A line of the batch is invalid'])
}

function refuse({ chat, session, fail }: Turn, open: OpenMultiline, failure: Failure): void {
  open.isRefused = true
  open.lines.length = 0
  answering(chat, session, open.label, () => fail(...failure))
}

function add({ chat }: Turn, open: OpenMultiline, { tags, command, params }: Message): Failure | undefined {
  const [target, text = ''] = params
  const name = command.toUpperCase()
  const isJoined = tags.has('draft/multiline-concat')
  const { multilineBytes, multilineLines } = chat.settings.limits
  if (
    tags.get('batch') !== open.ref ||
    (name !== 'PRIVMSG' && name !== 'NOTICE') ||
    (open.command ?? name) !== name
  )
    return ['MULTILINE_INVALID', [], 'A batch can have only PRIVMSG or only NOTICE lines']
  if (fold(target ?? '') !== fold(open.target))
    return ['MULTILINE_INVALID_TARGET', [open.target, target ?? ''], 'A batch can have only one target']
  if (isJoined && text === '')
    return ['MULTILINE_INVALID', [], 'A blank line cannot have draft/multiline-concat']
  open.command = name
  open.lines.push({ text, isJoined: isJoined && open.lines.length > 0 })
  open.bytes += byteLength(text) + (open.lines.length > 1 && !isJoined ? 1 : 0)
  if (open.bytes > multilineBytes)
    return ['MULTILINE_MAX_BYTES', [String(multilineBytes)], 'The message has too many bytes']
  if (open.lines.length > multilineLines)
    return ['MULTILINE_MAX_LINES', [String(multilineLines)], 'The message has too many lines']
  return undefined
}

function close(turn: UserTurn, ref: string): void {
  const { chat, session, fail } = turn
  const open = opened.of(session)
  if (open === undefined || open.ref !== ref) return fail('INVALID_REFTAG', [ref], 'No such batch is open')
  opened.drop(session)
  const { command, label, lines, isRefused } = open
  if (isRefused) return
  answering(chat, session, label, () => {
    if (command === undefined || lines.every(({ text }) => text === '')) {
      return fail('MULTILINE_INVALID', [], 'The message has no text')
    }
    sayTo(turn, open.target, { command, lines, clientTags: open.tags })
  })
}
