// What takes effect while the server runs: settings of the chat, certificates, bots.
import type { Accounts } from './accounts/accounts.ts'
import type { Bots } from './bots/bots.ts'
import { changeSettings } from './chat/features/cap.ts'
import { endOldOpers } from './chat/features/oper.ts'
import { leaveAllAlone } from './chat/features/sessions.ts'
import type { Chat } from './chat/spine.ts'
import type { Config, ConfigRead } from './config.ts'
import { accountRules, chatSettings } from './settings.ts'
import type { Listener } from './wire/listener.ts'
import { formatProblem } from './yamlfile.ts'

export interface Reloaded {
  readonly warnings: readonly string[]
  /** False when the settings are wrong; then everything stays as it was. */
  readonly isApplied: boolean
}

export interface Reloadable {
  readonly version: string
  /** What the server was started with. */
  readonly config: Config
  readonly chat: Chat
  readonly accounts: Accounts
  readonly bots: Bots
  readonly doors: readonly Listener[]
}

export async function reload(read: ConfigRead, parts: Reloadable): Promise<Reloaded> {
  if (!read.ok) return { warnings: read.problems.map(formatProblem), isApplied: false }
  const { config, chat, accounts, bots, doors, version } = parts
  const warnings = [...read.warnings]
  let settings
  try {
    settings = chatSettings(read.config, version)
  } catch (error) {
    return { warnings: [(error as Error).message], isApplied: false }
  }
  accounts.rules = accountRules(read.config)
  // What goes with the cloaks changes with them.
  const { accountHosts, opers } = chat.settings
  changeSettings(chat, { ...settings, name: config.name, accountHosts })
  endOldOpers(chat, opers)
  leaveAllAlone(chat)
  for (const door of doors) {
    try {
      door.reload()
    } catch (error) {
      warnings.push(`${(error as Error).message}: the old certificate stays`)
    }
  }
  if (read.config.name !== config.name) warnings.push('the name changes with the next start of the server')
  if (read.config.server.casemapping !== config.server.casemapping)
    warnings.push('server.casemapping changes with the next start of the server')
  if (JSON.stringify(read.config.listeners) !== JSON.stringify(config.listeners)) {
    warnings.push('listeners change with the next start of the server')
  }
  if (JSON.stringify(atTheDoors(read.config)) !== JSON.stringify(atTheDoors(config))) {
    warnings.push(
      'trusted_proxies, websocket_origins, cloak and limits on connections change with the next start of the server',
    )
  }
  if (JSON.stringify(read.config.webhooks) !== JSON.stringify(config.webhooks)) {
    warnings.push('settings of webhooks change with the next start of the server')
  }
  if (read.config.dataDir !== config.dataDir)
    warnings.push('data_dir changes with the next start of the server')
  if (read.config.logLevel !== config.logLevel)
    warnings.push('logging.level changes with the next start of the server')
  if (read.config.limits.whowas_entries !== config.limits.whowas_entries)
    warnings.push('limits.whowas_entries changes with the next start of the server')
  if (JSON.stringify(retentionOf(read.config)) !== JSON.stringify(retentionOf(config))) {
    warnings.push('how much history is kept changes with the next start of the server')
  }
  if (JSON.stringify(read.config.handlers) !== JSON.stringify(config.handlers)) {
    warnings.push('settings of handlers change with the next start of the server')
  }
  return { warnings: [...warnings, ...(await bots.reload())], isApplied: true }
}

/** What is decided before somebody is let in. */
function atTheDoors({ server, limits }: Config): unknown {
  const { trusted_proxies: proxies, websocket_origins: origins, cloak } = server
  const { connections_per_address, connections_per_ten_minutes, place_bits_ipv4, place_bits_ipv6, exempt } =
    limits
  const counts = [connections_per_address, connections_per_ten_minutes, place_bits_ipv4, place_bits_ipv6]
  return [proxies, origins, cloak, counts, exempt]
}

function retentionOf({ history }: Config): unknown {
  return [history.channel_messages, history.direct_messages, history.days]
}
