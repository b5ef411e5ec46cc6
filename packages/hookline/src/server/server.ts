// Starts the server, part by part, and stops it in the reverse order.
import { BotWatcher } from '../bots/watch.ts'
import { banList } from '../chat/banlist.ts'
import type { SpokenEntry } from '../chat/spoken.ts'
import type { Config, ConfigRead } from '../config/config.ts'
import { exposuresOf } from '../config/exposure.ts'
import { handlerLimits } from '../config/settings.ts'
import type { Running } from '../commands/context.ts'
import { type ControlSocket, listenControl } from './controlsocket.ts'
import { ensureHome, type Home } from '../home/home.ts'
import { useCasemapping } from '../irc/names.ts'
import { endSuspended, keepAccounts } from '../keeping/accounts.ts'
import { restoreBans } from '../keeping/bans.ts'
import { SavedState } from '../keeping/savedstate.ts'
import { Markers } from '../keeping/markers.ts'
import { type Log, openLog } from '../log/log.ts'
import { Audience } from './audience.ts'
import { ClockMender } from './clockmender.ts'
import { openCloak } from './cloak.ts'
import { roomForConnections, watchDescriptors } from './descriptors.ts'
import { asRoot, inForce, logExposures, newAmong } from './exposures.ts'
import { openIrcListeners } from './irclisteners.ts'
import { FlushSchedule } from './flushschedule.ts'
import { followKicks } from '../triggers/kicks.ts'
import { noticeEdit } from './ownernotices.ts'
import { type BegunOpening, beginOpening } from './opening.ts'
import { reload } from './reload.ts'
import { followRenames } from '../triggers/renames.ts'
import { watchCertificates } from './renewal.ts'
import type { Base, Reloaded, Rooms } from './rooms.ts'
import { makeRooms } from './makerooms.ts'
import { orderedTime } from './orderedtime.ts'
import { RunningTime } from '../process/runningtime.ts'
import { openStore, type Store } from '../store/store.ts'
import { type Clock, realClock } from '../triggers/alarm.ts'
import { WebhookListener } from '../webhooks/listener.ts'
import type { IrcListener } from '../wire/listener.ts'

export interface ServerOptions {
  readonly home: Home
  readonly version: string
  /** Reads the settings again, from the same sources. */
  readonly reread: () => ConfigRead
  /** Called with each message in a channel. */
  readonly onSpoken?: (spoken: SpokenEntry) => void
  /** Largest size of the database in pages of 4 KiB; beyond it the disk counts as full. */
  readonly maxPages?: number
  /** The opening of its database, if that was begun before. */
  readonly begun?: BegunOpening
  /** How often old records are looked for. */
  readonly pruneEveryMs?: number | undefined
  /** The machine's clock, which may leap. */
  readonly machine?: () => number
  /** Another one for bots, deliveries and certificates. */
  readonly clock?: Clock
  /** In place of stderr. */
  readonly log?: Log
}

/** How often the chat looks who is silent. */
const TICK_MS = 1_000
const runningTime = new RunningTime(TICK_MS)
/** Time for accepted webhooks and handlers to finish; the rest is on disk, and resumed at the next start. */
const DRAIN_MS = 10_000
/** The least time for what drains last. */
const LEAST_MS = 1_000
/** The same, if what is accepted cannot be recorded any more. */
const LEAST_OF_DEAD_MS = 250
/** The most for everything then. */
const DEAD_MS = 1_000

export interface RunningServer extends Running {
  /** Resolves when its commands are loaded too: nothing more is read of its own files. */
  readonly loaded: Promise<void>
  /** Resolves when everything is closed and everything acknowledged is on disk; with a reason if the store has ended, and much may be open. */
  readonly stopped: Promise<string | undefined>
}

