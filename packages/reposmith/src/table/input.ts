// Checks the input against the command's description, and fills in defaults.
import { wrong, done, type Answer } from '../failure.ts'
import { flagOf, type Argument, type Command, type Option } from './command.ts'

export type LooseInput = Readonly<Record<string, unknown>>

/** Reports the first value that is missing, of the wrong type or out of range. */
export function checkInput(command: Command, input: LooseInput): Answer<LooseInput> {
  const given = new Map(Object.entries(input))
  const checked: Record<string, unknown> = {}
  for (const argument of command.arguments) {
    const problem = take(argument, 'text', given, checked)
    if (problem) return misused(command, `${argument.name.toUpperCase()} ${problem}`)
  }
  for (const option of command.options) {
    const problem = take(option, option.type, given, checked)
    if (problem) return misused(command, `${flagOf(option)} ${problem}`)
  }
  return done(checked)
}

function misused(command: Command, problem: string) {
  return wrong('usage', `${command.name}: ${problem}`, `see: reposmith ${command.name} --help`)
}

function take(
  field: Argument | Option,
  type: Option['type'],
  given: ReadonlyMap<string, unknown>,
  checked: Record<string, unknown>,
): string | undefined {
  const fallback = 'default' in field ? field.default : undefined
  const value = given.get(field.name) ?? fallback
  if (value === undefined) return field.required ? 'is missing' : undefined
  const problem = mismatch(field, type, value)
  if (!problem) checked[field.name] = value
  return problem
}

function mismatch(field: Argument | Option, type: Option['type'], value: unknown): string | undefined {
  switch (type) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'takes no value'
    case 'list':
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return 'takes a list'
      return value.length === 0 || value.includes('') ? 'is empty' : undefined
    case 'number': {
      const [low, high] = ('range' in field && field.range) || [-Infinity, Infinity]
      const fits = Number.isInteger(value) && Number(value) >= low && Number(value) <= high
      return fits ? undefined : `takes a whole number from ${low} to ${high}`
    }
    case 'text':
      if (typeof value !== 'string') return 'takes text'
      if ((field.required || field.notEmpty) && value === '') return 'is empty'
      return !field.choices || field.choices.includes(value)
        ? undefined
        : `takes ${field.choices.join(' or ')}`
  }
}
