// Steps of a delivery's way at which the trust suite kills the server, to see that nothing acknowledged is lost.

/** Each is passed when what its name says has just happened; `committing` just before SQLite's COMMIT. */
export type Step =
  | 'accepted'
  | 'recorded'
  | 'composed'
  | 'committing'
  | 'committed'
  | 'telling'
  | 'told'
  | 'draining'

/** Does nothing, unless the environment has `HOOKLINE_CRASH_AT=step:n`: the n-th time that step is passed, this process is killed. */
export function crashPoint(step: Step): void {
  if (step === doomed && --passes === 0) process.kill(process.pid, 'SIGKILL')
}

const [doomed, nth] = process.env['HOOKLINE_CRASH_AT']?.split(':') ?? []
let passes = Number(nth ?? 1)
