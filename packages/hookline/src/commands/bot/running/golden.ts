// A bot's expected messages, in files beside it: `golden/github/push.txt`.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeWhole } from '../../../home/atomic.ts'
import type { Composed } from '../../../message/composed.ts'
import { goldenOf } from '../../../bots/golden.ts'
import { diffLines } from '../../../bots/linediff.ts'
import { cannot, done, type Answer } from '../../../control/failure.ts'
import { messageOf } from '../../../failure/thrown.ts'

export interface GoldenView {
  readonly file: string
  readonly status: 'same' | 'different' | 'written'
  /** `- expected`, `+ now`, `  both`. */
  readonly diff: readonly string[]
}

/** A relative path, with nothing hidden and nothing outside the bot's folder. */
export const GOLDEN_NAME = /^[A-Za-z0-9][\w.-]{0,200}(?:\/[A-Za-z0-9][\w.-]{0,200}){0,3}$/

/** Writes the file if it is missing or `isUpdated`; otherwise compares. */
export function holdAgainst(
  botFolder: string,
  name: string,
  composed: Composed,
  isUpdated: boolean,
): Answer<GoldenView> {
  const file = join(botFolder, 'golden', `${name}.txt`)
  try {
    return done(compareOrWrite(file, composed, isUpdated))
  } catch (error) {
    return cannot(
      'setup',
      `${file} cannot be used: ${messageOf(error)}`,
      'check that you may write to its folder, and that the disk has room',
    )
  }
}

function compareOrWrite(file: string, composed: Composed, isUpdated: boolean): GoldenView {
  const now = goldenOf(composed)
  const before = existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : undefined
  if (before === now) return { file, status: 'same', diff: [] }
  if (before !== undefined && !isUpdated)
    return { file, status: 'different', diff: short(diffLines(before, now)) }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeWhole(file, now)
  return { file, status: 'written', diff: [] }
}

/** A message may have a megabyte; a diff is for reading. */
const MOST_LINES = 40
const MOST_CHARS = 2_000

function short(diff: readonly string[]): readonly string[] {
  const shown = diff
    .slice(0, MOST_LINES)
    .map((line) => (line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS)}…` : line))
  const more = diff.length - shown.length
  return more > 0 ? [...shown, `… (+${more} lines)`] : shown
}
