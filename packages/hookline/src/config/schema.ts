// The schema of server.yaml, with its defaults.
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { DEFAULT_COST, isPasswordHash } from '../accounts/passwords.ts'
import { MECHANISMS } from '../accounts/sasl.ts'
import { rate } from '../bots/duration.ts'
import { PRIVILEGES } from '../chat/rules/oper.ts'
import { isFlag, isUserMode } from '../irc/modes.ts'
import { LONGEST_CHANNEL } from '../irc/names.ts'
import { isNetwork } from '../networks.ts'

const ADDRESS = 'must be an address, such as 127.0.0.1'
export const host = z.string().min(1, ADDRESS).describe('address to listen on; 127.0.0.1: this machine only')
const PORT_NUMBER = 'must be a whole number from 0 to 65535'
export const port = z
  .int(PORT_NUMBER)
  .min(0, PORT_NUMBER)
  .max(65_535, PORT_NUMBER)
  .describe('0 means any free port')
export const name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/,
    'must be letters, digits, dots, hyphens and underscores, at most 63, and begin with a letter or a digit',
  )
const passwordHash = z
  .string()
  .refine(
    isPasswordHash,
    'must be a PHC string that begins with $scrypt$ or $argon2id$, whole and of at most 1 GiB',
  )
/** For text shown in the chat, where a newline ends a line. In YAML, text after `|` ends with one. */
const oneLine = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => !/[\r\n\0]/.test(text), 'must be one line: write it after the colon, in quotes')
const modes = (isMode: (letter: string) => boolean) =>
  z
    .string()
    .refine(
      (text) => text.replace('+', '').split('').every(isMode),
      'has a letter that is not one of these modes',
    )
const keyFiles = {
  cert: z
    .string()
    .min(1)
    .describe('PEM file, with the intermediate certificates after it; relative to the folder of server.yaml'),
  key: z.string().min(1).describe('PEM file'),
}
const network = z.string().refine(isNetwork, 'must be an address or a network, such as 10.0.0.0/8')
const hostName = z
  .string()
  .regex(
    /^[^\s/:*?@]+$/,
    'must be a host name alone, such as hooks.example.org: no https:// before it, no port after it',
  )
const prefixes = (bits: number) =>
  z
    .array(z.int().min(1).max(bits))
    .min(1)
    .max(4)
    .refine(
      (all) => all.every((each, i) => i === 0 || each < (all[i - 1] ?? 0)),
      'must go from the longest to the shortest',
    )
const length = (fallback: number, max: number) => z.int().min(1).max(max).default(fallback)
const kept = (fallback: number) => z.int().min(1).max(1_000_000).nullable().default(fallback)
const milliseconds = (fallback: number) => z.int().min(1_000).max(86_400_000).default(fallback)

