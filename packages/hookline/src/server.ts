// Puts the rooms together. What happens in them is their own affair.
import { matches } from './accounts/passwords.ts'
import { Bots } from './bots/bots.ts'
import { readBots } from './bots/disk.ts'
import { Chat } from './chat/spine.ts'
import { type SpokenEntry, spokenOf } from './chat/spoken.ts'
import { virtualUsers } from './chat/virtual.ts'
import type { Config, ConfigRead } from './config.ts'
import type { Running, Spoken } from './control/desk.ts'
import { listenControl } from './control/socket.ts'
import { ensureHome, type Home } from './home.ts'
import { newId } from './ids.ts'
import { channelKey } from './irc/names.ts'
import { openLog } from './log.ts'
import { chatSettings } from './settings.ts'
import { type HistoryRow, openStore } from './store/store.ts'
import { Deliveries } from './webhooks/deliveries.ts'
import { newDeliveryId } from './webhooks/ids.ts'
import { WebhookListener } from './webhooks/listener.ts'
import { Metrics } from './webhooks/metrics.ts'
import { Gate } from './wire/gate.ts'
import { listen, type Listener } from './wire/listener.ts'
import { formatProblem } from './yamlfile.ts'

export interface ServerOptions {
  readonly home: Home
  readonly version: string
  /** Reads the settings again, from where they came. */
  readonly reread: () => ConfigRead
  /** Told of each message in a channel as it is spoken. */
  readonly onSpoken?: (spoken: Spoken) => void
  /** Largest size of the database in pages of 4 KiB; beyond it the disk counts as full. */
  readonly maxPages?: number
}

export interface RunningServer extends Running {
  /** Resolves when everything is closed and everything acknowledged is on disk. */
  readonly stopped: Promise<void>
}

