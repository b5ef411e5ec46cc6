// Applies changed settings while the server runs: chat, certificates, bots.
import { changeSettings } from '../chat/features/cap.ts'
import { endOldOpers } from '../chat/features/oper.ts'
import { quitAllStranded } from '../chat/features/sessions.ts'
import type { Config, ConfigRead } from '../config/config.ts'
import { accountRules, chatSettings } from '../config/settings.ts'
import { lookAhead } from '../commands/server/nextstart.ts'
import type { SavedState } from '../keeping/savedstate.ts'
import type { IrcListener } from '../wire/listener.ts'
import { formatProblem } from '../yaml/yamlfile.ts'
import { codeOf, messageOf } from '../failure/thrown.ts'
import { expiryWarnings } from './renewal.ts'
import type { Base, Reloaded, Rooms } from './rooms.ts'

interface Reloadable
  extends Pick<Rooms, 'chat' | 'accounts' | 'bots'>, Pick<Base, 'home' | 'version' | 'clock'> {
  /** The configuration at start. */
  readonly config: Config
  readonly savedState: SavedState
  readonly ircListeners: readonly IrcListener[]
  /** What it listens on. */
  readonly ours: readonly string[]
}

/** `config`: what was read, if it was applied. */
export async function reload(
  read: ConfigRead,
  parts: Reloadable,
): Promise<Reloaded & { readonly config?: Config }> {
  if (!read.ok) return { warnings: read.problems.map(formatProblem), isApplied: false }
  const { config, chat, savedState, accounts, bots, ircListeners, version, clock, home, ours } = parts
  const openFolder = config.dataDir ?? home.data
  const fatal = (await lookAhead(read, { home, ours, openFolder })).filter(({ stops }) => stops)
  if (fatal.length > 0) return { warnings: fatal.map(({ what }) => what), isApplied: false }
  const warnings = [...read.warnings]
  const settings = chatSettings({ ...read.config, name: config.name }, version)
  accounts.rules = accountRules(read.config)
  // It depends on the cloak settings, which change only at the next start.
  const { accountHosts, opers } = chat.settings
  changeSettings(chat, { ...settings, accountHosts })
  endOldOpers(chat, opers)
  quitAllStranded(chat)
  savedState.noteUsers()
  for (const listener of ircListeners) {
    try {
      listener.reload()
    } catch (error) {
      warnings.push(`${messageOf(error)}: the old certificate stays in use`)
    }
    warnings.push(...expiryWarnings(listener, clock.now()))
  }
  warnings.push(...leftForNextStart(config, read.config))
  warnings.push(...(await bots.reload().catch(unread)))
  // Listeners may share a certificate.
  return { warnings: [...new Set(warnings)], isApplied: true, config: read.config }
}

/** The folder of the bots cannot be read. */
function unread(error: unknown): string[] {
  if (codeOf(error) === undefined) throw error
  return [`the bots stay as they are: ${messageOf(error)}`]
}

/** Settings that are read only at start, each with the name that a warning gives it. */
const READ_AT_START: readonly (readonly [named: string, of: (config: Config) => unknown])[] = [
  ['server.name', ({ name }) => name],
  ['server.casemapping', ({ server }) => server.casemapping],
  ['listeners', ({ listeners }) => listeners],
  ['trusted_proxies, websocket_origins, cloak and limits on connections', connectionSettings],
  ['webhooks', ({ webhooks }) => webhooks],
  ['data_dir', ({ dataDir }) => dataDir],
  ['logging.level', ({ logLevel }) => logLevel],
  ['limits.whowas_entries', ({ limits }) => limits.whowas_entries],
  ['how much history is kept', retentionOf],
  ['handlers', ({ handlers }) => handlers],
]

function leftForNextStart(started: Config, read: Config): string[] {
  return READ_AT_START.filter(([, of]) => JSON.stringify(of(read)) !== JSON.stringify(of(started))).map(
    ([named]) => `${named}: the change takes effect at the next start of the server`,
  )
}

/** Settings that apply before a connection is accepted. */
function connectionSettings({ server, limits }: Config): unknown {
  const { trusted_proxies: proxies, websocket_origins: origins, cloak } = server
  const { connections_per_address, connections_per_ten_minutes, place_bits_ipv4, place_bits_ipv6, exempt } =
    limits
  const counts = [connections_per_address, connections_per_ten_minutes, place_bits_ipv4, place_bits_ipv6]
  return [proxies, origins, cloak, counts, exempt]
}

function retentionOf({ history }: Config): unknown {
  return [history.channel_messages, history.direct_messages, history.days]
}