/** Built on request: a server reads its file once, and should not keep a megabyte for that. */
export const serverSchema = () =>
  z.strictObject({
    server: z
      .strictObject({
        name: name.optional().describe("the server's name; its bots' names begin with it. Default: local"),
        network: oneLine(64).min(1).optional().describe('NETWORK in 005 and the welcome; default: the name'),
        icon: z
          .url('must be the URL of a picture, such as https://example.org/icon.svg')
          .max(200)
          .nullish()
          .describe('URL of a picture, https if possible: draft/ICON in 005'),
        description: oneLine(200).default('Hookline chat server').describe('shown by WHOIS, LINKS and ADMIN'),
        admin_location: oneLine(200).default('not told').describe('second line of ADMIN'),
        admin_email: oneLine(200).default('not told').describe('third line of ADMIN'),
        password_hash: passwordHash
          .nullish()
          .describe('connection password (PASS): hash from hookline server hash-password; none when absent'),
        motd_file: z
          .string()
          .nullish()
          .describe('text file shown to everybody who connects; relative to the folder of server.yaml'),
        casemapping: z
          .enum(['ascii', 'precis'])
          .default('ascii')
          .describe('precis: nicks in any script, and no look-alikes; choose it before the first start'),
        default_user_modes: modes((letter) => isUserMode(letter) && letter !== 'o')
          .default('')
          .describe('modes of every new user, such as "+i"'),
        trusted_proxies: z
          .array(network)
          .default([])
          .describe(
            'proxies trusted to state the client address: PROXY header (version 1 or 2) on listeners without tls, X-Forwarded-For on those with websocket',
          ),
        cloak: z
          .strictObject({
            enabled: z.boolean().default(false).describe('others see a keyed hash in place of an address'),
            suffix: z
              .string()
              .regex(
                /^[A-Za-z0-9]([A-Za-z0-9.-]{0,18}[A-Za-z0-9])?$/,
                'must be letters, digits, dots and hyphens, at most 20',
              )
              .default('cloak')
              .describe('what every cloak ends with'),
            ipv4: prefixes(32)
              .default([32, 24, 16])
              .describe(
                'prefix length that each part of an IPv4 cloak stands for, the smallest network first',
              ),
            ipv6: prefixes(128).default([64, 48, 32]).describe('the same for IPv6'),
            accounts: z
              .boolean()
              .default(false)
              .describe('users logged in when they connect are seen as <account>.account.<suffix>'),
          })
          .prefault({}),
        webirc: z
          .array(
            z.strictObject({
              password_hash: passwordHash.describe('hash from hookline server hash-password'),
              hosts: z.array(network).min(1).describe('addresses and networks it connects from'),
            }),
          )
          .default([])
          .describe('web gateways trusted to state the client address (WEBIRC)'),
        sts: z
          .strictObject({
            port: z.int().min(1).max(65_535).describe('port of the listener with tls'),
            duration_days: z
              .int()
              .min(0)
              .max(3_650)
              .default(0)
              .describe('how long clients remember it after disconnecting; 0 makes them forget'),
            preload: z.boolean().default(false).describe('STS preload lists may include this server'),
            hosts: z
              .array(hostName)
              .default([])
              .describe('server names it applies to; when empty, every name that a client asks for'),
          })
          .optional()
          .describe(
            'strict transport security: clients that support it reconnect over TLS only; off when absent',
          ),
        websocket_origins: z
          .array(
            z
              .string()
              .regex(
                /^(https?:\/\/[^/\s]+|\*)$/,
                'must look like https://chat.example.org, without a path; * allows every page',
              ),
          )
          .default([])
          .describe(
            'origins that may connect to listeners with websocket, besides localhost; * stands for any part',
          ),
      })
      .prefault({}),
    listeners: z
      .array(
        z
          .strictObject({
            host: host.default('127.0.0.1'),
            port,
            tls: z
              .strictObject({
                ...keyFiles,
                more: z
                  .array(z.strictObject(keyFiles))
                  .default([])
                  .describe('certificates for other names of this server, chosen by the name in SNI'),
              })
              .optional()
              .describe('plain text when absent; the files are reloaded when they change'),
            websocket: z.boolean().default(false).describe('WebSocket clients only, such as web pages'),
            proxy_protocol: z
              .enum(['off', 'required'])
              .default('off')
              .describe('required: only trusted_proxies may connect, each with a PROXY header first'),
          })
          .refine(
            ({ tls, proxy_protocol: proxy }) => tls === undefined || proxy === 'off',
            'proxy_protocol goes with a listener without tls: the proxy ends TLS',
          ),
      )
      .min(1)
      .default([{ host: '127.0.0.1', port: 6667, websocket: false, proxy_protocol: 'off' }])
      .describe('where IRC clients connect'),
    data_dir: z
      .string()
      .refine(isAbsolute, 'must be a whole path, such as /var/lib/hookline')
      .nullish()
      .describe('database folder, an absolute path; default: data in the home folder'),
    logging: z
      .strictObject({
        level: z.enum(['error', 'warn', 'info', 'debug']).default('info').describe('to stderr'),
      })
      .prefault({}),
    limits: z
      .strictObject({
        nick_length: length(32, 64).describe('NICKLEN'),
        channel_length: length(64, LONGEST_CHANNEL).describe('CHANNELLEN'),
        topic_length: length(390, 390).describe('TOPICLEN'),
        kick_length: length(390, 390).describe('KICKLEN'),
        away_length: length(200, 390).describe('AWAYLEN'),
        realname_length: length(150, 200).describe('NAMELEN'),
        username_length: length(18, 32).describe('USERLEN'),
        channel_list_modes: length(60, 1_000).describe('entries of a channel in +b, +e and +I together'),
        channels_per_user: length(100, 10_000).describe('CHANLIMIT'),
        monitor_targets: length(100, 10_000).describe('MONITOR: nicks that one connection may follow'),
        whowas_entries: length(100, 100_000).describe('departed nicks that WHOWAS knows; read at start'),
        multiline_bytes: length(4_096, 65_536).describe('draft/multiline max-bytes'),
        multiline_lines: length(32, 256).describe('draft/multiline max-lines'),
        flood_protection: z
          .boolean()
          .default(true)
          .describe('false lifts the limit on how fast clients may send'),
        flood_burst: length(20, 1_000).describe('lines that a client may send at once'),
        flood_lines_per_second: length(4, 1_000).describe('lines per second after that; the rest waits'),
        connections_per_address: length(16, 100_000).describe(
          'at once from one place; more are refused. Loopback is exempt',
        ),
        connections_per_ten_minutes: length(64, 1_000_000).describe(
          'new ones from one place; more are refused. Loopback is exempt',
        ),
        place_bits_ipv4: length(32, 32).describe('IPv4 prefix length of a place: 24 counts networks'),
        place_bits_ipv6: length(64, 128).describe('the same for IPv6, where a line usually has a /64'),
        exempt: z.array(network).default([]).describe('addresses and networks without connection limits'),
        registration_ms: milliseconds(30_000).describe('time to send NICK and USER'),
        ping_after_ms: milliseconds(90_000).describe('silence before a client is sent a PING'),
        ping_timeout_ms: milliseconds(60_000).describe('silence after that before it is disconnected'),
        send_queue_bytes: z
          .int()
          .min(65_536)
          .max(1 << 30)
          .default(4 << 20)
          .describe('unread output of one client before it is disconnected'),
      })
      .prefault({}),
    opers: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(64).describe('as given to OPER'),
          password_hash: passwordHash.describe('hash from hookline server hash-password'),
          title: oneLine(100).default('is a server operator').describe('shown by WHOIS'),
          privileges: z
            .array(z.enum(PRIVILEGES))
            .default(['all'])
            .describe('what it may do: docs/network.md'),
        }),
      )
      .superRefine((opers, context) => {
        const names = opers.map(({ name }) => name)
        const again = names.findIndex((name, index) => names.indexOf(name) !== index)
        if (again === -1) return
        const message = 'is used twice, and OPER would find only the first: choose another name'
        context.addIssue({ code: 'custom', path: [again, 'name'], message })
      })
      .default([])
      .describe('server operators (OPER)'),
    channels: z
      .strictObject({
        default_modes: modes(isFlag).default('+nt').describe('modes of a new channel'),
        registration: z
          .boolean()
          .default(true)
          .describe('operators of a channel may register it (ChanServ); else only server operators'),
        max_per_account: z.int().min(1).max(10_000).default(15).describe('channels that one account may own'),
      })
      .prefault({}),
    webhooks: z
      .strictObject({
        enabled: z.boolean().default(true),
        host: host.default('127.0.0.1'),
        port: port.default(7680),
        max_body_bytes: z
          .int()
          .min(1_024)
          .max(25 << 20)
          .default(1 << 20)
          .describe('larger bodies answer 413'),
        max_lines: z.int().min(1).max(100).default(10).describe('lines of one delivery that are shown'),
        answer_within_ms: z
          .int()
          .min(100)
          .max(600_000)
          .default(5_000)
          .describe(
            'a sender that waits this long for a handler gets 202; GitHub hangs up after 10 s, Slack after 3',
          ),
        rate: rate
          .nullish()
          .describe('deliveries that each bot accepts, unless its trigger.rate says otherwise: 600/1m'),
        keep_days: z
          .int()
          .min(1)
          .max(366)
          .default(7)
          .describe('how long deliveries are kept, and duplicates recognised'),
        keep_megabytes: z
          .int()
          .min(1)
          .max(1 << 20)
          .default(1_024)
          .describe('for all bodies as stored on disk; beyond it the oldest are deleted'),
        allowed_hosts: z
          .array(hostName)
          .default([])
          .describe('names accepted in Host:, besides our addresses'),
      })
      .prefault({}),
    handlers: z
      .strictObject({
        timeout_ms: z.int().min(100).max(600_000).default(10_000).describe('per call of a handler'),
        max_warm: z
          .int()
          .min(1)
          .max(10_000)
          .default(32)
          .describe(
            'handler processes kept for the next call, of all bots; beyond it the least recently used is stopped, and its next call starts it again with its bot.state',
          ),
        isolation: z
          .enum(['auto', 'none'])
          .default('auto')
          .describe(
            'auto: each handler in its own Linux namespaces where the system allows it, else a warning',
          ),
      })
      .prefault({}),
    accounts: z
      .strictObject({
        sasl_mechanisms: z
          .array(z.enum(MECHANISMS))
          .default([...MECHANISMS])
          .describe('SASL mechanisms offered; if empty, no sasl capability. EXTERNAL needs a certificate'),
        password_cost: z
          .int()
          .min(4)
          .max(20)
          .default(DEFAULT_COST)
          .describe('memory of a password hash: 2 to this power KiB; less than 14 is for tests'),
        nick_protection: z
          .boolean()
          .default(true)
          .describe("an account's nick is only for whoever is logged in to it"),
        required: z.boolean().default(false).describe('nobody may connect without an account'),
        failures_per_minute: length(5, 1_000).describe('failed logins, for one account from one address'),
        failures_per_address: length(30, 100_000).describe('for all accounts together; loopback is exempt'),
        registration: z
          .strictObject({
            enabled: z.boolean().default(true).describe('anybody may create an account (REGISTER, NickServ)'),
            before_connect: z.boolean().default(false).describe('also before the connection is registered'),
            email_required: z
              .boolean()
              .default(false)
              .describe('only with an email address; nothing is sent to it'),
            other_names: z.boolean().default(false).describe('the account name may differ from the nick'),
            password_length: length(3, 300).describe('minimum length of a password'),
            per_hour: length(10, 100_000).describe('new accounts from one address; loopback is exempt'),
          })
          .prefault({}),
        multiclient: z
          .boolean()
          .default(true)
          .describe(
            'connections logged in to one account may share one user, unless its owner says otherwise',
          ),
        always_on: z
          .enum(['disabled', 'opt_in', 'opt_out', 'mandatory'])
          .default('opt_in')
          .describe('whether users stay in their channels while disconnected'),
      })
      .prefault({}),
    history: z
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
        query_limit: length(100, 1_000).describe('CHATHISTORY: messages per answer'),
        playback_limit: length(100, 1_000).describe('*playback: messages per conversation'),
        autoreplay_lines: z
          .int()
          .min(0)
          .max(1_000)
          .default(0)
          .describe('last messages shown at JOIN to clients that cannot ask for them'),
        tagmsg_whitelist: z
          .array(z.string().regex(/^\+[^\s;=]+$/, 'must be the name of a client tag, such as +draft/react'))
          .default(['+draft/react', '+draft/unreact'])
          .describe('a message without text is kept if it has one of these tags'),
        allow_redaction: z.boolean().default(true).describe('people may retract messages (REDACT)'),
      })
      .prefault({}),
    metadata: z
      .strictObject({
        enabled: z.boolean().default(true).describe('METADATA: key-value data of users and channels'),
        before_connect: z.boolean().default(true).describe('clients may use it before they register'),
        max_keys: z.int().min(1).max(1_000).default(100).describe('per user or channel'),
        max_subs: z
          .int()
          .min(1)
          .max(1_000)
          .default(100)
          .describe('keys that one connection may subscribe to'),
        max_value_bytes: z
          .int()
          .min(1)
          .max(480)
          .nullish()
          .describe('per value; when absent, as many as fit in a line with the longest names'),
        changes_per_minute: z
          .int()
          .min(1)
          .max(10_000)
          .default(20)
          .describe('per connection; more are refused for a while'),
      })
      .prefault({}),
    relaymsg: z
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
      .describe('RELAYMSG: bridges that relay users of other chats'),
    roleplay: z
      .strictObject({ enabled: z.boolean().default(false) })
      .prefault({})
      .describe('NPC, NPCA and SCENE, in channels with mode E'),
  })

export type ServerFile = z.output<ReturnType<typeof serverSchema>>
