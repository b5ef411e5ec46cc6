// METADATA: what users and channels say of themselves, in keys and values.
// https://ircv3.net/specs/extensions/metadata, and its changes in metadata-3: https://github.com/ircv3/ircv3-specifications/pull/613
import { isMetadataKey } from '../../../irc/metadata.ts'
import { isChannelName } from '../../../irc/names.ts'
import * as numerics from '../../../irc/numerics.ts'
import { byteLength } from '../../../irc/split.ts'
import { Bucket } from '../../bucket.ts'
import type { Command, Turn } from '../../command.ts'
import type { KeyChange } from '../../events.ts'
import { VISIBILITY } from '../../output/keyvalue.ts'
import type { Line } from '../../output/line.ts'
import { tellBatch } from '../../output/pieces.ts'
import {
  mayKnowChannel,
  mayKnowUser,
  maySetOnChannel,
  maySetOnUser,
  readsMetadata,
} from '../../rules/metadata.ts'
import { findVisible } from '../../rules/see.ts'
import type { Session } from '../../session.ts'
import type { MetadataSettings } from '../../settings.ts'
import { Slot } from '../../slot.ts'
import { put, take } from '../../emptycollections.ts'
import { type Channel, findUser, metadataOf, type User } from '../../state.ts'
import { ownerOf, removing } from './metadatachange.ts'
import { codeOf, invalidKey, isOlder, KEY_RULE } from './metadatafaults.ts'
import { subscribe, tellSubscriptions, unsubscribe } from './metadatasubs.ts'
import { EVERYTHING, syncChannel, syncEverything, syncUser } from './metadatasync.ts'

export const METADATA: Command = {
  name: 'METADATA',
  minParams: 0,
  when: 'always',
  help: [
    'METADATA <nick|channel|*> LIST: shows all metadata of a user or a channel; * is yourself',
    'METADATA <nick|channel|*> GET <key>{ <key>}: shows these keys',
    'METADATA <nick|channel|*> SET <key> [:<value>]: sets a key; without a value, removes it',
    'METADATA <nick|channel|*> CLEAR: removes all keys',
    'METADATA * SUB <key>{ <key>}: notifies you when these keys change, for everything you can see',
    'METADATA * UNSUB <key>{ <key>}: stops these notifications',
    'METADATA * SUBS: lists the keys you subscribed to',
    'METADATA <nick|channel|*ALL> SYNC: sends you the current values of the keys you subscribed to',
  ],
  run(turn, { params: [name = '*', typed = '*', ...rest] }) {
    const { chat, session, reply, fail } = turn
    const settings = chat.settings.metadata
    if (settings === undefined) return reply(numerics.ERR_UNKNOWNCOMMAND, 'METADATA')
    if (session.user === undefined && !settings.beforeConnect) return reply(numerics.ERR_NOTREGISTERED)
    const verb = VERBS.get(typed.toUpperCase())
    if (verb === undefined) return fail(codeOf('subcommand', session), [typed], 'See HELP METADATA')
    if (rest.length < verb.least || rest.length > verb.most)
      return fail('INVALID_PARAMS', [typed], 'See HELP METADATA')
    if (verb.needsCap && !readsMetadata(session)) {
      const missing = isOlder(session) ? 'capability batch' : 'capabilities draft/metadata-3 and batch'
      return fail('INVALID_PARAMS', [typed], `Request the ${missing} first`)
    }
    verb.run({ turn, settings, name, rest })
  },
}

interface Asked {
  readonly turn: Turn
  readonly settings: MetadataSettings
  /** The target as typed. */
  readonly name: string
  readonly rest: readonly string[]
}

interface Verb {
  /** How many words may follow it. */
  readonly least: number
  readonly most: number
  /** Of no use to clients that cannot be sent changes. */
  readonly needsCap?: boolean
  run(asked: Asked): void
}

const MANY = Number.POSITIVE_INFINITY

