// The command line of a worker: its namespace, a shell that sets the kernel's limits, and its interpreter.
import { release } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { HandlerFile } from './find.ts'
import type { HandlerLimits } from './limits.ts'
import type { Namespace } from './namespace.ts'

export function launch(handler: HandlerFile, limits: HandlerLimits, namespace: Namespace): readonly string[] {
  const enter = namespace.ok ? namespace.command : []
  const run = namespace.ok ? within(limits.processes) : 'exec "$@"'
  const script = `${everywhere(handler, limits)}\n${run}`
  return [...enter, '/bin/sh', '-c', script, 'sh', ...interpreter(handler, limits)]
}

/** Python is `python3`, or what HOOKLINE_PYTHON names. */
export function pythonCommand(): string {
  return process.env['HOOKLINE_PYTHON'] || 'python3'
}

function interpreter({ language }: HandlerFile, limits: HandlerLimits): readonly string[] {
  // -B: no __pycache__ in the bot's folder. Python limits its own address space, once it has started.
  if (language === 'python') return [pythonCommand(), '-B', '-X', 'utf8', script('worker.py')]
  return [
    process.execPath,
    `--max-old-space-size=${limits.heapMiB}`,
    '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
    script('worker.mjs'),
  ]
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

/** The shell stays as PID 1, which reaps zombies and cannot be killed from within. */
function within(processes: number): string {
  return [
    // Since Linux 5.14 RLIMIT_NPROC counts within the user namespace; before, it counted all processes of the user.
    // dash and ash call it -p.
    ...(isKernel(5, 14) ? [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null`] : []),
    // It does not bind root. Since Linux 6.14 each PID namespace has its own pid_max (before, this would set everybody's), of which
    // the first 300 are not reused.
    ...(process.getuid?.() === 0 && isKernel(6, 14)
      ? [`[ $$ = 1 ] && echo ${300 + processes} 2>/dev/null >/proc/sys/kernel/pid_max`]
      : []),
    // Hides the shell's own message about how the worker ended.
    'exec 4>&2 2>/dev/null',
    '"$@" 2>&4 4>&-',
    'exit $?',
  ].join('\n')
}

function isKernel(major: number, minor: number): boolean {
  const [ours = 0, oursMinor = 0] = release().split('.').map(Number)
  return ours > major || (ours === major && oursMinor >= minor)
}

/** A file beside this one. */
export function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
