// `server start`: runs the server in the foreground until a signal.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { expectWhole } from '../commands/server/backup/interruptedrestore.ts'
import { alreadyRunning, connectControl } from '../control/client.ts'
import type { SpokenEntry } from '../commands/context.ts'
import { unusable, unusableDatabase } from '../commands/diskfailure.ts'
import { type Answer, cannot, type Failure, wrong } from '../control/failure.ts'
import { viewOfSpoken } from '../commands/chat/message.ts'
import type { LooseInput } from '../commands/input.ts'
import type { StartInput } from '../commands/server/start.ts'
import { ensureHome, findHome, type Home } from '../home/home.ts'
import { type Obstacle, StartFailure } from '../failure/startfailure.ts'
import { collectWhenIdle } from '../process/idlegarbage.ts'
import type { RunningServer } from '../server/server.ts'
import { type BegunOpening, beginOpening } from '../server/opening.ts'
import { spokenLine } from '../commands/chat/lines.ts'
import { chooseCompilers } from './compilers.ts'
import { closeInherited } from './inherited.ts'
import { print, remark, tell } from '../commands/terminal.ts'
import { readyLine } from './ready.ts'
import { readVersion } from './version.ts'
import { messageOf } from '../failure/thrown.ts'

/** Collecting garbage takes 40 ms, or 70 ms with 10,000 clients: less than this is not worth it. */
const WORTH_BYTES = 16 * 1024 * 1024
/** Garbage of the start is kept for this long: usually a burst follows, and reuses its memory. */
const START_MS = 60_000

/** Resolves with the exit code once the server has drained (or runs in the background). */
export async function serverStart(loose: LooseInput, json: boolean): Promise<number> {
  closeInherited()
  const input = loose as StartInput
  const home = findHome()
  const free = await claimHome(home)
  if (!free.ok) return tell(free.error, json)
  if (input.detach) {
    const { startDetached } = await import('./detach.ts')
    return await startDetached(home, input, json)
  }
  const started = await start(home, input, json)
  if (!started.ok) return tell(started.error, json)
  const server = started.output
  keepServingOnBrokenPipe()
  obeySignals(server)
  const forget = notePid(home, server.pid)
  // Writes the compile cache, which a killed process would not, and frees the 4 MB that were read from it.
  flushCompileCache()
  print(readyLine({ ...server, warnings: server.exposures() }, json))
  if (input.example && !json) {
    const { exampleHelp } = await import('../commands/server/example.ts')
    remark(exampleHelp(home, server))
  }
  void server.loaded.then(settleDown)
  const failure = await server.stopped
  forget()
  // Whatever is still open then.
  if (failure !== undefined) process.exit(tell(endedItself(failure), json))
  return 0
}

function settleDown(): void {
  // Again, for the commands.
  flushCompileCache()
  // After everything is loaded: V8's flags are part of that cache's key.
  chooseCompilers()
  collectWhenIdle(WORTH_BYTES, START_MS)
}

function endedItself(failure: string): Failure {
  const hint = 'start it again: nothing that was acknowledged is lost; the log says more'
  return cannot('internal', `the server has ended, because ${failure}`, hint).error
}

/** For scripts: a full disk is no reason not to serve. Returns a function that removes the file. */
function notePid({ pidFile }: Home, pid: number): () => void {
  try {
    writeFileSync(pidFile, `${pid}\n`, { mode: 0o600 })
    return () => rmSync(pidFile, { force: true })
  } catch (error) {
    remark(`warning: ${pidFile} cannot be written: ${messageOf(error)}`)
    return () => undefined
  }
}

async function claimHome(home: Home): Promise<Answer<undefined>> {
  try {
    ensureHome(home)
  } catch (error) {
    return unusable(home.folder, error)
  }
  const other = await connectControl(home)
  if (!other.ok) return other.error.kind === 'not_running' ? expectWhole(home) : other
  return cannot('setup', await alreadyRunning(home, other.client), HINTS['other server'])
}

