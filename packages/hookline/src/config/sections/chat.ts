// What server.yaml says of channels, history and the optional features of the chat.
import { z } from 'zod'
import { isFlag } from '../../irc/modes.ts'
import { count, modes, whole } from '../fields.ts'

export const channels = () =>
  z
    .strictObject({
      default_modes: modes(isFlag).default('+nt').describe('modes of a new channel'),
      registration: z
        .boolean()
        .default(true)
        .describe('operators of a channel may register it (ChanServ); else only server operators'),
      max_per_account: count(15, 10_000).describe('channels that one account may own'),
    })
    .prefault({})

export const history = () =>
  z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('false: what people say is not kept, and cannot be read again'),
      channel_messages: kept(100_000).describe(
        'kept per channel; beyond it the oldest are deleted; null keeps all',
      ),
      direct_messages: kept(10_000).describe('kept per conversation between two people'),
      days: z.int().min(1).max(36_500).nullish().describe('older ones are deleted, too; never when absent'),
      query_limit: count(100, 1_000).describe('CHATHISTORY: messages per answer'),
      playback_limit: count(100, 1_000).describe('*playback: messages per conversation'),
      autoreplay_lines: whole(0, 1_000, 0).describe(
        'last messages shown at JOIN to clients that cannot ask for them',
      ),
      tagmsg_whitelist: z
        .array(z.string().regex(/^\+[^\s;=]+$/, 'must be the name of a client tag, such as +draft/react'))
        .default(['+draft/react', '+draft/unreact'])
        .describe('a message without text is kept if it has one of these tags'),
      allow_redaction: z.boolean().default(true).describe('people may retract messages (REDACT)'),
    })
    .prefault({})

export const metadata = () =>
  z
    .strictObject({
      enabled: z.boolean().default(true).describe('METADATA: key-value data of users and channels'),
      before_connect: z.boolean().default(true).describe('clients may use it before they register'),
      max_keys: count(100, 1_000).describe('per user or channel'),
      max_subs: count(100, 1_000).describe('keys that one connection may subscribe to'),
      max_value_bytes: z
        .int()
        .min(1)
        .max(480)
        .nullish()
        .describe('per value; when absent, as many as fit in a line with the longest names'),
      changes_per_minute: count(20, 10_000).describe('per connection; more are refused for a while'),
    })
    .prefault({})

export const relaymsg = () =>
  z
    .strictObject({
      enabled: z.boolean().default(true),
      separators: z
        .string()
        .regex(/^[/.;=<>()]{1,8}$/, 'must be characters that no nick has, such as "/"')
        .default('/')
        .describe('a relayed nick contains one of these'),
      allow_chanops: z
        .boolean()
        .default(true)
        .describe('operators of a channel may relay to it; server operators with relaymsg may to any'),
    })
    .prefault({})
    .describe('RELAYMSG: bridges that relay users of other chats')

export const roleplay = () =>
  z
    .strictObject({ enabled: z.boolean().default(false) })
    .prefault({})
    .describe('NPC, NPCA and SCENE, in channels with mode E')

const kept = (fallback: number) => z.int().min(1).max(1_000_000).nullable().default(fallback)
