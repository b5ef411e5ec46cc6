// Assembles the server from its parts.
import type { Accounts } from './accounts/accounts.ts'
import { verify } from './accounts/passwords.ts'
import { Audience } from './audience.ts'
import { Bots } from './bots/bots.ts'
import { watchBots } from './bots/watch.ts'
import { banList } from './chat/banlist.ts'
import { Chat } from './chat/spine.ts'
import type { SpokenEntry } from './chat/spoken.ts'
import { type VirtualUsers, virtualUsers } from './chat/virtual.ts'
import { type Cloak, openCloak } from './cloak.ts'
import type { Config, ConfigRead } from './config.ts'
import type { Running } from './control/desk.ts'
import { listenControl } from './control/socket.ts'
import { watchDescriptors } from './descriptors.ts'
import { openDoors } from './doors.ts'
import { ensureHome, type Home } from './home.ts'
import { isLoopback } from './irc/address.ts'
import { newId } from './ids.ts'
import { nickKey, useCasemapping } from './irc/names.ts'
import { keepAccounts, openAccounts } from './keeping/accounts.ts'
import { Archive } from './keeping/archive.ts'
import { banStore, restoreBans } from './keeping/bans.ts'
import { Lasting } from './keeping/lasting.ts'
import { Markers } from './keeping/markers.ts'
import { type Log, openLog } from './log.ts'
import { Looks } from './looks.ts'
import { reload, type Reloaded } from './reload.ts'
import { followRenames } from './renames.ts'
import { watchCertificates } from './renewal.ts'
import { accountRules, chatSettings } from './settings.ts'
import { steady } from './steady.ts'
import { openStore, type Store } from './store/store.ts'
import { type Clock, realClock } from './triggers/alarm.ts'
import { Triggers } from './triggers/triggers.ts'
import { Deliveries } from './webhooks/deliveries.ts'
import { newDeliveryId } from './webhooks/ids.ts'
import { WebhookListener } from './webhooks/listener.ts'
import { Metrics } from './webhooks/metrics.ts'
import type { IrcListener } from './wire/listener.ts'

export interface ServerOptions {
  readonly home: Home
  readonly version: string
  /** Reads the settings again, from the same sources. */
  readonly reread: () => ConfigRead
  /** Called with each message in a channel. */
  readonly onSpoken?: (spoken: SpokenEntry) => void
  /** Largest size of the database in pages of 4 KiB; beyond it the disk counts as full. */
  readonly maxPages?: number
  /** Clock for bots, deliveries and certificates. */
  readonly clock?: Clock
  /** The machine's clock, which may be set back. */
  readonly machine?: () => number
}

/** Time for accepted webhooks and handlers to finish; the rest is on disk, and resumed at the next start. */
const DRAIN_MS = 10_000
/** The least time for what drains last. */
const LEAST_MS = 1_000

export interface RunningServer extends Running {
  /** Resolves when everything is closed and everything acknowledged is on disk. */
  readonly stopped: Promise<void>
}

