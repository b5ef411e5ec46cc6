// The two streams that a command writes to: results on stdout, everything else on stderr.
import { styleText } from 'node:util'
import type { Failure } from '../failure.ts'

type Look = Parameters<typeof styleText>[0]

/** Colour where stdout is a terminal that wants it; `NO_COLOR` is obeyed by styleText. */
export function colour(look: Look, text: string): string {
  return styleText(look, text, { stream: process.stdout })
}

/** Takes out what a terminal would act on: the host's words and a template's are somebody else's. */
export function stripControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '')
}

/** One result, with a line end. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Not a result: hints, progress. */
export function remark(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? stripControls(text) : text}\n`)
}

/** Tells a failure as the flags ask for it, and gives the exit code. */
export function tell(failure: Failure, json: boolean): number {
  if (json) process.stderr.write(`${toJson(failure)}\n`)
  else process.stderr.write(`${formatFailure(failure)}\n`)
  return failure.code
}

/** One line, in which what a terminal would act on is escaped. Octokit reads a number too large for JavaScript as a bigint. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each))
  return text.replaceAll(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function formatFailure({ message, details = [], remediation, partial }: Failure): string {
  const head = styleText('red', 'error:', { stream: process.stderr })
  const clean = process.stderr.isTTY ? stripControls : (text: string) => text
  const applied = partial?.applied.length ? [`  applied: ${partial.applied.join(', ')}`] : []
  const open = partial?.not_reached.length ? [`  not reached: ${partial.not_reached.join(', ')}`] : []
  return [
    `${head} ${clean(message)}`,
    ...details.map((line) => `  ${clean(line)}`),
    ...applied,
    ...open,
    `hint: ${clean(remediation)}`,
    ...(partial ? [`hint: go on with: ${partial.resume}`] : []),
  ].join('\n')
}

/**
 * `reposmith learn | head` ends when head has seen enough: that is no error. Remarks are for whoever still listens, and nobody there is no reason
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
