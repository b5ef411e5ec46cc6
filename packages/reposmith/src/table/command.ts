// The description of a command, as plain data. Parser, help, learn, explain and completion are made from it.

/** A positional argument. */
export interface Argument {
  readonly name: string
  readonly description: string
  readonly required?: boolean
  readonly notEmpty?: true
  /** Takes all remaining words, joined by spaces. */
  readonly rest?: boolean
  readonly choices?: readonly string[]
  readonly completes?: 'explained' | 'files'
}

/** An option; `waitMinutes` is `--wait-minutes`. */
export interface Option {
  readonly name: string
  readonly type: 'text' | 'number' | 'flag' | 'list'
  readonly description: string
  /** The placeholder for its value in help. */
  readonly value?: string
  /** A single letter, for `-f`. */
  readonly short?: string
  readonly default?: string | number
  /** Refuses an empty text, as from an unset variable, which would count as left out. */
  readonly notEmpty?: true
  readonly choices?: readonly string[]
  readonly completes?: 'files'
  /** Lists: each occurrence is one item, spaces and commas included. */
  readonly whole?: true
  /** Of every number: the smallest and the largest accepted. */
  readonly range?: readonly [number, number]
}

/** Either of them: an argument has no type, and what only options have is undefined. */
export type Field = Argument & Partial<Omit<Option, keyof Argument>>

interface Example {
  readonly run: string
  readonly shows: string
}

export interface Command {
  /** The words that are typed: `repo create`. */
  readonly name: string
  readonly summary: string
  /** Markdown for `explain`: what to know before using it. */
  readonly details: string
  readonly arguments: readonly Argument[]
  readonly options: readonly Option[]
  /** It changes something: then it has `--apply`, and is a dry-run without it. */
  readonly changes: boolean
  /** The API requests that it makes, reads first. */
  readonly endpoints: readonly string[]
  readonly examples: readonly [Example, ...Example[]]
  /** Exit codes other than 0 that it can end with, and why. */
  readonly exits: Readonly<Record<number, string>>
}

/** A verb's input: required and defaulted values are always present, the others if given. */
export type InputOf<C extends Command> = Given<C> & Perhaps<C>

type FieldsOf<C extends Command> = C['arguments'][number] | C['options'][number]
type Always = { readonly required: true } | { readonly default: string | number }
type Given<C extends Command> = {
  readonly [F in FieldsOf<C> as F extends Always ? F['name'] : never]: ValueOf<F>
}
type Perhaps<C extends Command> = {
  readonly [F in FieldsOf<C> as F extends Always ? never : F['name']]?: ValueOf<F>
}
type ValueOf<F extends Field> = F extends { readonly type: 'flag' }
  ? boolean
  : F extends { readonly type: 'number' }
    ? number
    : F extends { readonly type: 'list' }
      ? readonly string[]
      : F extends { readonly choices: readonly (infer C)[] }
        ? C
        : string

/** `waitMinutes` → `--wait-minutes`. */
export function flagOf(option: Pick<Option, 'name'>): string {
  return `--${option.name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`
}
