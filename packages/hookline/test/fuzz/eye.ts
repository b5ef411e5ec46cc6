// Reads what a connection is sent, as a client that trusts nothing: it knows only what it was told, and from that what it may be told.
import assert from 'node:assert/strict'
import type { User } from '../../src/chat/state.ts'
import { CAPS, capNames, type CapName } from '../../src/irc/caps.ts'
import { type Message, parse } from '../../src/irc/message.ts'
import { isRank, parseChannelModes, PREFIX, RANKS } from '../../src/irc/modes.ts'
import { fold, splitUserhost } from '../../src/irc/names.ts'

/** Lines of these commands go only to those who asked for one of the capabilities. */
const COMMAND_NEEDS: Readonly<Record<string, readonly string[]>> = {
  ACCOUNT: ['account-notify', 'extended-monitor'],
  ACK: ['labeled-response'],
  BATCH: ['batch'],
  CHGHOST: ['chghost'],
  MARKREAD: ['draft/read-marker'],
  METADATA: ['draft/metadata-2', 'draft/metadata-3'],
  REDACT: ['draft/message-redaction'],
  RENAME: ['draft/channel-rename'],
  SETNAME: ['setname'],
  TAGMSG: ['message-tags'],
}

/** Tags of a server: all others must be a client's own, with `+`, which need `message-tags`. */
const TAG_NEEDS: Readonly<Record<string, readonly string[]>> = {
  account: ['account-tag'],
  batch: ['batch'],
  bot: ['message-tags'],
  'draft/multiline-concat': ['draft/multiline'],
  'draft/relaymsg': ['draft/relaymsg', 'message-tags'],
  label: ['labeled-response'],
  msgid: ['message-tags'],
  time: ['server-time'],
}

interface Known {
  readonly account?: string | null
  readonly isAway?: boolean
  readonly realname?: string
}

export class Eye {
  readonly caps = new Set<string>()
  /** The channels that it is in, and who is in each, all folded, with the prefixes of their ranks where it was told all of them. */
  readonly channels = new Map<string, Map<string, string | undefined>>()
  /** What it was told of those who came while it was there. */
  readonly #known = new Map<string, Known>()
  /** Those of them whose members it was not told on joining. */
  readonly unread = new Set<string>()
  /** How often each label came back. */
  readonly answers = new Map<string, number>()
  nick = '*'
  lines = 0
  readonly #server: string
  readonly #open = new Set<string>()
  /** Those of them that tell what is past, and what is in them. */
  readonly #past = new Set<string>()
  #rest = ''
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  constructor(server: string) {
    this.#server = server
  }

  read(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\r\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#look(line)
  }

