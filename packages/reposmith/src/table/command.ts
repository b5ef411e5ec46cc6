// What a command is: plain data. Parser, help, learn, explain and completion are made from it.

/** Something typed without a flag. */
export interface Argument {
  readonly name: string
  readonly description: string
  readonly required?: boolean
  /** Takes every word that is left; they arrive joined by spaces. */
  readonly rest?: boolean
  readonly choices?: readonly string[]
  readonly completes?: 'explained' | 'files'
}

/** Something typed with a flag; `waitMinutes` is `--wait-minutes`. */
export interface Option {
  readonly name: string
  readonly type: 'text' | 'number' | 'flag' | 'list'
  readonly description: string
  /** What help shows for the value. */
  readonly value?: string
  /** A single letter, for `-f`. */
  readonly short?: string
  readonly default?: string | number
  readonly required?: boolean
  readonly choices?: readonly string[]
  readonly completes?: 'files'
  /** Lists: each time it is given it is one item, with the spaces and commas in it. */
  readonly whole?: true
  /** Numbers: the smallest and the largest that is taken. */
  readonly range?: readonly [number, number]
}

interface Example {
  readonly run: string
  readonly shows: string
}

export interface Command {
  /** The words that are typed: `repo create`. */
  readonly name: string
  readonly summary: string
  /** Markdown for `explain`: what somebody should know before using it. */
  readonly details: string
  readonly arguments: readonly Argument[]
  readonly options: readonly Option[]
  /** Changes something: then it has `--apply`, and without it is a dry-run. */
  readonly changes: boolean
  /** What it asks of the host, reads first. */
  readonly endpoints: readonly string[]
  readonly examples: readonly [Example, ...Example[]]
  /** Exit codes other than 0 that it can end with, and why. */
  readonly exits: Readonly<Record<number, string>>
}

/** What a verb gets: required and defaulted values always, the others when they were given. */
export type InputOf<C extends Command> = Given<C> & Perhaps<C>

type Field = Argument | Option
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
export function flagOf(option: Option): string {
  return `--${option.name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`
}
