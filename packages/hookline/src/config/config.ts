// Settings from the command line, the environment and server.yaml, validated before anything uses them.
import { isUtf8 } from 'node:buffer'
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import type { Home } from '../home/home.ts'
import { valueRoom } from '../irc/metadata.ts'
import { hostAndPort } from '../net/listening.ts'
import { host, name, port } from './fields.ts'
import { type ServerFile, serverSchema } from './schema.ts'
import { type Problem, readYaml } from '../yaml/yamlfile.ts'
import { isCode, messageOf } from '../failure/thrown.ts'

type ListenerEntry = ServerFile['listeners'][number]
type KeyFiles = { readonly cert: string; readonly key: string }
export type ListenerConfig = {
  readonly host: string
  readonly port: number
  /** The first is for clients that ask for none of the other names. */
  readonly tls: readonly [KeyFiles, ...KeyFiles[]] | undefined
  readonly isWebSocket: boolean
  readonly isForProxies: boolean
}

/** All settings, resolved. */
export interface Config extends Readonly<Omit<ServerFile, 'listeners' | 'logging' | 'data_dir'>> {
  readonly name: string
  readonly listeners: readonly ListenerConfig[]
  /** Undefined for the default, in the home folder. */
  readonly dataDir: string | undefined
  readonly logLevel: ServerFile['logging']['level']
}

export type ConfigFlags = Readonly<z.output<typeof flagSchema>>

export interface ConfigSources {
  readonly home: Home
  /** `--config`; without it server.yaml in the home folder, if there is one. */
  readonly file?: string | undefined
  readonly flags: ConfigFlags
  readonly env: Readonly<Record<string, string | undefined>>
}

export type ConfigRead =
  | {
      readonly ok: true
      readonly config: Config
      readonly warnings: readonly string[]
      /** A problem with what server.yaml has at this path, or would have. */
      readonly problemAt: (path: readonly PropertyKey[], message: string) => Problem
    }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Precedence: flag, environment, file, default. */
export function loadConfig({ home, file, flags, env }: ConfigSources): ConfigRead {
  const path = file === undefined ? home.config : resolve(file)
  const found = readText(path, { isOptional: file === undefined })
  if ('refused' in found) {
    return { ok: false, problems: [{ file: path, line: 1, column: 1, path: '', message: found.refused }] }
  }
  const { text } = found
  const read = readYaml(isEmpty(text) ? '{}' : text, path, serverSchema())
  if (!read.ok) return read

  const typed = Object.entries(flags).filter(([, value]) => value !== undefined)
  const checked = flagSchema.safeParse({ ...readEnvironment(env), ...Object.fromEntries(typed) })
  if (!checked.success) {
    return { ok: false, problems: checked.error.issues.map((issue) => badFlag(issue, flags)) }
  }
  const config = combine(read.value, checked.data, path)
  const twice = takenTwice(config)
  if (twice) return { ok: false, problems: [twice] }
  return {
    ok: true,
    config,
    problemAt: read.problemAt,
    warnings: warningsOf(config).map((warning) => `${path}: ${warning}`),
  }
}

function combine(file: ServerFile, over: ConfigFlags, path: string): Config {
  const { server, listeners, webhooks, logging, data_dir: dataDir, ...rest } = file
  // Relative paths in it start at its own folder, wherever the server is started.
  const beside = (named: string) => resolve(dirname(path), named)
  return {
    ...rest,
    server: server.motd_file ? { ...server, motd_file: beside(server.motd_file) } : server,
    name: over.name ?? server.name ?? 'local',
    listeners: listeners
      .map((entry, index) =>
        index > 0 ? entry : { ...entry, host: over.host ?? entry.host, port: over.port ?? entry.port },
      )
      .map((entry) => decided(entry, beside)),
    webhooks: {
      ...webhooks,
      host: over.webhookHost ?? webhooks.host,
      port: over.webhookPort ?? webhooks.port,
    },
    dataDir: dataDir ? resolve(dataDir) : undefined,
    logLevel: logging.level,
  }
}