  /** Called when everything sent has been read. Who is closed may have been in the middle of an answer. */
  expectQuiet(isClosed: boolean): void {
    assert.equal(this.#rest, '', 'a line without its end')
    if (!isClosed) assert.deepEqual([...this.#open], [], 'batches that were never closed')
  }

  #look(line: string): void {
    this.lines++
    try {
      const message = parse(line)
      assert.ok(message, 'it cannot be parsed')
      this.#checkShape(line, message)
      this.#checkNeeds(message)
      this.#follow(message)
    } catch (error) {
      throw new Error(`${this.nick} was sent ${JSON.stringify(line)}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }

  #checkShape(line: string, { source, command }: Message): void {
    assert.doesNotMatch(line, /[\r\n\0]/, 'a character that no line may hold')
    assert.match(command, /^([A-Z]+|\d{3})$/, 'no command')
    const tags = line.startsWith('@') ? line.indexOf(' ') + 1 : 0
    // RFC 2812 2.3: with CR LF; message-tags: with `@` and the space.
    assert.ok(Buffer.byteLength(line.slice(tags)) <= 512 - 2, 'longer than 512 bytes')
    assert.ok(Buffer.byteLength(line.slice(0, tags)) <= 8_191, 'more tags than a line may have')
    const isOfConnection = command === 'ERROR' || command === 'PING'
    assert.equal(source === undefined || source === '', isOfConnection, 'whom it comes from')
  }

  #checkNeeds({ tags, command, params, source = '' }: Message): void {
    for (const [name, value] of tags) {
      assert.ok(value !== 'forged' || name.startsWith('+'), `the tag ${name} of another client`)
      const needs = TAG_NEEDS[name] ?? ['message-tags']
      assert.ok(this.#hasAny(needs), `the tag ${name} without ${needs.join(' or ')}`)
    }
    const needs = COMMAND_NEEDS[command]
    if (needs !== undefined && !this.#isMe(source))
      assert.ok(this.#hasAny(needs), `not asked for: ${needs.join(' or ')}`)
    if (command === 'JOIN')
      assert.equal(params.length === 3, this.caps.has('extended-join'), 'the other form of JOIN')
    if (command === 'AWAY') assert.ok(this.#hasAny(['away-notify', 'draft/pre-away', 'extended-monitor']))
    if (command === 'INVITE' && fold(params[0] ?? '') !== fold(this.nick))
      assert.ok(this.caps.has('invite-notify'), 'somebody else was invited')
    if (command === 'CAP' && (params[1] === 'NEW' || params[1] === 'DEL'))
      assert.ok(this.caps.has('cap-notify'))
    if (command === 'ERROR') assert.notEqual(params[0], 'Internal error')
  }

  #hasAny(names: readonly string[]): boolean {
    return names.some((name) => this.caps.has(name))
  }

  #isMe(source: string): boolean {
    return fold(splitUserhost(source).nick) === fold(this.nick)
  }

  /** What it is told about itself, and about those around it. */
  #follow({ tags, command, params, source = '' }: Message): void {
    const [first = '', second = '', , fourth = ''] = params
    const label = tags.get('label')
    if (label !== undefined) this.answers.set(label, (this.answers.get(label) ?? 0) + 1)
    const batch = tags.get('batch')
    if (batch !== undefined) assert.ok(this.#open.has(batch), `no batch ${batch} is open`)
    const isPast = batch !== undefined && this.#past.has(batch)
    if (command === 'BATCH') return this.#bound(first, isPast || second === 'chathistory')
    if (isPast) return
    const who = fold(splitUserhost(source).nick)
    switch (command) {
      case '001':
        this.nick = first
        return
      case 'CAP':
        if (second === 'ACK') this.#acknowledge(params[2] ?? '')
        // Values are only for those who said 302, which implies it.
        if (second === 'LS' && params.at(-1)?.includes('=')) this.caps.add('cap-notify')
        return
      case 'NICK':
        for (const there of [...this.channels.values(), this.#known]) rename(there, who, fold(first))
        if (this.#isMe(source)) this.nick = first
        return
      case 'JOIN':
        if (this.#isMe(source)) this.#came(fold(first))
        this.channels.get(fold(first))?.set(who, '')
        this.#known.set(who, this.#knownBy(params))
        return
      case '353':
        return this.#named(fold(params[2] ?? ''), fourth)
      case 'MODE':
        return this.#ranked(fold(first), second, params.slice(2))
      case 'ACCOUNT':
        return this.#learn(who, { account: first === '*' ? null : first })
      case 'AWAY':
        return this.#learn(who, { isAway: params.length > 0 })
      case 'SETNAME':
        return this.#learn(who, { realname: first })
      case 'PART':
        return this.#left(first, who)
      case 'KICK':
        return this.#left(first, fold(second))
      case 'QUIT':
        for (const there of this.channels.values()) there.delete(who)
        return void this.#known.delete(who)
      case 'RENAME': {
        const there = this.channels.get(fold(first))
        this.channels.delete(fold(first))
        if (there !== undefined) this.channels.set(fold(second), there)
        if (this.unread.delete(fold(first))) this.unread.add(fold(second))
        return
      }
      case 'PRIVMSG':
      case 'NOTICE':
      case 'TAGMSG':
        return this.#overhear(first, source)
    }
  }

  /** Its account, away status and real name, if it was told of every change since. */
  expectKnown(nick: string, { account, away, realname }: Pick<User, 'account' | 'away' | 'realname'>): void {
    const so = { account, isAway: away !== undefined, realname }
    const known = this.#known.get(nick)
    assert.deepEqual({ ...so, ...known }, so, `what ${this.nick} was told of ${nick}`)
  }

  #knownBy([, account, realname]: readonly string[]): Known {
    const isTold = account !== undefined && realname !== undefined
    return {
      ...(isTold && this.caps.has('account-notify') ? { account: account === '*' ? null : account } : {}),
      ...(isTold && this.caps.has('setname') ? { realname } : {}),
      // The away status follows the JOIN.
      ...(this.caps.has('away-notify') ? { isAway: false } : {}),
    }
  }

  #learn(nick: string, news: Known): void {
    const known = this.#known.get(nick)
    if (known !== undefined) this.#known.set(nick, { ...known, ...news })
  }

  #named(channel: string, names: string): void {
    for (const [, prefixes = '', name = ''] of names.matchAll(/([~&@%+]*)(\S+)/g)) {
      const isAll = prefixes === '' || this.caps.has('multi-prefix')
      this.channels.get(channel)?.set(fold(splitUserhost(name).nick), isAll ? prefixes : undefined)
    }
  }

  #ranked(channel: string, letters: string, params: readonly string[]): void {
    const there = this.channels.get(channel)
    if (there === undefined) return
    for (const { sign, mode, param = '' } of parseChannelModes(letters, params)) {
      // It may no longer see everybody.
      if (mode === 'u' || (sign === '-' && fold(param) === fold(this.nick))) this.#known.clear()
      const had = there.get(fold(param))
      if (!isRank(mode) || had === undefined) continue
      const has = had.replace(PREFIX[mode], '') + (sign === '+' ? PREFIX[mode] : '')
      const ordered = RANKS.map((rank) => PREFIX[rank]).filter((prefix) => has.includes(prefix))
      there.set(fold(param), ordered.join(''))
    }
  }

  #came(channel: string): void {
    this.channels.set(channel, new Map())
    if (this.caps.has('no-implicit-names')) this.unread.add(channel)
    else this.unread.delete(channel)
  }

  #left(channel: string, who: string): void {
    if (who === fold(this.nick)) this.channels.delete(fold(channel))
    else this.channels.get(fold(channel))?.delete(who)
    // It is told nothing about those it no longer shares a channel with.
    const met = new Set([...this.channels.values()].flatMap((there) => [...there.keys()]))
    for (const nick of this.#known.keys()) if (!met.has(nick)) this.#known.delete(nick)
  }

  #acknowledge(names: string): void {
    for (const word of names.split(' ').filter((each) => each !== '')) {
      // From now on it is told less.
      if (word.startsWith('-')) this.#known.clear()
      if (word.startsWith('-')) this.caps.delete(word.slice(1))
      else this.caps.add(word)
    }
  }

  #bound(ref: string, isPast: boolean): void {
    const name = ref.slice(1)
    if (isPast) this.#past.add(name)
    if (ref.startsWith('+')) {
      assert.ok(!this.#open.has(name), `batch ${name} is open already`)
      this.#open.add(name)
    } else assert.ok(this.#open.delete(name), `batch ${name} was never opened`)
  }

  /** What is said in a channel is heard by those who are in it, and by whoever said it. */
  #overhear(target: string, source: string): void {
    const channel = fold(target.replace(/^[~&@%+]+(?=#)/, ''))
    if (!channel.startsWith('#')) {
      const isOurs = this.#isMe(source) || fold(target) === fold(this.nick) || source === this.#server
      return assert.ok(isOurs, 'it is for somebody else')
    }
    // NPC, SCENE and RELAYMSG speak for somebody, who may be outside and hears what was said.
    const isPuppet = source.endsWith('@npc.fakeuser.invalid') || splitUserhost(source).nick.includes('/')
    const isEcho = this.#isMe(source) || isPuppet
    assert.ok(this.channels.has(channel) || isEcho, 'it is for a channel that it is not in')
  }
}

function rename(map: Map<string, unknown>, was: string, name: string): void {
  if (!map.has(was)) return
  const value = map.get(was)
  map.delete(was)
  map.set(name, value)
}

/** The names in a session's set that its client was told of: `cap-notify` comes unsaid with 302. */
export function toldCaps(caps: number): CapName[] {
  return capNames(caps & ~CAPS['cap-notify'])
}
