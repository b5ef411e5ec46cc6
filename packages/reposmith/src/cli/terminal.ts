// The two output streams: results on stdout, everything else on stderr.
import { styleText } from 'node:util'
import type { Failure } from '../failure.ts'
import { toJsonText } from '../json.ts'

type Look = Parameters<typeof styleText>[0]

/** Colours when stdout is a terminal that wants them; styleText honours `NO_COLOR`. */
export function colour(look: Look, text: string): string {
  return styleText(look, text, { stream: process.stdout })
}

/** Strips control and bidi characters: texts from the host or a template are not trusted. */
export function stripControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '')
}

/** Prints one result, with a newline. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints hints and progress, which are not results. */
export function remark(text: string): void {
  process.stderr.write(`${forStderr(text)}\n`)
}

/** Prints a failure, as JSON if asked for, and returns the exit code. */
export function tell(failure: Failure, json: boolean): number {
  process.stderr.write(`${json ? toJson(failure) : formatFailure(failure)}\n`)
  return failure.code
}

/** One line, with control and bidi characters escaped. */
export function toJson(value: unknown): string {
  return toJsonText(value).replaceAll(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function formatFailure({ message, details = [], remediation, partial }: Failure): string {
  const head = styleText('red', 'error:', { stream: process.stderr })
  const applied = partial?.applied.length ? [`  applied: ${partial.applied.join(', ')}`] : []
  const open = partial?.not_reached.length ? [`  not reached: ${partial.not_reached.join(', ')}`] : []
  const lines = [
    message,
    ...details.map((line) => `  ${line}`),
    ...applied,
    ...open,
    `hint: ${remediation}`,
    ...(partial ? [`hint: continue with: ${partial.resume}`] : []),
  ]
  return `${head} ${forStderr(lines.join('\n'))}`
}

/** Only a terminal could obey a control character. */
function forStderr(text: string): string {
  return process.stderr.isTTY ? stripControls(text) : text
}

/**
 * `reposmith learn | head` ends when head has read enough, which is no error. A closed stderr is ignored too: losing
 * remarks is no reason to stop half-way.
 */
export function endQuietlyOnBrokenPipe(): void {
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(process.exitCode ?? 0)
    const failure: Failure = {
      code: 2,
      kind: 'setup',
      message: `the result cannot be written: ${message}`,
      remediation: 'make room where it goes, then run it again',
    }
    process.exit(tell(failure, process.argv.includes('--json')))
  })
}
