// How a worker ended, in words, and what its author can do about it.
import { constants } from 'node:os'

/** `exit code 3`, `signal SIGKILL`. A shell reports a signal as 128 plus its number. */
export function howItEnded(code: number | null, signal: string | null): string {
  const told = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]
  const name = signal ?? told
  return name === undefined ? `exit code ${code}` : `signal ${name}`
}

/** One sentence; empty when what was printed says it all. */
export function whatToDo(how: string): string {
  const known = ADVICE.find(([pattern]) => pattern.test(how))
  return known?.[1] ?? ''
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^exit code 0$/, 'A handler returns its message; it does not end its process.'],
  [/^exit code 12[67]$/, 'Its interpreter cannot be run: install it, or set HOOKLINE_PYTHON to its path.'],
  [
    /^exit code 71$/,
    'It could not be isolated, or something in handler.files cannot be shown. Leave that out, or the whole of handler: to run it unisolated.',
  ],
  [/^exit code 74$/, 'It closed descriptor 3, its connection to the server: close only what you opened.'],
  [/^exit code 1$/, 'It ended its process, or nobody caught an exception: await whatever may fail.'],
  [/^exit code/, 'A handler that cannot go on raises an exception; it does not end its process.'],
  [/SIGKILL$/, 'It killed itself, or the system ran out of memory: use less.'],
  [/SIG(ABRT|TRAP)$/, 'Often the cause is memory: keep less, or release it sooner.'],
  [/SIGXFSZ$/, 'A file grew too large: write less to it.'],
  [/SIG(SEGV|BUS|ILL|FPE)$/, 'That is a crash in native code: check the libraries that it uses.'],
  [/^it wrote|^its answer/, 'Print to standard output: descriptor 3 is the connection to the server.'],
  [/^it printed/, 'Print less: it all goes to the server log.'],
]
