// What the two commands share of their command lines.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Measurement, MEASUREMENTS } from './measurements.ts'

/** This one. */
export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))

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
      const names = Object.entries(MEASUREMENTS).map(([name, { what }]) => `  ${name.padEnd(12)} ${what}`)
      console.log(`${help}\n${names.join('\n')}`)
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

/** All where none is named. */
export function chosen(names: readonly string[]): readonly (readonly [string, Measurement])[] {
  const unknown = names.find((name) => !Object.hasOwn(MEASUREMENTS, name))
  if (unknown !== undefined)
    refuse(`nothing is called ${unknown}`, `one of ${Object.keys(MEASUREMENTS).join(', ')}`)
  return Object.entries(MEASUREMENTS).filter(([name]) => names.length === 0 || names.includes(name))
}

export function refuse(message: string, hint: string): never {
  console.error(`error: ${message}\nhint: ${hint}`)
  process.exit(1)
}
