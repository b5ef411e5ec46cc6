// The two streams that a command writes to: results on stdout, everything else on stderr.
import { styleText } from 'node:util'
import type { Failure } from '../control/failure.ts'
import { stripControls } from '../controls.ts'

type Look = Parameters<typeof styleText>[0]

/** Colour where stdout is a terminal that wants it; `NO_COLOR` is obeyed by styleText. */
export function colour(look: Look, text: string): string {
  return styleText(look, text, { stream: process.stdout })
}

/** Somebody else's words: on a terminal they may not move the cursor or change its title. */
export function inert(text: string): string {
  return process.stdout.isTTY ? stripControls(text) : text
}

/** One result, with a line end. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Not a result: hints and next steps. */
export function remark(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? stripControls(text) : text}\n`)
}

/** One line. JSON itself escapes only some of what a terminal would act on. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Tells a failure as the flags ask for it, and gives the exit code. */
export function tell(failure: Failure, json: boolean): number {
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
 * `hookline history … | head` ends when head has seen enough: that is no error. Remarks are for whoever still listens, and nobody there is no reason
 * to stop half-way.
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