async function start(home: Home, input: StartInput, json: boolean): Promise<Answer<RunningServer>> {
  const { loadConfig } = await import('../config/config.ts')
  const { formatProblem } = await import('../yaml/yamlfile.ts')
  const { name, host, port, webhookHost, webhookPort } = input
  const flags = { name, host, port, webhookHost, webhookPort }
  let file = input.config
  const read = () => {
    // Once there was one, a reload without it would undo every setting, the password too.
    if (existsSync(home.config)) file ??= home.config
    return loadConfig({ home, file, flags, env: process.env })
  }
  const loaded = read()
  if (!loaded.ok) {
    return wrong(
      'invalid',
      'the settings are invalid',
      'fix them, then start again',
      loaded.problems.map(formatProblem),
    )
  }
  for (const warning of loaded.warnings) remark(`warning: ${warning}`)
  if (input.example) {
    const { writeExample } = await import('../commands/server/example.ts')
    const written = await writeExample(home, loaded.config.name)
    if (!written.ok) return written
  }

  const shows = !json && (process.stdout.isTTY || input.example === true)
  let begun: BegunOpening | undefined
  try {
    begun = beginOpening(loaded.config, home)
    const { startServer } = await import('../server/server.ts')
    const server = await startServer(loaded.config, {
      home,
      version: readVersion(),
      reread: read,
      begun,
      ...(shows ? { onSpoken: showSpoken } : {}),
    })
    return { ok: true, output: server }
  } catch (error) {
    await begun?.abandon()
    return whyNotStarted(error, loaded.config.dataDir ?? home.data)
  }
}

/** Whatever prevents a start is environmental: an address in use, another server's store, a full disk. */
function whyNotStarted(error: unknown, dataDir: string): Answer<never> {
  const ofDatabase = unusableDatabase(dataDir, error)
  if (ofDatabase) return ofDatabase
  const hint =
    error instanceof StartFailure ? HINTS[error.obstacle] : 'see the log above, or set HOOKLINE_DEBUG=1'
  return cannot('setup', messageOf(error), hint)
}

function showSpoken(spoken: SpokenEntry): void {
  print(spokenLine(viewOfSpoken(spoken), { channel: true }))
}

const HINTS: Readonly<Record<Obstacle, string>> = {
  listener:
    'choose another address: --host, --port (0 is any free port), or listeners in server.yaml where it has several',
  'webhook listener': 'choose another address: --webhook-host, --webhook-port (0 is any free port)',
  certificate:
    'listeners[].tls in server.yaml names two PEM files that belong together and that the server may read, the key without a passphrase',
  motd: 'name a file that the server may read, or remove server.motd_file from server.yaml',
  'control socket': 'for example: HOOKLINE_HOME=/var/lib/hookline',
  'database left behind':
    'if the disk of data_dir is mounted: move all files of the other folder there, or remove data_dir from server.yaml',
  'other server': 'stop it with: hookline server stop; or set HOOKLINE_HOME to another folder',
}

/** Signals within this time count as one. */
const SAME_SIGNAL_MS = 500

/** The first signal asks the server to drain; the second exits at once. */
function obeySignals(server: RunningServer): void {
  let askedAt: number | undefined
  const stop = (): void => {
    // If bin/hookline.js started this process, one Ctrl-C in a terminal arrives twice: directly, and forwarded by it.
    if (askedAt !== undefined && performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(1)
    askedAt ??= performance.now()
    server.stop()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  // It means that the terminal was closed. Without one it is what renewed a certificate, and says so as to other daemons.
  process.on('SIGHUP', process.stdin.isTTY ? stop : () => void server.reload())
  // Other daemons reopen their logs on SIGUSR1. Node would open a debugger port.
  process.on('SIGUSR1', () => {})
  // Started by bin/hookline.js on an older Node: if that is killed outright, this process must stop too.
  if (process.channel) {
    process.channel.unref()
    process.once('disconnect', () => server.stop())
  }
}

/** `hookline server start | head -1` must not end the server with head. */
function keepServingOnBrokenPipe(): void {
  process.stdout.removeAllListeners('error').on('error', () => undefined)
}
