// A real server for a test: temporary home, free ports, real sockets. It ends with its test.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { loadConfig } from '../src/config/config.ts'
import type { SpokenEntry } from '../src/chat/spoken.ts'
import { findHome, type Home } from '../src/home/home.ts'
import { type Log, openLog } from '../src/log/log.ts'
import { beginOpening } from '../src/server/opening.ts'
import { type RunningServer, startServer } from '../src/server/server.ts'
import type { Clock } from '../src/triggers/alarm.ts'
import { BUG } from './command.ts'
import { temporaryFolder } from './folder.ts'
import { openInThread } from './storethread.ts'

export interface Rig extends AsyncDisposable {
  readonly server: RunningServer
  readonly home: Home
  readonly ircPort: number
  /** Of the second listener that the settings name. */
  readonly secondPort: number
  /** `http://127.0.0.1:12345` */
  readonly url: string
  /** Everything that was said in channels so far. */
  readonly spoken: SpokenEntry[]
}

export interface RigOptions {
  /** server.yaml */
  readonly config?: string
  /** The server's. */
  readonly name?: string
  /** bot.yaml of each bot, by its name, and other files of its folder by `name/file`. */
  readonly bots?: Readonly<Record<string, string>>
  /** One that another rig may have filled, or will use; without it the rig has its own, which is gone with it. */
  readonly home?: Home
  readonly clock?: Clock
  /** The time of the machine. */
  readonly machine?: () => number
  /** In place of every ten seconds; with a clock of its own never: what that dates may be old by the machine's. */
  readonly pruneEveryMs?: number
}

/** Answers to webhooks are complete, even on a slow machine. */
export const PATIENT = 'webhooks: {answer_within_ms: 60000}\n'
/** Limits that would make a test wait are lifted. */
export const UNLIMITED = 'limits: {flood_protection: false}\nlogging: {level: error}\n'
/** Hashes are cheap, too. */
export const QUICK = `${UNLIMITED}accounts: {password_cost: 4}\n${PATIENT}`

export async function startRig({
  config = QUICK,
  name: serverName = 'spark',
  bots = {},
  home: given,
  clock,
  machine,
  pruneEveryMs = clock ? 86_400_000 : undefined,
}: RigOptions = {}): Promise<Rig> {
  const home = given ?? temporaryHome()
  writeBots(home, bots)
  writeFileSync(home.config, config)
  const read = () => loadConfig({ home, flags: { name: serverName, port: 0, webhookPort: 0 }, env: {} })
  const settings = read()
  if (!settings.ok) throw new Error(JSON.stringify(settings.problems))
  const spoken: SpokenEntry[] = []
  const bugs: object[] = []
  const begun = beginOpening(settings.config, home, undefined, openInThread)
  const server = await startServer(settings.config, {
    home,
    begun,
    version: '0.0.0',
    reread: read,
    onSpoken: (each) => spoken.push(each),
    log: watchingForBugs(openLog(settings.config.logLevel), bugs),
    ...(clock ? { clock } : {}),
    ...(machine ? { machine } : {}),
    pruneEveryMs,
  })
  return {
    server,
    home,
    spoken,
    ircPort: portOf(server.irc[0]),
    secondPort: portOf(server.irc[1]),
    url: server.webhook ?? '',
    async [Symbol.asyncDispose]() {
      server.stop()
      await server.stopped
      if (given === undefined) rmSync(home.folder, { recursive: true, force: true })
      assert.deepEqual(bugs.slice(0, 1), [], 'the server met a bug of its own')
    },
  }
}

function watchingForBugs(log: Log, bugs: object[]): Log {
  const watched = (level: keyof Log) => (data: object, text: string) => {
    const { err } = data as { readonly err?: unknown }
    if (text.includes(BUG) || MISTAKES.some((kind) => err instanceof kind)) bugs.push({ text, err })
    log[level](data, text)
  }
  return { debug: watched('debug'), info: watched('info'), warn: watched('warn'), error: watched('error') }
}

/** Errors of code, never of a disk or a network, whatever the log calls them. */
const MISTAKES = [TypeError, ReferenceError, RangeError]

/** `127.0.0.1:12345 tls` */
function portOf(listener: string | undefined): number {
  return Number.parseInt(listener?.split(':')[1] ?? '', 10)
}

/** Names as in `RigOptions.bots`. */
export function writeBots({ bots }: Home, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const [folder = '', file = 'bot.yaml'] = name.split('/')
    mkdirSync(join(bots, folder), { recursive: true })
    writeFileSync(join(bots, folder, file), text)
  }
}

/** Removed with its test, if it is given one. */
export function temporaryHome(t?: TestContext): Home {
  const home = findHome({ HOOKLINE_HOME: temporaryFolder(t) })
  mkdirSync(home.bots)
  return home
}