const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['GET', { least: 1, most: MANY, run: get }],
  ['LIST', { least: 0, most: 0, run: list }],
  ['SET', { least: 1, most: 2, run: set }],
  ['CLEAR', { least: 0, most: 0, run: clear }],
  ['SUB', { least: 1, most: MANY, needsCap: true, run: onOneself(subscribeTo) }],
  [
    'UNSUB',
    { least: 1, most: MANY, needsCap: true, run: onOneself(({ turn, rest }) => unsubscribe(turn, rest)) },
  ],
  ['SUBS', { least: 0, most: 0, needsCap: true, run: onOneself(({ turn }) => tellSubscriptions(turn)) }],
  ['SYNC', { least: 0, most: 0, needsCap: true, run: sync }],
])

/** "If the target is not an asterisk or the client's nickname, the server MUST fail the request." */
function onOneself(run: (asked: Asked) => void): (asked: Asked) => void {
  return (asked) => {
    const target = targetOf(asked)
    if (target?.isOneself) run(asked)
    else
      asked.turn.fail(
        'INVALID_TARGET',
        [asked.name],
        'You can only manage your own subscriptions: METADATA * SUB',
      )
  }
}

function subscribeTo({ turn, rest, settings }: Asked): void {
  subscribe(turn, rest, settings.maxSubs)
}

/** What a command is about. */
interface Target {
  /** Its current name. */
  readonly name: string
  readonly isOneself: boolean
  /** Empty if the asker may not know of any. */
  readonly values: ReadonlyMap<string, string>
  /** Refuses as a whole; an invisible user only seems to have no keys. */
  readonly isClosed: boolean
  readonly maySet: boolean
  readonly change: (values: readonly KeyChange[]) => void
  /** Sends those keys of it that the connection subscribed to. */
  readonly sync: () => void
}

function targetOf(asked: Asked): Target | undefined {
  const { turn, name } = asked
  const { state, user: viewer } = turn
  if (viewer === undefined) return name === '*' ? introduced(turn) : undefined
  if (isChannelName(name)) {
    const channel = findVisible(state, viewer, name)
    return channel && aboutChannel(turn, viewer, channel)
  }
  const user = name === '*' ? viewer : findUser(state, name)
  return user && aboutUser(turn, viewer, user)
}

/** Before registration: kept with the connection until it becomes a user. */
function introduced(turn: Turn): Target {
  const { introduction } = turn.session
  return {
    name: '*',
    isOneself: true,
    values: introduction.metadata,
    isClosed: false,
    maySet: true,
    change(values) {
      for (const [key, value] of values) {
        introduction.metadata =
          value === null ? take(introduction.metadata, key) : put(introduction.metadata, key, value)
      }
    },
    sync: () => tellAll(turn, '*', []),
  }
}

function aboutUser({ chat, session, state, propose }: Turn, viewer: User, user: User): Target {
  return {
    name: user.nick,
    isOneself: user.key === viewer.key,
    values: mayKnowUser(viewer, user) ? metadataOf(state, user) : new Map(),
    isClosed: false,
    maySet: maySetOnUser(viewer, user),
    change: (values) => propose({ kind: 'metadata.changed', ...ownerOf(chat, user), values }),
    sync: () => syncUser(chat, session, user),
  }
}

function aboutChannel({ chat, session, propose }: Turn, viewer: User, channel: Channel): Target {
  return {
    name: channel.name,
    isOneself: false,
    values: channel.metadata,
    isClosed: !mayKnowChannel(channel, viewer),
    maySet: maySetOnChannel(channel, viewer),
    change: (values) => propose({ kind: 'metadata.changed', channel: channel.key, values }),
    sync: () => syncChannel(chat, session, channel),
  }
}

/** The target, if it can be read; else it has been refused. */
function readable(asked: Asked): Target | undefined {
  const target = targetOf(asked)
  if (target === undefined) return void refuseTarget(asked)
  if (!target.isClosed) return target
  const why = 'Only members of this channel can read its metadata'
  return void asked.turn.fail('KEY_NO_PERMISSION', [target.name, '*'], why)
}

function refuseTarget({ turn, name }: Asked): void {
  turn.fail('INVALID_TARGET', [name], 'No such user or channel')
}