/**
 * Resolves when every listener is bound and every bot is in its channels; rejects, with everything closed, if one
 * cannot be.
 */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  const { home } = options
  runningTime.tick()
  // Everything is closed in the reverse order: when a later step fails, and when the server stops.
  await using opened = new AsyncDisposableStack()
  ensureHome(home)
  useCasemapping(config.server.casemapping === 'precis' ? 'rfc8265' : 'ascii')
  const { log = openLog(config.logLevel) } = options
  const store = await openDatabase(config, options, log)
  opened.defer(() => store.close())

  const ircListeners: IrcListener[] = []
  let current = config
  let webhookUrl: string | undefined
  const exposures = () => [...exposuresOf(current, rooms.bots.list()), ...asRoot()]
  const reloadOnce = async (): Promise<Reloaded> => {
    const ours = [...ircListeners.map(({ address }) => address), ...(webhookUrl ? [webhookUrl] : [])]
    const { config: read, ...reloaded } = await reload(options.reread(), {
      ...base,
      ...rooms,
      savedState,
      config,
      ircListeners,
      ours,
    })
    const before = exposures()
    if (read) current = inForce(config, read)
    noteReload(log, reloaded)
    logExposures(log, newAmong(exposures(), before))
    return reloaded
  }
  // One after the other: what was read last is what is applied last.
  let reloading: Promise<unknown> = Promise.resolve()
  const reloadNow = (): Promise<Reloaded> => {
    const reloaded = reloading.then(reloadOnce)
    reloading = reloaded.catch(() => undefined)
    return reloaded
  }
  let control: ControlSocket | undefined
  const mender = new ClockMender(store, log)
  const base = await makeBase(config, options, {
    log,
    store,
    reload: reloadNow,
    isListening: () => control !== undefined,
    wasAhead: (since) => void mender.wasAhead(since),
  })
  // Before anything is read that may have a time ahead.
  await mender.start(base.now())
  const rooms = makeRooms(config, base)
  const { chat } = rooms
  const audience = new Audience(chat, rooms)
  if (options.onSpoken !== undefined) audience.watch(undefined, options.onSpoken)
  addGauges(rooms)
  // What the start has taken was no stop.
  runningTime.tick()
  const ticking = setInterval(() => {
    runningTime.tick()
    chat.tick()
  }, TICK_MS)
  opened.defer(() => clearInterval(ticking))
  const savedState = await bringBack(rooms, base, opened)
  mender.follow(rooms)
  // Only now: users who are always on join again at every start.
  rooms.archive.follow(chat)
  await startBots(rooms, base, opened)
  await openChat(config, rooms, { ...base, ircListeners }, opened)
  // Closed when what was accepted is finished: until then it can be asked, and no other server takes it for gone.
  opened.defer(() => control?.close())
  const webhooks = await openWebhooks(config, rooms, base, opened)
  opened.defer(watchDescriptors(log, elapsed, () => webhooks?.listener.closeIdle()))

  const { promise: stopped, resolve: markStopped } = Promise.withResolvers<string | undefined>()
  const irc = ircListeners.map(({ address }) => address)
  const webhook = webhooks?.url
  webhookUrl = webhook
  const running = runningServer(rooms, base, {
    trustClock: async () => {
      await store.clock.trust()
      await mender.wasAhead(base.now())
    },
    name: config.name,
    irc,
    webhook,
    watch: (channel, watcher) => audience.watch(channel, watcher),
    exposures,
    stop: () => void stop(),
    stopped,
  })
  const { name: serverName, dataDir } = config
  const known = { serverName, webhook, dataDir, handlers: handlerLimits(config) }
  const socket = await listenControl({ home, running, known }, { log })
  control = socket
  const { version } = options
  logExposures(log, exposures())
  log.info({ server: serverName, version, pid: process.pid, irc, webhook }, 'the server is ready')

  const whole = opened.move()
  let isStopping = false
  // A server that can record nothing can serve nobody, and whoever watches over it starts another.
  let failure: string | undefined
  void store.died.then((reason) => {
    failure = `its store has stopped: ${reason}`
    // It may have been draining what can no longer be finished.
    setTimeout(() => markStopped(failure), DEAD_MS).unref()
    return stop()
  })
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    await whole
      .disposeAsync()
      .then(() => log.info({ pid: process.pid }, 'the server has stopped'))
      .catch((error: unknown) => log.error({ err: error }, 'the server did not stop cleanly'))
    markStopped(failure)
  }
  return { ...running, loaded: socket.loaded }
}

function noteReload(log: Log, { warnings, isApplied }: Reloaded): void {
  if (!isApplied) log.error({ warnings }, 'the settings are invalid: nothing changed')
  else if (warnings.length > 0) log.warn({ warnings }, 'settings and bots were read again, with warnings')
  else log.info({}, 'settings and bots were read again')
}

/** What can be done with it from outside. */
function runningServer(
  rooms: Rooms,
  { version, store, reload: reloadNow }: Base,
  facts: Pick<
    RunningServer,
    'name' | 'irc' | 'webhook' | 'watch' | 'exposures' | 'trustClock' | 'stop' | 'stopped'
  >,
): Omit<RunningServer, 'loaded'> {
  const { chat, bots, deliveries, refused, accounts, virtualUsers } = rooms
  const since = elapsed()
  return {
    ...facts,
    version,
    pid: process.pid,
    startedAt: chat.startedAt,
    uptimeSeconds: () => Math.floor((elapsed() - since) / 1_000),
    bots,
    store,
    deliveries,
    refused,
    chat: virtualUsers,
    accounts,
    bans: banList(chat),
    counts: () => countsOf(rooms),
    reload: reloadNow,
  }
}

function openDatabase(
  config: Config,
  { home, maxPages, begun, machine = Date.now, pruneEveryMs }: ServerOptions,
  log: Log,
): Promise<Store> {
  const { history, webhooks } = config
  const { folder, opening } = begun ?? beginOpening(config, home, maxPages)
  return openStore(folder, {
    log,
    opening,
    retention: {
      finishedMs: webhooks.keep_days * 86_400_000,
      bodyBytes: webhooks.keep_megabytes * 1024 * 1024,
    },
    historyRetention: {
      channelMessages: history.channel_messages ?? undefined,
      directMessages: history.direct_messages ?? undefined,
      days: history.days ?? undefined,
    },
    machine,
    elapsed,
    pruneEveryMs,
  })
}

