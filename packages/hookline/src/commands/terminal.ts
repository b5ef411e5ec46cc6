// The two output streams: results on stdout, everything else on stderr.
import { styleText } from 'node:util'
import { cannot, type Failure } from '../control/failure.ts'
import { stripControls } from '../text/controlchars.ts'
import { asCalled } from './called.ts'

type Look = Parameters<typeof styleText>[0]

/** Colours when stdout is a terminal that wants them; styleText honours `NO_COLOR`. */
export function colour(look: Look, text: string): string {
  return styleText(look, text, { stream: process.stdout })
}

/** For untrusted text: on a terminal it must not move the cursor or change the title. */
export function inert(text: string): string {
  return process.stdout.isTTY ? stripControls(text) : text
}

/** Prints one result, with a newline. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints hints and next steps, which are not results. */
export function remark(text: string): void {
  const shown = asCalled(text)
  process.stderr.write(`${process.stderr.isTTY ? stripControls(shown) : shown}\n`)
}

/** One line. JSON itself escapes only some control characters. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Prints a failure, as JSON if asked for, and returns the exit code. */
export function tell(told: Failure, json: boolean): number {
  const failure = { ...told, remediation: asCalled(told.remediation) }
  process.stderr.write(`${json ? toJson(failure) : formatFailure(failure)}\n`)
  return failure.code
}

function formatFailure({ message, details = [], remediation }: Failure): string {
  const head = styleText('red', 'error:', { stream: process.stderr })
  const clean = process.stderr.isTTY ? stripControls : (text: string) => text
  return [
    `${head} ${clean(message)}`,
    ...details.map((line) => `  ${clean(line)}`),
    `hint: ${clean(remediation)}`,
  ].join('\n')
}

/**
 * `hookline history … | head` ends when head has read enough, which is no error. A closed stderr is ignored too: losing
 * remarks is no reason to stop half-way.
 */
export function endQuietlyOnBrokenPipe(): void {
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(process.exitCode ?? 0)
    const text = `the result cannot be written: ${message}`
    const { error } = cannot('setup', text, 'make room where it goes, then run it again')
    process.exit(tell(error, process.argv.includes('--json')))
  })
}