/**
 * Resolves when every listener is bound and every bot is in its channels; rejects, with everything closed, if one
 * cannot be.
 */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  const { home, version, maxPages, clock = realClock, machine = Date.now } = options
  ensureHome(home)
  useCasemapping(config.server.casemapping === 'precis' ? 'rfc8265' : 'ascii')
  const log = openLog(config.logLevel)
  // Everything is closed in the reverse order: when a later step fails, and when the server stops.
  await using opened = new AsyncDisposableStack()

  const { history, webhooks: kept } = config
  const { keep_days: days, keep_megabytes: megabytes } = kept
  const retention = { finishedMs: days * 86_400_000, bodyBytes: megabytes * 1024 * 1024 }
  const store = await openStore(config.dataDir, {
    log,
    retention,
    historyRetention: {
      channelMessages: history.channel_messages ?? undefined,
      directMessages: history.direct_messages ?? undefined,
      days: history.days ?? undefined,
    },
    ...(maxPages === undefined ? {} : { maxPages }),
  })
  opened.defer(() => store.close())
  const doors: IrcListener[] = []
  const reloadNow = (): Promise<Reloaded> =>
    reload(options.reread(), { version, config, chat, accounts, bots, doors, clock })
  const cloak = await openCloak(config, store)
  const skeleton =
    config.server.casemapping === 'precis' ? (await import('./skeleton.ts')).skeletonOf : undefined
  const looks = new Looks()
  const now = steady(machine, elapsed, await store.latest())
  const rooms = furnish(config, {
    home,
    version,
    log,
    store,
    clock,
    now,
    cloak,
    skeleton,
    looks,
    reload: reloadNow,
  })
  const { chat, accounts, archive, guests, metrics, bots, deliveries, triggers } = rooms
  const audience = new Audience(chat, { guests, deliveries })
  if (options.onSpoken !== undefined) audience.watch(undefined, options.onSpoken)
  const tell = (bot: string, text: string) => void tellOwner(bot, text, rooms, { store, log })
  followRenames(chat, { store, bots, tellOwner: tell })
  const ticking = setInterval(() => chat.tick(), 1_000)
  opened.defer(() => clearInterval(ticking))

  await keepAccounts(accounts, chat)
  const lasting = new Lasting(chat, { store, log })
  await lasting.restore()
  await restoreBans(chat, store)
  const markers = new Markers(chat, { store, log })
  await markers.restore()
  opened.defer(() => markers.close())
  opened.defer(() => lasting.close())
  await bots.loadAll()
  opened.defer(() => bots.close())
  opened.defer(watchBots(home, (name) => void noticeEdit(name, rooms, { store, log }), log))
  // Before new ones can arrive, so that they keep their order.
  await deliveries.resumePending()
  // Also closed below, before the deliveries drain: triggers create deliveries.
  opened.defer(() => triggers.close())
  await triggers.start(chat)

  opened.defer(async () => {
    archive.end()
    chat.closeAll('Server shutting down')
    await Promise.all(doors.map((door) => door.close()))
  })
  await openDoors(config, { chat, looks, elapsed, log }, doors)
  opened.defer(watchCertificates(doors, { log, clock }))
  opened.defer(watchDescriptors(log, elapsed))
  // Set by the first that drains.
  let end: number | undefined
  const timeLeft = (): number =>
    Math.max(LEAST_MS, (end ??= performance.now() + DRAIN_MS) - performance.now())
  opened.defer(() => deliveries.drain(timeLeft()))
  opened.defer(() => triggers.close())
  const webhooks = await openWebhooks(config, rooms, { log, clock })
  if (webhooks !== undefined) opened.defer(() => webhooks.listener.drain(timeLeft()))

  const { promise: stopped, resolve: markStopped } = Promise.withResolvers<void>()
  const running: RunningServer = {
    name: config.name,
    version,
    pid: process.pid,
    startedAt: chat.startedAt,
    irc: doors.map(({ address }) => address),
    webhook: webhooks?.url,
    bots,
    store,
    deliveries,
    chat: guests,
    accounts,
    bans: banList(chat),
    counts: () => countsOf(rooms),
    watch: (channel, watcher) => audience.watch(channel, watcher),
    reload: reloadNow,
    stop: () => void stop(),
    stopped,
  }
  addGauges(metrics, chat)
  const known = {
    serverName: config.name,
    webhook: running.webhook,
    dataDir: config.dataDir,
    handlers: { callMs: config.handlers.timeout_ms, isolation: config.handlers.isolation },
  }
  const control = await listenControl({ home, running, known }, { log })
  opened.defer(() => control.close())

  const whole = opened.move()
  let isStopping = false
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    await whole
      .disposeAsync()
      .catch((error: unknown) => log.error({ err: error }, 'the server did not stop cleanly'))
    markStopped()
  }
  return running
}

interface Rooms {
  readonly chat: Chat
  readonly accounts: Accounts
  readonly archive: Archive
  readonly guests: VirtualUsers
  readonly metrics: Metrics
  readonly bots: Bots
  readonly deliveries: Deliveries
  readonly triggers: Triggers
}

interface Ground {
  readonly home: Home
  readonly version: string
  readonly log: Log
  readonly store: Store
  readonly clock: Clock
  /** The time of day in the chat; see steady.ts. */
  readonly now: () => number
  readonly cloak: Cloak | undefined
  /** Its table of confusables takes 2.6 MB, and only casemapping precis needs it. */
  readonly skeleton: ((name: string) => string) | undefined
  readonly looks: Looks
  readonly reload: () => Promise<Reloaded>
}