async function makeBase(
  config: Config,
  { home, version, clock }: ServerOptions,
  {
    wasAhead,
    ...opened
  }: Pick<Base, 'log' | 'store' | 'reload' | 'isListening'> & { wasAhead: (since: number) => void },
): Promise<Base> {
  const isPrecis = config.server.casemapping === 'precis'
  const machine = (): number => opened.store.clock.now()
  // An earlier run may have ended with times that are a little ahead of the clock.
  const before = Math.max((await opened.store.latest()) ?? 0, machine())
  return {
    ...opened,
    home,
    version,
    clock: clock ?? { ...realClock, now: machine },
    elapsed,
    now: orderedTime(machine, elapsed, { before, wasAhead }),
    cloak: await openCloak(config, opened.store),
    skeleton: isPrecis ? (await import('./skeleton.ts')).skeletonOf : undefined,
    flushing: new FlushSchedule(),
  }
}

/** What lasts is as it was before the stop, and is kept up to date from now on. */
async function bringBack(rooms: Rooms, base: Base, opened: AsyncDisposableStack): Promise<SavedState> {
  const { chat, accounts } = rooms
  const { store, log } = base
  followRenames(rooms, store)
  opened.defer(followKicks(rooms, base.clock))
  await keepAccounts(accounts, chat)
  const savedState = new SavedState(chat, { store, log })
  await savedState.restore()
  await endSuspended(accounts, chat)
  await restoreBans(chat, store)
  const markers = new Markers(chat, { store, log })
  await markers.restore()
  opened.defer(() => markers.close())
  opened.defer(() => savedState.close())
  return savedState
}

async function startBots(rooms: Rooms, base: Base, opened: AsyncDisposableStack): Promise<void> {
  const { chat, bots, deliveries, triggers } = rooms
  await deliveries.forgetRemoved()
  await bots.loadAll()
  opened.defer(() => bots.close())
  const edits = new BotWatcher(
    base.home,
    (name, isGrowing) => void noticeEdit(name, isGrowing, rooms, base.log),
    base.log,
  )
  opened.defer(() => edits.close())
  // Before new ones can arrive, so that they keep their order.
  await deliveries.resumePending()
  opened.defer(() => triggers.close())
  await triggers.start(chat)
}

async function openChat(
  config: Config,
  { chat, archive }: Rooms,
  { ircListeners, log, clock, elapsed, flushing }: Base & { ircListeners: IrcListener[] },
  opened: AsyncDisposableStack,
): Promise<void> {
  opened.defer(async () => {
    archive.end()
    chat.closeAll('Server shutting down')
    await Promise.all(ircListeners.map((listener) => listener.close()))
  })
  await openIrcListeners(config, { chat, flushing, elapsed, log }, ircListeners)
  opened.defer(watchCertificates(ircListeners, { log, clock }))
}

/** Undefined if they are off. */
async function openWebhooks(
  { webhooks, server }: Config,
  { bots, deliveries, triggers, metrics, refused }: Rooms,
  { log, clock, store }: Base,
  opened: AsyncDisposableStack,
): Promise<{ readonly url: string; readonly listener: WebhookListener } | undefined> {
  // Set by the first that drains.
  let end: number | undefined
  const timeLeft = (): number =>
    store.isDead
      ? LEAST_OF_DEAD_MS
      : Math.max(LEAST_MS, (end ??= performance.now() + DRAIN_MS) - performance.now())
  opened.defer(() => deliveries.drain(timeLeft()))
  // Here as well, because triggers create deliveries.
  opened.defer(() => triggers.close())
  if (!webhooks.enabled) return undefined
  const { max_body_bytes: bodyBytes, allowed_hosts: allowedHosts } = webhooks
  const listener = new WebhookListener({
    bots,
    deliveries,
    metrics,
    refused,
    log,
    now: () => clock.now(),
    trouble: () => (store.stuckMs > 0 ? store.trouble : undefined),
    bodyBytes,
    allowedHosts,
    trustedProxies: server.trusted_proxies,
    connections: roomForConnections().webhooks,
  })
  const { url } = await listener.listen(webhooks)
  opened.defer(() => refused.flush())
  opened.defer(() => listener.drain(timeLeft()))
  return { url, listener }
}

function countsOf({ chat, bots }: Rooms): ReturnType<Running['counts']> {
  return {
    connections: chat.sessions.size,
    users: chat.state.users.size,
    channels: chat.state.channels.size,
    bots: bots.list().filter(({ status }) => status === 'active').length,
  }
}

function addGauges({ metrics, chat, bots }: Rooms): void {
  metrics.countFor(() => bots.list().map(({ name }) => name))
  metrics.gauge('hookline_connections', 'Open IRC connections', () => chat.sessions.size)
  metrics.gauge('hookline_users', 'Registered users, bots among them', () => chat.state.users.size)
  metrics.gauge('hookline_channels', 'Channels', () => chat.state.channels.size)
}

/** Not while this process is stopped: nobody is silent for too long only because nobody listened. */
function elapsed(): number {
  return runningTime.elapsed
}
