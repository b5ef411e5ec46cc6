// Checks the input against the command's description, and fills in defaults.
import { isValidChannelName, LONGEST_CHANNEL } from '../irc/names.ts'
import { nearest } from '../text/nearest.ts'
import { wrong, done, type Answer } from '../control/failure.ts'
import { flagOf, type Argument, type Command, type Option } from './command.ts'
import { shellWord } from './shellword.ts'

/** To the shell, an unquoted # begins a comment: the channel and everything after it is lost. */
export const QUOTE_CHANNELS = "quote a channel in the shell, such as '#lobby'"

export function notAChannel(name: string) {
  const lacksOnlySign = !name.startsWith('#') && isValidChannelName(`#${name}`, LONGEST_CHANNEL)
  const hint = lacksOnlySign
    ? `write it with #, in quotes: ${shellWord(`#${name}`)}`
    : `write # and one word without commas, of at most ${LONGEST_CHANNEL} bytes, such as '#lobby'`
  return wrong('usage', `${JSON.stringify(name)} is not a channel name`, hint)
}

export type LooseInput = Readonly<Record<string, unknown>>

/** Reports the first value that is missing, unknown, of the wrong type or out of range. */
export function checkInput(command: Command, input: unknown): Answer<LooseInput> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return misused(command, 'the input must be an object')
  }
  const given = new Map(Object.entries(input))
  const checked: Record<string, unknown> = {}
  for (const argument of command.arguments) {
    const problem = take(argument, 'text', given, checked)
    const hint = problem === MISSING && CHANNELS.includes(argument.name) ? `${QUOTE_CHANNELS}; ` : ''
    if (problem) return misused(command, `${argument.name.toUpperCase()} ${problem}`, hint)
  }
  for (const option of command.options) {
    const problem = take(option, option.type, given, checked)
    if (problem) return misused(command, `${flagOf(option)} ${problem}`)
  }
  const [extra] = given.keys()
  if (extra !== undefined) return misused(command, `it takes no ${extra}`)
  return done(checked)
}

const MISSING = 'is missing'
/** Arguments that may be a channel. */
const CHANNELS = ['channel', 'target']

function misused(command: Command, problem: string, hint = '') {
  return wrong('usage', `${command.name}: ${problem}`, `${hint}see: hookline ${command.name} --help`)
}

function take(
  field: Argument | Option,
  type: Option['type'],
  given: Map<string, unknown>,
  checked: Record<string, unknown>,
): string | undefined {
  const fallback = 'default' in field ? field.default : undefined
  const typed = given.get(field.name)
  // Null removes a field: it is no missing value.
  const value = typed === undefined ? fallback : typed
  given.delete(field.name)
  if (value === undefined) return field.required ? MISSING : undefined
  const problem = mismatch(field, type, value)
  if (!problem) checked[field.name] = value
  return problem
}

function mismatch(field: Argument | Option, type: Option['type'], value: unknown): string | undefined {
  const clearable = 'clearable' in field && field.clearable
  if (value === null) return clearable ? undefined : 'cannot be removed'
  switch (type) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'takes no value'
    case 'list':
    case 'texts':
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return 'takes a list'
      return value.map((item) => unlike(field, item)).find((problem) => problem !== undefined)
    case 'number': {
      const [low, high] = ('range' in field && field.range) || [-Infinity, Infinity]
      const fits = Number.isInteger(value) && Number(value) >= low && Number(value) <= high
      return fits ? undefined : `takes a whole number from ${low} to ${high}`
    }
    case 'text':
      if (typeof value !== 'string') return 'takes text'
      if (field.required && value === '') return 'is empty'
      return unlike(field, value)
  }
}

function unlike({ choices }: Argument | Option, value: string): string | undefined {
  return !choices || choices.includes(value) ? undefined : `takes ${choose(value, choices)}`
}

/** Lists the choices; from a long list, suggests the nearest. */
function choose(value: string, choices: readonly string[]): string {
  if (choices.length <= 4) return choices.join(' or ')
  const near = nearest(value, choices)
  return `one of ${choices.join(', ')}${near === undefined ? '' : `: did you mean ${near}?`}`
}
