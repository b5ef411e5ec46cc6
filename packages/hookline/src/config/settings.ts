// Converts the configuration into what the chat, the accounts and the handlers of bots are given.
import { readFileSync } from 'node:fs'
import { type AccountRules, SHORTEST_PASSWORD } from '../accounts/validity.ts'
import type { HandlerLimits } from '../handlers/limits.ts'
import type { ChatSettings } from '../chat/settings.ts'
import { type Config, metadataRoom } from './config.ts'
import { networkBits } from '../irc/address.ts'
import { isFlag, isUserMode } from '../irc/modes.ts'
import { StartFailure } from '../failure/startfailure.ts'
import { messageOf } from '../failure/thrown.ts'

/** Throws if `server.motd_file` cannot be read. */
export function chatSettings(
  { name, server, limits, opers, channels, accounts, metadata, relaymsg, roleplay, history }: Config,
  version: string,
): ChatSettings {
  const room = metadataRoom({ name, limits })
  return {
    name,
    network: server.network ?? name,
    icon: server.icon ?? undefined,
    version,
    description: server.description,
    motd: server.motd_file ? readMotd(server.motd_file) : undefined,
    admin: { location: server.admin_location, email: server.admin_email },
    passwordHash: server.password_hash ?? undefined,
    opers: opers.map(({ name: oper, password_hash: passwordHash, title, privileges }) => ({
      name: oper,
      passwordHash,
      title,
      privileges,
    })),
    userModes: letters(server.default_user_modes).filter(isUserMode),
    channelFlags: letters(channels.default_modes).filter(isFlag),
    registration: { isOpen: channels.registration, channelsPerAccount: channels.max_per_account },
    metadata: metadata.enabled
      ? {
          beforeConnect: metadata.before_connect,
          maxKeys: metadata.max_keys,
          maxSubs: metadata.max_subs,
          maxValueBytes: Math.min(metadata.max_value_bytes ?? room, room),
          changesPerMinute: metadata.changes_per_minute,
        }
      : undefined,
    presence: { multiclient: accounts.multiclient, alwaysOn: accounts.always_on },
    relay: relaymsg.enabled
      ? { separators: relaymsg.separators, isForOperators: relaymsg.allow_chanops }
      : undefined,
    hasRoleplay: roleplay.enabled,
    accountHosts:
      server.cloak.enabled && server.cloak.accounts ? `account.${server.cloak.suffix}` : undefined,
    gateways: server.webirc.map(({ password_hash: passwordHash, hosts }) => ({
      passwordHash,
      networks: hosts.flatMap((host) => networkBits(host) ?? []),
    })),
    sts: server.sts && {
      port: server.sts.port,
      durationSeconds: server.sts.duration_days * 86_400,
      isPreloadable: server.sts.preload,
      hosts: server.sts.hosts.map((host) => host.toLowerCase()),
    },
    accounts: {
      mechanisms: accounts.sasl_mechanisms,
      protectsNicks: accounts.nick_protection,
      isRequired: accounts.required,
      registration: {
        isEnabled: accounts.registration.enabled,
        isBeforeConnect: accounts.registration.before_connect,
        needsEmail: accounts.registration.email_required,
        allowsOtherNames: accounts.registration.other_names,
      },
    },
    limits: {
      nickLength: limits.nick_length,
      channelLength: limits.channel_length,
      topicLength: limits.topic_length,
      kickLength: limits.kick_length,
      awayLength: limits.away_length,
      realnameLength: limits.realname_length,
      usernameLength: limits.username_length,
      channelListModes: limits.channel_list_modes,
      channelsPerUser: limits.channels_per_user,
      monitorTargets: limits.monitor_targets,
      whowasEntries: limits.whowas_entries,
      multilineBytes: limits.multiline_bytes,
      multilineLines: limits.multiline_lines,
      flood: limits.flood_protection
        ? { burst: limits.flood_burst, perSecond: limits.flood_lines_per_second }
        : undefined,
      registrationMs: limits.registration_ms,
      pingAfterMs: limits.ping_after_ms,
      pingTimeoutMs: limits.ping_timeout_ms,
      sendQueueBytes: limits.send_queue_bytes,
    },
    history: {
      isKept: history.enabled,
      queryLimit: history.query_limit,
      playbackLimit: history.playback_limit,
      autoreplayLines: history.autoreplay_lines,
      keptTags: history.tagmsg_whitelist,
      mayBeRedacted: history.allow_redaction,
    },
  }
}

export function accountRules({ accounts, limits }: Config): AccountRules {
  return {
    place: { ipv4Bits: limits.place_bits_ipv4, ipv6Bits: limits.place_bits_ipv6 },
    cost: accounts.password_cost,
    keepsScram: accounts.sasl_mechanisms.includes('SCRAM-SHA-256'),
    nameLength: limits.nick_length,
    shortestPassword: accounts.registration.password_length ?? defaultLength(accounts.password_cost),
    needsEmail: accounts.registration.email_required,
    failuresPerAccount: accounts.failures_per_minute,
    failuresPerAddress: accounts.failures_per_address,
    failuresPerHour: accounts.failures_per_hour,
    newPerHour: accounts.registration.per_hour,
  }
}

/** Hashes that cheap are for tests alone: a long password is worth nothing there. */
function defaultLength(cost: number): number {
  return cost < 8 ? 3 : SHORTEST_PASSWORD
}

/** The characters of `+nt`; invalid modes were refused with the file. */
function letters(modes: string): string[] {
  return modes.split('')
}

function readMotd(file: string): string[] {
  try {
    // A chat line has no NUL and no CR, and some editors end lines with CR alone.
    return readFileSync(file, 'utf8')
      .replaceAll(/^\uFEFF|\0/g, '')
      .trimEnd()
      .split(/\r\n?|\n/)
  } catch (error) {
    const text = `server.motd_file ${file} cannot be read: ${messageOf(error)}`
    throw new StartFailure('motd', text, { cause: error })
  }
}

export function handlerLimits({ handlers }: Config): Pick<HandlerLimits, 'callMs' | 'isolation' | 'maxWarm'> {
  return { callMs: handlers.timeout_ms, isolation: handlers.isolation, maxWarm: handlers.max_warm }
}
