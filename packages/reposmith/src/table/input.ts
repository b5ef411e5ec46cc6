// Checks the input against the command's description, and fills in defaults.
import { wrong, done, type Answer } from '../failure.ts'
import { flagOf, type Command, type Field } from './command.ts'

export type LooseInput = Readonly<Record<string, unknown>>

/** Reports the first value that is missing, of the wrong type or out of range. */
export function checkInput(command: Command, input: LooseInput): Answer<LooseInput> {
  const { name, arguments: args, options } = command
  const fields: readonly Field[] = [...args, ...options]
  const checked: Record<string, unknown> = {}
  for (const field of fields) {
    const value = input[field.name] ?? field.default
    if (value === undefined && !field.required) continue
    const problem = value === undefined ? 'is missing' : mismatch(field, value)
    if (problem) {
      const typed = field.type ? flagOf(field) : field.name.toUpperCase()
      return wrong('usage', `${name}: ${typed} ${problem}`, `see: reposmith ${name} --help`)
    }
    checked[field.name] = value
  }
  return done(checked)
}

/** What is wrong with the value, if anything. The parser lets no flag have one, and makes the lists. */
function mismatch(field: Field, value: unknown): string | undefined {
  const { type, choices, range } = field
  if (range) {
    const [low, high] = range
    const fits = Number.isInteger(value) && Number(value) >= low && Number(value) <= high
    return fits ? undefined : `takes a whole number from ${low} to ${high}`
  }
  if (type === 'list') return (value as readonly string[]).includes('') ? 'is empty' : undefined
  if ((field.required || field.notEmpty) && value === '') return 'is empty'
  return !choices || choices.includes(String(value)) ? undefined : `takes ${choices.join(' or ')}`
}