/** Creates the parts that need no listener: chat, bots, deliveries. */
function furnish(config: Config, ground: Ground): Rooms {
  const { home, version, log, store, clock, now, cloak, skeleton, looks, reload: reloadNow } = ground
  const archive = new Archive(store, log)
  const accounts: Accounts = openAccounts(accountRules(config), () => chat, { store, log, now, elapsed })
  const chat: Chat = new Chat(chatSettings(config, version), {
    now,
    elapsed,
    newId: () => newId(now()),
    soon: looks.soon,
    later: (ms, run) => void setTimeout(run, ms).unref(),
    ...(skeleton === undefined ? {} : { skeleton }),
    isBehind: () => store.isBehind,
    report: (error) => log.error({ err: error }, 'a command failed through a fault of ours'),
    audit: ({ isRefused, ...act }) =>
      isRefused ? log.warn(act, 'a wrong name or password for OPER') : log.info(act, 'a server operator'),
    accounts,
    passwords: { verify },
    bans: banStore(store, log),
    history: archive,
    cloak,
    rehash: reloadNow,
  })
  archive.follow(chat)
  const guests = virtualUsers(chat)
  const metrics = new Metrics(store)
  const bots = new Bots({
    home,
    chat: guests,
    serverName: config.name,
    isExposed: config.webhooks.enabled && !isLoopback(config.webhooks.host),
    state: store.botState,
    log,
    handlerLimits: {
      callMs: config.handlers.timeout_ms,
      isolation: config.handlers.isolation,
      maxWarm: config.handlers.max_warm,
    },
    onStart: (name) => {
      deliveries
        .resumePending(name)
        .catch((error: unknown) => log.error({ err: error, bot: name }, 'what waits for it was not resumed'))
    },
    onChange: (name) => triggers.changed(name),
    told: () => deliveries.told(),
    onRemove: (name, removed) => {
      deliveries
        .abandon(name, removed)
        .catch((error: unknown) =>
          log.error({ err: error, bot: name }, 'what it had accepted is left for the next start'),
        )
    },
    now: () => clock.now(),
  })
  const deliveries = new Deliveries({
    bots,
    chat: guests,
    store,
    serverName: config.name,
    log,
    metrics,
    now: () => clock.now(),
    later: (ms, run) => clock.later(ms, run),
    newId: newDeliveryId,
    newMessageId: () => newId(now()),
    maxLines: config.webhooks.max_lines,
    rate: config.webhooks.rate ?? undefined,
    answerWithinMs: config.webhooks.answer_within_ms,
    witness: {
      came: (bot, headers) => triggers.witness.came(bot, headers),
      settled: (bot, id, status) => triggers.witness.settled(bot, id, status),
    },
  })
  const triggers = new Triggers({
    bots,
    deliveries,
    store,
    memory: store.botState,
    clock,
    log,
    tellOwner: (name, text) => void tellOwner(name, text, { bots, deliveries, guests }, { store, log }),
  })
  return { chat, accounts, archive, guests, metrics, bots, deliveries, triggers }
}

async function openWebhooks(
  { webhooks, server }: Config,
  { bots, deliveries, metrics }: Rooms,
  { log, clock }: Pick<Ground, 'log' | 'clock'>,
): Promise<{ listener: WebhookListener; url: string } | undefined> {
  if (!webhooks.enabled) return undefined
  const { max_body_bytes: bodyBytes, allowed_hosts: allowedHosts } = webhooks
  const listener = new WebhookListener({
    bots,
    deliveries,
    metrics,
    log,
    now: () => clock.now(),
    bodyBytes,
    allowedHosts,
    trustedProxies: server.trusted_proxies,
  })
  return { listener, url: (await listener.listen(webhooks)).url }
}

/** Tells the bot's owner of a broken edit, now or when they connect. */
async function noticeEdit(name: string, rooms: Rooms, ground: Pick<Ground, 'store' | 'log'>): Promise<void> {
  const reason = await rooms.bots.refresh(name)
  if (reason === undefined) return
  ground.log.warn({ bot: name }, reason)
  const [first = ''] = reason.split('\n')
  await tellOwner(name, `${name}: ${first}`, rooms, ground)
}

/** Now, or when the owner connects. */
async function tellOwner(
  name: string,
  text: string,
  { bots, deliveries, guests }: Pick<Rooms, 'bots' | 'deliveries' | 'guests'>,
  { store, log }: Pick<Ground, 'store' | 'log'>,
): Promise<void> {
  const owner = bots.get(name)?.settings?.owner
  if (owner === undefined) return
  const time = guests.now()
  const facts = { id: newId(time), nick: nickKey(owner), source: name, time, delivery: null }
  await store.kept
    .add([{ ...facts, command: 'NOTICE', text }])
    .catch((error: unknown) => log.warn({ err: error }, text))
  await deliveries.deliverKept(owner)
}

function countsOf({ chat, bots }: Rooms): ReturnType<Running['counts']> {
  return {
    connections: chat.sessions.size,
    users: chat.state.users.size,
    channels: chat.state.channels.size,
    bots: bots.list().filter(({ status }) => status === 'active').length,
  }
}

function addGauges(metrics: Metrics, chat: Chat): void {
  metrics.gauge('hookline_connections', 'Open IRC connections', () => chat.sessions.size)
  metrics.gauge('hookline_users', 'Registered users, bots among them', () => chat.state.users.size)
  metrics.gauge('hookline_channels', 'Channels', () => chat.state.channels.size)
}

/** Whole numbers, which V8 stores in less memory. */
function elapsed(): number {
  return Math.floor(performance.now())
}