/** A file with nothing but comments counts as empty. */
function isEmpty(text: string): boolean {
  return text.replaceAll(/#.*/g, '').trim() === ''
}

const flagSchema = z.object({
  name: name.optional(),
  host: host.optional(),
  port: port.optional(),
  webhookHost: host.optional(),
  webhookPort: port.optional(),
})

const VARIABLES = {
  name: 'HOOKLINE_NAME',
  host: 'HOOKLINE_HOST',
  port: 'HOOKLINE_PORT',
  webhookHost: 'HOOKLINE_WEBHOOK_HOST',
  webhookPort: 'HOOKLINE_WEBHOOK_PORT',
} as const satisfies Record<keyof ConfigFlags, string>

/** Reported for the flag if it was given, else for the variable. */
function badFlag({ path, message }: z.core.$ZodIssue, flags: ConfigFlags): Problem {
  const setting = path[0] as keyof ConfigFlags
  const variable = VARIABLES[setting]
  const flag = `--${variable.slice('HOOKLINE_'.length).toLowerCase().replace('_', '-')}`
  return { file: flags[setting] === undefined ? variable : flag, line: 0, column: 0, path: '', message }
}

/** An empty variable counts as absent. */
function readEnvironment(env: ConfigSources['env']): Record<string, unknown> {
  const text = (setting: keyof ConfigFlags) => env[VARIABLES[setting]] || undefined
  const number = (setting: keyof ConfigFlags) => {
    const digits = text(setting)
    return digits !== undefined && /^\d+$/.test(digits) ? Number(digits) : digits
  }
  return {
    name: text('name'),
    host: text('host'),
    port: number('port'),
    webhookHost: text('webhookHost'),
    webhookPort: number('webhookPort'),
  }
}

function decided(
  { host: address, port: number, tls, websocket, proxy_protocol }: ListenerEntry,
  beside: (named: string) => string,
): ListenerConfig {
  const files = ({ cert, key }: KeyFiles) => ({ cert: beside(cert), key: beside(key) })
  return {
    host: address,
    port: number,
    tls: tls && [files(tls), ...tls.more.map(files)],
    isWebSocket: websocket,
    isForProxies: proxy_protocol === 'required',
  }
}

/** Settings that cannot take effect. */
function warningsOf(config: Config): string[] {
  return [...tooLong(config), ...unreachable(config), ...withoutTls(config)]
}

function tooLong(config: Config): string[] {
  const { max_value_bytes: wanted } = config.metadata
  const room = metadataRoom(config)
  if (wanted == null || wanted <= room) return []
  return [
    `metadata.max_value_bytes is ${wanted}, but only ${room} fit in a line with the longest names: ${room} is used`,
  ]
}

/** Bytes that a value of metadata may have, whatever `metadata.max_value_bytes` says. */
export function metadataRoom({ name: server, limits }: Pick<Config, 'name' | 'limits'>): number {
  return valueRoom({ server, nickLength: limits.nick_length, channelLength: limits.channel_length })
}

function unreachable({ listeners, server }: Config): string[] {
  if (server.trusted_proxies.length > 0) return []
  return listeners
    .filter(({ isForProxies }) => isForProxies)
    .map(
      (door) =>
        `nobody can connect on ${hostAndPort(door.host, door.port)}: it is for proxies, but server.trusted_proxies names none`,
    )
}

function withoutTls({ listeners, server }: Config): string[] {
  if (server.sts === undefined || listeners.some(({ tls, isForProxies }) => tls || isForProxies)) return []
  return [
    `server.sts sends clients to port ${server.sts.port} with TLS, but no listener has tls or is for proxies: give one tls, or remove server.sts`,
  ]
}

/** For the second one, the system would blame another program. */
function takenTwice({ listeners, webhooks }: Config): Problem | undefined {
  const doors = [...listeners, ...(webhooks.enabled ? [webhooks] : [])].filter((door) => door.port !== 0)
  const again = doors.find((door, index) =>
    doors
      .slice(0, index)
      .some(({ host: other, port: taken }) => taken === door.port && overlap(other, door.host)),
  )
  const message = 'is used twice among listeners and webhooks: choose another port for one of them'
  return again && { file: hostAndPort(again.host, again.port), line: 0, column: 0, path: '', message }
}

/** `0.0.0.0` stands for every IPv4 address, and `::` for those and every other. */
function overlap(one: string, other: string): boolean {
  const hosts = [one, other]
  return one === other || hosts.includes('::') || (hosts.includes('0.0.0.0') && hosts.every(isIPv4))
}

function readText(
  path: string,
  { isOptional }: { isOptional: boolean },
): { readonly text: string } | { readonly refused: string } {
  try {
    // Such as bash makes of --config <(…).
    if (statSync(path).isFIFO())
      return { refused: 'is a pipe, which a reload could not read again: name a file' }
    const bytes = readFileSync(path)
    return isUtf8(bytes) ? { text: bytes.toString() } : { refused: 'is not UTF-8: save it as UTF-8' }
  } catch (error) {
    if (!isCode(error, 'ENOENT')) return { refused: `cannot be read: ${messageOf(error)}` }
    // Without them the server would start, open to other people than its settings say.
    if (lstatSync(path, { throwIfNoEntry: false }))
      return { refused: 'is a link to a file that does not exist' }
    return isOptional
      ? { text: '' }
      : { refused: 'there is no such file: name another, or make an empty one for the defaults' }
  }
}
