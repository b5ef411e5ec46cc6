// The two output streams: results on stdout, everything else on stderr.
import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import type { Failure } from '../failure.ts'
import { toJsonText } from '../json.ts'
import type { Stream, World } from './world.ts'

export type Paint = (look: Parameters<typeof styleText>[0], text: string) => string

export interface Terminal {
  /** Prints one result, with a newline. */
  readonly print: (text: string) => void
  /** Prints hints and progress, which are not results. */
  readonly remark: (text: string) => void
  /** Prints a failure, as JSON if asked for, and returns the exit code. */
  readonly tell: (failure: Failure, json: boolean) => number
  /** Colours a result. */
  readonly colour: Paint
  /** Somebody watches the results. */
  readonly isWatched: boolean
}

export function terminalOf({ env, stdout, stderr }: Pick<World, 'env' | 'stdout' | 'stderr'>): Terminal {
  // Only a terminal could obey a control character.
  const forStderr = (text: string): string => (stderr.isTTY ? stripControls(text) : text)
  const error = painter(stderr, env)('red', 'error:')
  return {
    print: (text) => void stdout.write(`${text}\n`),
    remark: (text) => void stderr.write(`${forStderr(text)}\n`),
    tell(failure, json) {
      stderr.write(`${json ? toJson(failure) : `${error} ${forStderr(linesOf(failure))}`}\n`)
      return failure.code
    },
    colour: painter(stdout, env),
    isWatched: stdout.isTTY === true,
  }
}

/** Colours if the stream is a terminal that has some; `NO_COLOR` and `FORCE_COLOR` are honoured. */
function painter({ isTTY }: Stream, env: NodeJS.ProcessEnv): Paint {
  const asks = isTTY === true || env['FORCE_COLOR'] !== undefined
  const hasColours = asks && WriteStream.prototype.getColorDepth(env) > 2
  return (look, text) => (hasColours ? styleText(look, text, { validateStream: false }) : text)
}

/** Strips control and bidi characters: texts from the host or a template are not trusted. */
export function stripControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '')
}

/** One line, with control and bidi characters escaped. */
export function toJson(value: unknown): string {
  return toJsonText(value).replaceAll(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function linesOf({ message, details = [], remediation, partial }: Failure): string {
  const applied = partial?.applied.length ? [`  applied: ${partial.applied.join(', ')}`] : []
  const open = partial?.not_reached.length ? [`  not reached: ${partial.not_reached.join(', ')}`] : []
  return [
    message,
    ...details.map((line) => `  ${line}`),
    ...applied,
    ...open,
    `hint: ${remediation}`,
    ...(partial ? [`hint: continue with: ${partial.resume}`] : []),
  ].join('\n')
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
    process.exit(terminalOf(process).tell(failure, process.argv.includes('--json')))
  })
}
