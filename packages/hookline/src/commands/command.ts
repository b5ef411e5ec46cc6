// The description of an operation, as plain data. The command line, its help, completion and the socket are made from
// it.

/** A positional argument. */
export interface Argument {
  readonly name: string
  readonly description: string
  readonly required?: boolean
  /** Takes all remaining words, joined by spaces. */
  readonly rest?: boolean
  readonly choices?: readonly string[]
  readonly completes?: 'bots' | 'explained' | 'files'
}

/** An option; `dmOwner` is `--dm-owner`. */
export interface Option {
  readonly name: string
  /** `list` takes several items in one text, and may be repeated; `texts` may be repeated. */
  readonly type: 'text' | 'number' | 'flag' | 'list' | 'texts'
  readonly description: string
  /** The placeholder for its value in help. */
  readonly value?: string
  readonly default?: string | number
  readonly required?: boolean
  readonly choices?: readonly string[]
  readonly completes?: 'files'
  /** Numbers: the smallest and the largest accepted. */
  readonly range?: readonly [number, number]
  /** Also `--no-…`, which arrives as null (flags: false). */
  readonly clearable?: boolean
}

interface Example {
  readonly run: string
  readonly shows: string
}

export interface Operation {
  /** The words that are typed: `bot create`. */
  readonly name: string
  readonly summary: string
  /** Markdown for `explain`: what to know before using it. */
  readonly details: string
  readonly arguments: readonly Argument[]
  readonly options: readonly Option[]
  readonly changes: boolean
  /**
   * Where it runs: `server` needs a running server, `either` works on the files if none is running, `files` always
   * works on the files, `here` belongs to the command line itself.
   */
  readonly where: 'server' | 'either' | 'files' | 'here'
  /** Emits events until the caller stops. */
  readonly streams?: boolean
  readonly examples: readonly [Example, ...Example[]]
  /** Exit codes other than 0 that it can end with, and why. */
  readonly exits: Readonly<Record<number, string>>
}

/** A handler's input: required and defaulted values are always present, the others if given. */
export type InputOf<O extends Operation> = Given<O> & Perhaps<O>

type Field = Argument | Option
type FieldsOf<O extends Operation> = O['arguments'][number] | O['options'][number]
type Always = { readonly required: true } | { readonly default: string | number }
type Given<O extends Operation> = {
  readonly [F in FieldsOf<O> as F extends Always ? F['name'] : never]: ValueOf<F>
}
type Perhaps<O extends Operation> = {
  readonly [F in FieldsOf<O> as F extends Always ? never : F['name']]?: ValueOf<F>
}
type ValueOf<F extends Field> = F extends { readonly type: 'flag' }
  ? boolean
  :
      | (F extends { readonly type: 'number' }
          ? number
          : F extends { readonly type: 'list' | 'texts' }
            ? readonly string[]
            : F extends { readonly choices: readonly (infer C)[] }
              ? C
              : string)
      | (F extends { readonly clearable: true } ? null : never)

/** `dmOwner` → `--dm-owner`. */
export function flagOf(option: Option): string {
  return `--${option.name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`
}
