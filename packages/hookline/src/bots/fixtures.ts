// Sample payloads of presets: `presets/fixtures/github/push.json` is the fixture `github/push`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findPreset } from './presets.ts'

export interface Fixture {
  /** `github/pull_request.closed-merged` */
  readonly name: string
  /** The payload as the service would send it. */
  readonly payload: string
  /** What the service would say of it in headers, by lower-case name: its event, where it says that there. */
  readonly headers: Readonly<Record<string, string>>
}

/** Names of all fixtures, or of one preset's, in the order of the alphabet. */
export function fixtureNames(preset?: string): readonly string[] {
  const presets = preset === undefined ? readdirSync(folder) : [preset]
  return presets
    .filter((name) => safe.test(name) && existsSync(new URL(`${name}/`, folder)))
    .flatMap((name) => filesOf(name).map((file) => `${name}/${file.slice(0, -ending.length)}`))
    .toSorted()
}

/** Undefined when there is none of that name. */
export function findFixture(name: string): Fixture | undefined {
  const [preset = '', file = ''] = name.split('/')
  if (!fixtureNames(preset).includes(name)) return undefined
  const payload = readFileSync(new URL(`${name}${ending}`, folder), 'utf8')
  return { name, payload, headers: headersOf(preset, file) }
}

const folder = new URL('presets/fixtures/', import.meta.url)
const ending = '.json'
const safe = /^[a-z][a-z-]*$/

function filesOf(preset: string): string[] {
  return readdirSync(new URL(`${preset}/`, folder)).filter((file) => file.endsWith(ending))
}

/** A file is called `<event>[.<action>][-<variant>].json`: what stands before `.` or `-` is the event. */
function headersOf(preset: string, file: string): Record<string, string> {
  const header = /^headers\.(.+)$/.exec(findPreset(preset)?.event ?? '')?.[1]
  const event = /^[^.-]+/.exec(file)?.[0]
  return header === undefined || event === undefined ? {} : { [header]: event }
}