function get(asked: Asked): void {
  const target = readable(asked)
  if (target === undefined) return
  const lines = asked.rest.map((key) => {
    if (!isMetadataKey(key)) return invalidKey(asked.turn, key)
    return answerLine(asked.turn, target, [key, target.values.get(key) ?? null])
  })
  tellAll(asked.turn, target.name, lines)
}

function list(asked: Asked): void {
  const target = readable(asked)
  if (target === undefined) return
  const lines = [...target.values].map((each) => answerLine(asked.turn, target, each))
  tellAll(asked.turn, target.name, lines)
}

function set(asked: Asked): void {
  const { turn, settings, rest } = asked
  const { session } = turn
  const [key = '', value = ''] = rest
  const target = targetOf(asked)
  if (target === undefined) return refuseTarget(asked)
  const { name, values } = target
  if (!isMetadataKey(key)) return turn.fail(codeOf('key', session), [key], KEY_RULE)
  if (!target.maySet) return refuseChange(turn, target, key)
  if (byteLength(value) > settings.maxValueBytes) {
    const why = `A value can have at most ${settings.maxValueBytes} bytes`
    return turn.fail(codeOf('value', session), [key], why)
  }
  if (value !== '' && !values.has(key) && values.size >= settings.maxKeys) {
    const why = `There are already ${settings.maxKeys} keys: remove one first`
    return turn.fail('LIMIT_REACHED', [name, String(settings.maxKeys)], why)
  }
  // "The empty string is an invalid value": it removes the key.
  const change: KeyChange = [key, value === '' ? null : value]
  const isChange = (values.get(key) ?? null) !== change[1]
  if (!isChange && value === '' && isOlder(session))
    return turn.fail('KEY_NOT_SET', [name, key], 'No such key')
  if (isChange && isTooSoon(asked, target, key)) return

  session.send(answerLine(turn, target, change))
  if (isChange) target.change([change])
}

function refuseChange(turn: Turn, { name }: Target, key: string): void {
  turn.fail('KEY_NO_PERMISSION', [name, key], 'You are not allowed to change this metadata')
}

function clear(asked: Asked): void {
  const { turn } = asked
  const target = targetOf(asked)
  if (target === undefined) return refuseTarget(asked)
  if (!target.maySet) return refuseChange(turn, target, '*')
  const gone = removing(target.values)
  if (gone.length > 0 && isTooSoon(asked, target, '*')) return

  const lines = gone.map((each) => answerLine(turn, target, each))
  tellAll(turn, target.name, lines)
  if (gone.length > 0) target.change(gone)
}

function sync(asked: Asked): void {
  const { chat, session } = asked.turn
  if (asked.name === EVERYTHING) syncEverything(chat, session)
  else readable(asked)?.sync()
}

/** How many more changes a connection may make. */
const changes = new Slot<Session, Bucket>()

/** Every change is sent to all who see it: beyond the rate it is refused, and the connection told when to try again. */
function isTooSoon({ turn, settings }: Asked, { name }: Target, key: string): boolean {
  const bucket = changes.of(turn.session) ?? new Bucket()
  changes.keep(turn.session, bucket)
  const rate = { count: settings.changesPerMinute, everyMs: 60_000 }
  const wait = bucket.take(turn.chat.world.elapsed(), rate)
  if (wait === 0) return false
  const seconds = Math.ceil(wait / 1_000)
  turn.fail('RATE_LIMITED', [name, key, String(seconds)], `Too many changes: try again in ${seconds} seconds`)
  return true
}

function answerLine({ chat, session }: Turn, { name }: Target, [key, value]: KeyChange): Line {
  return value === null
    ? chat.numeric(session, numerics.RPL_KEYNOTSET, [name, key])
    : chat.numeric(session, numerics.RPL_KEYVALUE, [name, key, VISIBILITY, value])
}

function tellAll({ chat, session }: Turn, name: string, lines: readonly Line[]): void {
  tellBatch(chat, session, { type: 'metadata', params: [name], lines })
}
