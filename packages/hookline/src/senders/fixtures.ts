// Sample payloads of presets: `github/fixtures/push.json` is the fixture `github/push`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findPreset } from './presets.ts'
import { senders } from './senders.ts'

export interface Fixture {
  /** `github/pull_request.closed-merged` */
  readonly name: string
  /** The payload as the service would send it. */
  readonly payload: string
  /** The headers that the service would send, by lower-case name: its event, if it names that in one. */
  readonly headers: Readonly<Record<string, string>>
  /** Of a captured one that no request brought: the server's name for the event. */
  readonly event?: string | undefined
}

/** Names of all fixtures, or of one preset's, in alphabetical order. */
export function fixtureNames(preset?: string): readonly string[] {
  const presets = preset === undefined ? readdirSync(folder) : [preset]
  return presets
    .filter((name) => SAFE.test(name) && existsSync(folderOf(name)))
    .flatMap((name) => filesOf(name).map((file) => `${name}/${file.slice(0, -ENDING.length)}`))
    .toSorted()
}

/** Undefined when there is none of that name. */
export function findFixture(name: string): Fixture | undefined {
  const [preset = '', file = ''] = name.split('/')
  if (!fixtureNames(preset).includes(name)) return undefined
  const payload = readFileSync(new URL(`${file}${ENDING}`, folderOf(preset)), 'utf8')
  return { name, payload, headers: { ...headersOf(preset, file), ...headersBeside(preset, payload) } }
}

const folder = new URL('./', import.meta.url)
const ENDING = '.json'
const SAFE = /^[a-z][a-z-]*$/

function folderOf(preset: string): URL {
  return new URL(`${preset}/fixtures/`, folder)
}

function filesOf(preset: string): string[] {
  return readdirSync(folderOf(preset)).filter((file) => file.endsWith(ENDING))
}

/** A file is called `<event>[.<action>][-<variant>].json`: what comes before `.` or `-` is the event, with `__` for `:`. */
function headersOf(preset: string, file: string): Record<string, string> {
  const header = findPreset(preset)?.event?.header
  const event = /^[^.-]+/.exec(file)?.[0]
  return header === undefined || event === undefined ? {} : { [header]: event.replaceAll('__', ':') }
}

/** Of a service whose preset reads the event in the payload: bots without the preset choose templates by its header. */
function headersBeside(preset: string, payload: string): Record<string, string> {
  const { header, write } = senders[preset]?.event ?? {}
  return header === undefined || write === undefined ? {} : { [header]: write(JSON.parse(payload)) }
}
