// What the two commands share of their command lines.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Measurement, MEASUREMENTS } from './measurements.ts'

/** This one. */
export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))

/** Of measurements and of groups of them. */
export const NAMES: ReadonlySet<string> = new Set(
  Object.entries(MEASUREMENTS).flatMap(([name, { group = name }]) => [name, group]),
)

export interface Arguments {
  readonly names: readonly string[]
  readonly json: boolean
  readonly rounds: number
}

const MAX_ROUNDS = 50

export function readArguments(help: string): Arguments {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        rounds: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      console.log(
        `${help}\n${listOf(undefined)}\n\ngrowth:\n${listOf('growth')}\n\nattacks:\n${listOf('attacks')}`,
      )
      process.exit(0)
    }
    const rounds = Number(values.rounds ?? 3)
    if (!Number.isInteger(rounds) || rounds < 1 || rounds > MAX_ROUNDS)
      refuse(`--rounds is a number from 1 to ${MAX_ROUNDS}`, 'each takes about a minute and a half')
    return { names: positionals, json: values.json ?? false, rounds }
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), 'see --help')
  }
}

/** By name or group; where none is named those of no group, which take less than a minute together. */
export function chosen(names: readonly string[]): readonly (readonly [string, Measurement])[] {
  const unknown = names.find((name) => !NAMES.has(name))
  if (unknown !== undefined) refuse(`nothing is called ${unknown}`, `one of ${[...NAMES].join(', ')}`)
  return Object.entries(MEASUREMENTS).filter(([name, { group }]) =>
    names.length === 0
      ? group === undefined
      : names.includes(name) || (group !== undefined && names.includes(group)),
  )
}

function listOf(wanted: Measurement['group']): string {
  return Object.entries(MEASUREMENTS)
    .filter(([, { group }]) => group === wanted)
    .map(([name, { what }]) => `  ${name.padEnd(15)} ${what}`)
    .join('\n')
}

export function refuse(message: string, hint: string): never {
  console.error(`error: ${message}\nhint: ${hint}`)
  process.exit(1)
}
