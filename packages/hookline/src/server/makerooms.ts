// The parts that need no listener: the chat, accounts, bots, deliveries and triggers, each given what it needs of the others.
import type { Accounts } from '../accounts/accounts.ts'
import { compare } from '../accounts/otherpasswords.ts'
import { Bots } from '../bots/bots.ts'
import { Spine } from '../chat/spine.ts'
import { virtualUsers } from '../chat/virtual.ts'
import type { World } from '../chat/world.ts'
import type { Config } from '../config/config.ts'
import { accountRules, chatSettings, handlerLimits } from '../config/settings.ts'
import { newId } from '../store/ids.ts'
import { isLoopback } from '../irc/address.ts'
import { openAccounts } from '../keeping/accounts.ts'
import { Archive } from '../keeping/archive.ts'
import { banStore } from '../keeping/bans.ts'
import { insist } from '../store/retrywrites.ts'
import { Triggers } from '../triggers/triggers.ts'
import { Deliveries } from '../webhooks/deliveries.ts'
import { newDeliveryId } from '../webhooks/ids.ts'
import { Metrics } from '../webhooks/metrics.ts'
import { RefusedWebhooks } from '../webhooks/refused.ts'
import { ownerTeller } from './ownernotices.ts'
import type { Base, Rooms } from './rooms.ts'

export function makeRooms(config: Config, base: Base): Rooms {
  const { version, log, store, clock, now, elapsed } = base
  const archive = new Archive(store, log)
  const times = { now: () => clock.now(), chatTime: now, elapsed }
  const accounts: Accounts = openAccounts(accountRules(config), () => chat, { store, log, ...times })
  const isBotName = (name: string) => bots.hasNick(name)
  const botNames = () => bots.names()
  const world = worldOf(base, { accounts, history: archive, isBotName, botNames })
  const chat: Spine = new Spine(chatSettings(config, version), world)
  const made = { chat, accounts, archive, virtualUsers: virtualUsers(chat), metrics: new Metrics(store) }
  // Bots cause deliveries, and hear of them; triggers cause deliveries of bots, and hear of both.
  const later = { deliveries: () => deliveries, triggers: () => triggers, refused: () => refused }
  const bots: Bots = makeBots(config, base, { ...made, ...later })
  const deliveries: Deliveries = makeDeliveries(config, base, { ...made, ...later, bots })
  const tellOwner = ownerTeller({ ...made, bots, deliveries }, base)
  const refused: RefusedWebhooks = new RefusedWebhooks({
    memory: store.botState,
    metrics: made.metrics,
    log,
    later: (ms, run) => clock.later(ms, run),
    tellOwner,
  })
  const triggers: Triggers = new Triggers({
    bots,
    deliveries,
    store,
    memory: store.botState,
    clock,
    log,
    tellOwner,
  })
  return { ...made, bots, deliveries, tellOwner, refused, triggers }
}

/** What is made only after those who call it. */
interface Later {
  readonly deliveries: () => Deliveries
  readonly triggers: () => Triggers
  readonly refused: () => RefusedWebhooks
}

function makeBots(
  config: Config,
  { home, log, store, clock, isListening }: Base,
  { virtualUsers: chat, deliveries, triggers, refused }: Pick<Rooms, 'virtualUsers'> & Later,
): Bots {
  const { name: serverName, webhooks } = config
  return new Bots({
    home,
    chat,
    serverName,
    isExposed: webhooks.enabled && !isLoopback(webhooks.host),
    state: {
      load: (bot) => store.botState.load(bot),
      // Like outcomes: the handler has run.
      save: (bot, json, stopped) => insist(() => store.botState.save(bot, json), { stopped }),
    },
    memory: store.botState,
    log,
    handlerLimits: handlerLimits(config),
    dataDir: config.dataDir,
    isListening,
    onStart: (name) => {
      deliveries()
        .resumePending(name)
        .catch((error: unknown) =>
          log.error({ err: error, bot: name }, 'deliveries waiting for the bot were not resumed'),
        )
    },
    onChange: (name) => triggers().changed(name),
    told: () => deliveries().told(),
    onRemove: (name, removed) => {
      refused().forget(name)
      deliveries()
        .abandon(name, removed)
        .catch((error: unknown) =>
          log.error({ err: error, bot: name }, 'deliveries that it had accepted are left for the next start'),
        )
    },
    now: () => clock.now(),
  })
}

function makeDeliveries(
  { name: serverName, webhooks }: Config,
  { log, store, clock, now }: Base,
  { bots, metrics, virtualUsers: chat, triggers }: Pick<Rooms, 'bots' | 'metrics' | 'virtualUsers'> & Later,
): Deliveries {
  return new Deliveries({
    bots,
    chat,
    store,
    serverName,
    log,
    metrics,
    now: () => clock.now(),
    later: (ms, run) => clock.later(ms, run),
    newId: () => newDeliveryId(now()),
    newMessageId: () => newId(now()),
    maxLines: webhooks.max_lines,
    rate: webhooks.rate ?? undefined,
    answerWithinMs: webhooks.answer_within_ms,
    observer: {
      arrived: (bot, headers) => triggers().observer.arrived(bot, headers),
      settled: (bot, id, status) => {
        log.debug({ bot, id, status }, 'a delivery')
        triggers().observer.settled(bot, id, status)
      },
    },
  })
}

/** Everything outside the chat that it is given; see `World`. */
function worldOf(
  base: Base,
  rooms: Pick<World, 'history' | 'isBotName' | 'botNames'> & { readonly accounts: Accounts },
): World {
  const { accounts } = rooms
  const { log, store, now, elapsed, cloak, skeleton, flushing, reload } = base
  return {
    ...rooms,
    now,
    trusted: () => store.clock.trusted,
    elapsed,
    newId: () => newId(now()),
    soon: flushing.soon,
    later: (ms, run) => void setTimeout(run, ms).unref(),
    skeleton,
    isBehind: () => store.isBehind,
    report: (error) => log.error({ err: error }, 'a command failed because of a bug in hookline'),
    // One line each, whatever else the log leaves out.
    audit: ({ isRefused, isLate, ...act }) => {
      if (isLate) log.warn(act, 'OPER was not looked at: too many names or passwords were wrong before')
      else if (isRefused) log.warn(act, 'a wrong name or password for OPER')
      else log.info(act, 'a server operator')
    },
    passwords: { compare: (guess) => compare(accounts.guesses, guess) },
    bans: banStore(store, log),
    cloak,
    rehash: reload,
  }
}
