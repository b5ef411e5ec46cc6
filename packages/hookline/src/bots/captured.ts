// Payloads that came to a bot, kept in its folder to be tried again: `captured/push-d-….json`, exactly as they came, so
// that editors, jq and `bot test --payload` can read them. Headers and other facts are next to them, in `….about.json`.
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownEvent } from './causes.ts'
import type { Fixture } from '../senders/fixtures.ts'
import { isCode } from '../failure/thrown.ts'

/** What is stored of one delivery. */
export interface Capture {
  readonly id: string
  readonly event: string | null
  readonly receivedAt: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export const CAPTURED = 'captured'

/**
 * `captured/push-d-…` of each, the oldest first; those that a person added or renamed come last. None when there is no such
 * folder.
 */
export function capturedNames(botFolder: string): readonly string[] {
  const folder = join(botFolder, CAPTURED)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    .filter((file) => file.endsWith(ENDING) && !file.endsWith(ABOUT_ENDING) && !file.startsWith('.'))
    .map((file) => file.slice(0, -ENDING.length))
    .toSorted(byAge)
    .map((stem) => `${CAPTURED}/${stem}`)
}

/** Undefined when there is none of that name, with or without `.json` at its end. */
export function findCaptured(botFolder: string, wanted: string): Fixture | undefined {
  const name = wanted.endsWith(ENDING) ? wanted.slice(0, -ENDING.length) : wanted
  if (!capturedNames(botFolder).includes(name)) return undefined
  const path = join(botFolder, name)
  const { event, headers } = readAbout(`${path}${ABOUT_ENDING}`)
  return {
    name,
    payload: readFileSync(`${path}${ENDING}`, 'utf8'),
    headers,
    event: ownEvent(headers, event),
  }
}

/** Writes it, 0600, whole or not at all; false if it was there already. Rejects when the folder is a link, or the disk refuses it. */
export async function keepCaptured(
  botFolder: string,
  { id, event, receivedAt, headers, body }: Capture,
): Promise<boolean> {
  const folder = join(botFolder, CAPTURED)
  // Not recursive: the bot may have been deleted, and a folder without a bot.yaml would be in the way of the next one.
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error
  })
  if ((await lstat(folder)).isSymbolicLink())
    throw new Error(`${folder} is a symbolic link: replace it with the folder itself`)
  const word = (event ?? 'none')
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, MOST_WORD)
  const path = join(folder, `${word}-${id}`)
  if (existsSync(`${path}${ENDING}`)) return false
  const about = { id, event, received_at: new Date(receivedAt).toISOString(), headers }
  await put(`${path}${ABOUT_ENDING}`, `${JSON.stringify(about, null, 2)}\n`)
  try {
    await put(`${path}${ENDING}`, body)
  } catch (error) {
    await rm(`${path}${ABOUT_ENDING}`, { force: true })
    throw error
  }
  return true
}

/** Removes the oldest captured payloads beyond `most`, but none that a person named. Returns the counts. */
export async function pruneCaptured(
  botFolder: string,
  most: number,
): Promise<{ kept: number; removed: number }> {
  const ours = capturedNames(botFolder).filter((name) => idOf(name) !== '')
  const old = ours.slice(0, Math.max(0, ours.length - most))
  for (const name of old) {
    await rm(join(botFolder, `${name}${ENDING}`), { force: true })
    await rm(join(botFolder, `${name}${ABOUT_ENDING}`), { force: true })
  }
  return { kept: ours.length - old.length, removed: old.length }
}

const ENDING = '.json'
const ABOUT_ENDING = '.about.json'
/** Characters of the event in a file's name: file systems allow 255 bytes. */
const MOST_WORD = 60

async function put(path: string, what: string | Uint8Array): Promise<void> {
  const temporary = join(path, '..', `.${randomUUID()}.tmp`)
  try {
    await writeFile(temporary, what, { mode: 0o600 })
    await rename(temporary, path)
  } catch (error) {
    // On a full disk, a partial file would only make that worse.
    await rm(temporary, { force: true })
    throw error
  }
}

/** Ids of deliveries begin with their time, so sorting by id sorts by age. */
function byAge(one: string, other: string): number {
  const [first, second] = [idOf(one), idOf(other)]
  if (first !== second) return first === '' || (second !== '' && first > second) ? 1 : -1
  return one < other ? -1 : 1
}

function idOf(name: string): string {
  return /-(d-[0-9a-z]{17})$/.exec(name)?.[1] ?? ''
}

/** For a payload that a person put there, this file may be missing or hold anything. */
function readAbout(path: string): { event: string | undefined; headers: Readonly<Record<string, string>> } {
  const about = parsed(path) as { readonly event?: unknown; readonly headers?: unknown } | null
  const texts = Object.entries(about?.headers ?? {}).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  )
  return {
    event: typeof about?.event === 'string' ? about.event : undefined,
    headers: Object.fromEntries(texts),
  }
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
