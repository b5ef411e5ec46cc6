// The command line of a worker: its namespaces, a shell that sets the kernel's limits, and its interpreter.
import { release } from 'node:os'
import type { Refusable } from '../failure/refusal.ts'
import { type Enclosure, enclosed, type Place, veiled } from './enclosure.ts'
import type { HandlerFile } from './find.ts'
import { interpreterOf, networkPaths, script, systemPaths } from './interpreter.ts'
import type { HandlerLimits } from './limits.ts'
import { isWithin } from './mountinfo.ts'
import type { Namespace } from './namespace.ts'
import { type Isolation, openFiles } from './openfiles.ts'

export interface Launch {
  readonly handler: HandlerFile
  readonly limits: HandlerLimits
  readonly namespace: Namespace
  readonly place: Place
  /** Undefined: as handlers ran before there was any. */
  readonly isolation: Isolation | undefined
}

/** The reason says what to change in bot.yaml. */
export async function launch(options: Launch): Promise<Refusable<{ command: readonly string[] }>> {
  const { handler, limits } = options
  const { program, needs } = await interpreterOf(handler)
  const found = enclosureOf(options, [...needs, script(workerOf(handler))])
  if (!found.ok) return found
  const { enclosure } = found
  const lines = enclosure
    ? [maxPids(limits), ...enclosure.prepare, everywhere(handler, limits), within(limits)]
    : [everywhere(handler, limits), 'exec "$@"']
  const { enter = [], leave = [] } = enclosure ?? {}
  const command = [...enter, '/bin/sh', '-c', lines.join('\n'), 'sh', ...leave]
  return { ok: true, command: [...command, program, ...argumentsOf(handler, limits)] }
}

function enclosureOf(
  { namespace, place, isolation }: Launch,
  needs: readonly string[],
): Refusable<{ enclosure: Enclosure | undefined }> {
  if (!namespace.ok) return { ok: true, enclosure: undefined }
  if (namespace.bare) return { ok: true, enclosure: { enter: namespace.bare, prepare: [], leave: [] } }
  if (!isolation) return { ok: true, enclosure: veiled(place) }
  const opened = openFiles(isolation.files, place)
  if (!opened.ok) return opened
  const system = [...systemPaths(), ...(isolation.network ? networkPaths() : [])]
  const isIn = (path: string, others: readonly string[]): boolean =>
    others.some((each) => each !== path && each !== '/' && isWithin(path, each))
  const besides = needs.filter((path) => path !== '/' && !isIn(path, system) && !isIn(path, needs))
  const shown = [...system, ...besides, place.folder].map((path) => ({ path, isWritable: false }))
  const { network } = isolation
  return { ok: true, enclosure: enclosed([...shown, ...opened.shown], { ...place, network }) }
}

function workerOf({ language }: HandlerFile): string {
  return language === 'python' ? 'worker.py' : 'worker.mjs'
}

function argumentsOf(handler: HandlerFile, limits: HandlerLimits): readonly string[] {
  const worker = script(workerOf(handler))
  // -B: no __pycache__ in the bot's folder. Python limits its own address space, once it has started.
  if (handler.language === 'python') return ['-B', '-X', 'utf8', worker]
  return [`--max-old-space-size=${limits.heapMiB}`, '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', worker]
}

/** A limit that is already lower cannot be raised, and stays. */
function everywhere({ language }: HandlerFile, limits: HandlerLimits): string {
  return [
    'ulimit -c 0',
    `ulimit -n ${limits.openFiles}`,
    `ulimit -f ${limits.fileBytes / 512}`,
    // V8 reserves more address space than it uses, so only writable memory is limited.
    ...(language === 'node' ? [`ulimit -d ${limits.dataBytes / 1024}`] : []),
  ]
    .map((line) => `${line} 2>/dev/null`)
    .join('\n')
}

/**
 * RLIMIT_NPROC does not bind root. Since Linux 6.14 each PID namespace has its own pid_max (before, this would set everybody's), of
 * which the first 300 are not reused.
 */
function maxPids({ processes }: HandlerLimits): string {
  const isOurs = process.getuid?.() === 0 && isKernel(6, 14)
  return isOurs ? `[ $$ = 1 ] && echo ${300 + processes} 2>/dev/null >/proc/sys/kernel/pid_max` : ''
}

/** The shell stays as PID 1, which reaps zombies and cannot be killed from within. */
function within({ processes }: HandlerLimits): string {
  return [
    // Since Linux 5.14 RLIMIT_NPROC counts within the user namespace; before, it counted all processes of the user.
    // dash and ash call it -p.
    ...(isKernel(5, 14) ? [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null`] : []),
    // What whoever started the server left open is not the handler's. Hides the shell's own message about how the worker ended.
    'exec 4>&2 2>/dev/null 5>&- 6>&- 7>&- 8>&- 9>&-',
    '"$@" 2>&4 4>&-',
    'exit $?',
  ].join('\n')
}

function isKernel(major: number, minor: number): boolean {
  const [ours = 0, oursMinor = 0] = release().split('.').map(Number)
  return ours > major || (ours === major && oursMinor >= minor)
}