/** Resolves when every listener is bound and every bot is in its channels; rejects, with nothing left open, when one cannot be. */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  const { home, version, maxPages } = options
  ensureHome(home)
  const log = openLog(config.logLevel)
  await using started = new AsyncDisposableStack()

  const store = await openStore(config.dataDir, { log, ...(maxPages === undefined ? {} : { maxPages }) })
  started.defer(() => store.close())

  const doors: Listener[] = []
  const chat = new Chat(chatSettings(config, version), {
    now: Date.now,
    newId,
    soon: (flush) => void setImmediate(flush),
    later: (ms, run) => void setTimeout(run, ms).unref(),
    isBehind: () => store.isBehind,
    report: (error) => log.error({ err: error }, 'a command failed through a fault of ours'),
    passwords: { matches },
    rehash: async () => {
      const { warnings, isApplied } = await reload()
      return isApplied ? { ok: true } : { ok: false, reason: warnings[0] ?? 'the settings are wrong' }
    },
  })
  const ticking = setInterval(() => chat.tick(), 1_000)
  started.defer(() => clearInterval(ticking))

  const guests = virtualUsers(chat)
  const metrics = new Metrics(store)
  const bots = new Bots({
    home,
    chat: guests,
    serverName: config.name,
    state: store.botState,
    log,
    handlerTimeoutMs: config.handlers.timeout_ms,
    onStart: (name) => {
      deliveries
        .resumePending(name)
        .catch((error: unknown) => log.error({ err: error, bot: name }, 'what waits for it was not resumed'))
    },
  })
  const deliveries = new Deliveries({
    bots,
    chat: guests,
    store,
    serverName: config.name,
    log,
    metrics,
    now: Date.now,
    newId: newDeliveryId,
    newMessageId: newId,
    maxLines: config.webhooks.max_lines,
  })

  const watchers = new Set<(spoken: Spoken) => void>()
  if (options.onSpoken !== undefined) watchers.add(options.onSpoken)
  chat.log.follow(0, (entry) => {
    const { event } = entry
    if (event.kind === 'user.registered' || event.kind === 'nick.changed') {
      // What was kept for somebody goes to a person, not to a bot of that name.
      if (guests.isPresent(event.nick)) void deliveries.deliverKept(event.nick)
      return
    }
    const spoken = spokenOf(chat.state, entry)
    if (spoken === undefined) return
    if (!spoken.isRecorded) store.remember(historyRow(spoken))
    if (!spoken.isChannel || spoken.rank !== undefined) return
    for (const watcher of watchers) watcher({ ...spoken, channel: spoken.target })
  })

  async function reload(): Promise<{ warnings: readonly string[]; isApplied: boolean }> {
    const read = options.reread()
    if (!read.ok) return { warnings: read.problems.map(formatProblem), isApplied: false }
    const warnings = [...read.warnings]
    try {
      chat.settings = { ...chatSettings(read.config, version), name: config.name }
      for (const door of doors) door.reload()
    } catch (error) {
      warnings.push((error as Error).message)
    }
    if (read.config.name !== config.name) warnings.push('the name changes with the next start of the server')
    if (JSON.stringify(read.config.listeners) !== JSON.stringify(config.listeners)) {
      warnings.push('listeners change with the next start of the server')
    }
    return { warnings: [...warnings, ...(await reloadBots(bots, home))], isApplied: true }
  }

  await bots.loadAll()
  started.defer(() => bots.close())
  // Before the first new one may come, so that they keep their order.
  await deliveries.resumePending()

  const { promise: stopped, resolve: markStopped } = Promise.withResolvers<void>()
  const running: RunningServer = {
    name: config.name,
    version,
    pid: process.pid,
    startedAt: chat.startedAt,
    get irc() {
      return doors.map(({ address }) => address)
    },
    webhook: undefined,
    bots,
    store,
    deliveries,
    chat: guests,
    counts: () => ({
      connections: chat.sessions.size,
      users: chat.state.users.size,
      channels: chat.state.channels.size,
      bots: bots.list().filter(({ status }) => status === 'active').length,
    }),
    watch(channel, listener) {
      const wanted = channel === undefined ? undefined : channelKey(channel)
      const watcher = (spoken: Spoken) => {
        if (wanted === undefined || channelKey(spoken.channel) === wanted) listener(spoken)
      }
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    reload,
    stop: () => void stop(),
    stopped,
  }

  const gate = new Gate(
    {
      perAddress: config.limits.connections_per_address,
      perTenMinutes: config.limits.connections_per_ten_minutes,
    },
    Date.now,
  )
  started.defer(async () => {
    for (const session of chat.sessions.values()) chat.close(session, 'Server shutting down')
    await Promise.all(doors.map((door) => door.close()))
  })
  for (const door of config.listeners) {
    doors.push(
      await listen(door, gate, (wire, from) => {
        const session = chat.connect(wire, from)
        return {
          lines: (lines) => chat.receive(session, lines),
          gone: (reason) => chat.disconnect(session, reason),
        }
      }),
    )
  }

  started.defer(() => deliveries.drain())
  let webhook: string | undefined
  if (config.webhooks.enabled) {
    const listener = new WebhookListener({
      bots,
      deliveries,
      metrics,
      log,
      now: Date.now,
      bodyBytes: config.webhooks.max_body_bytes,
      allowedHosts: config.webhooks.allowed_hosts,
    })
    webhook = (await listener.listen(config.webhooks)).url
    started.defer(() => listener.drain())
  }
  describe(metrics, chat)
  const server: RunningServer = Object.assign(running, { webhook })
  const known = { serverName: config.name, webhook }
  const control = await listenControl({ home, running: server, known }, { log })
  started.defer(() => control.close())

  const open = started.move()
  let isStopping = false
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    await open
      .disposeAsync()
      .catch((error: unknown) => log.error({ err: error }, 'the server did not stop cleanly'))
    markStopped()
  }
  return server
}

/** Every bot that is active, or new on disk, as its file is now; what was wrong with the others. */
async function reloadBots(bots: Bots, home: Home): Promise<string[]> {
  const warnings: string[] = []
  for (const { name } of readBots(home)) {
    const status = bots.get(name)?.status
    if (status === 'inactive') continue
    const started = await bots.start(name)
    if (!started.ok) warnings.push(started.reason)
  }
  return warnings
}

/** What history keeps of it: who else heard it is no part of it. */
function historyRow(spoken: SpokenEntry): HistoryRow {
  const { id, time, command, conversation, target, from, mask, account, isBot, text, tags, delivery } = spoken
  return { id, time, command, conversation, target, from, mask, account, isBot, text, tags, delivery }
}

function describe(metrics: Metrics, chat: Chat): void {
  metrics.gauge('hookline_connections', 'Open IRC connections', () => chat.sessions.size)
  metrics.gauge('hookline_users', 'Registered users, bots among them', () => chat.state.users.size)
  metrics.gauge('hookline_channels', 'Channels', () => chat.state.channels.size)
}
