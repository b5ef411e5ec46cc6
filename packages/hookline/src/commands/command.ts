// What a command is: its description as plain data, from which the command line, its help, completion and the socket are made, and what
// it does.
import type { Answer } from '../control/failure.ts'
import type { Call, Context, LiveContext } from './context.ts'
import type { OutputOf, Shape } from './shape.ts'

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

/**
 * Where it runs: `server` needs a running server, `either` works on the files if none is running, `files` always works on the files,
 * `here` belongs to the command line itself.
 */
export type Where = 'server' | 'either' | 'files' | 'here'

/** All that is said of a command besides its name and summary, which the list has. */
interface Facts {
  /** Markdown for `explain`: what to know before using it. */
  readonly details: string
  readonly arguments: readonly Argument[]
  readonly options: readonly Option[]
  readonly changes: boolean
  readonly where: Where
  /** It does the same whatever server.yaml says, so that nobody reads that for it. */
  readonly ignoresSettings?: boolean
  /** Emits events until the caller stops. */
  readonly streams?: boolean
  readonly examples: readonly [Example, ...Example[]]
  /** Exit codes other than 0 that it can end with, and why. */
  readonly exits: Readonly<Record<number, string>>
  /**
   * What it prints with `--json`; where it prints one object or a list of them, that of the object, and of one that streams, that of an
   * event. None for a page or a script.
   */
  readonly output?: Shape
}

/** A command's file, as the rest of the house knows it: `verb` made it. */
export interface Verb extends Facts {
  readonly needs?: () => Promise<unknown>
  readonly run?: (context: Context, input: object, call: Call, needed: unknown) => MaybeLater<Answer<unknown>>
  readonly show?: (output: unknown, input: object) => void
}

export interface Command extends Verb {
  /** The words that are typed: `bot create`. */
  readonly name: string
  readonly summary: string
}

type MaybeLater<T> = T | Promise<T>

/**
 * One command, whole. Its file is loaded by whoever is asked for it, so it imports only what the description and the view need. `needs`
 * loads what `run` works with besides its context: where it runs, and there alone.
 */
export function verb<
  const A extends readonly Argument[],
  const O extends readonly Option[],
  const W extends Where,
  const S extends Shape,
  N = undefined,
>(
  whole: Omit<Facts, 'arguments' | 'options' | 'where' | 'output'> & {
    readonly arguments: A
    readonly options: O
    readonly where: W
    readonly output?: S
    readonly needs?: () => Promise<N>
    readonly run?: (
      context: W extends 'server' ? LiveContext : Context,
      input: InputOf<A, O>,
      call: Call,
      needed: N,
    ) => MaybeLater<Answer<OutputOf<S>> | Answer<Ending>>
    /** Prints for people: results to stdout, next steps to stderr. */
    readonly show?: (output: OutputOf<S>, input: InputOf<A, O>) => void
  },
): Verb {
  // What goes in was checked against the description that its type is made of; what comes out was made by `run`.
  return whole as unknown as Verb
}

/** What those answer whose output is something else: the events before, or what is seen once the server has gone. */
type Ending = { readonly stopped: boolean } | { readonly stopping: boolean; readonly pid: number }

/** The input of `run`: required and defaulted values are always present, the others if given. */
export type InputOf<A extends readonly Argument[], O extends readonly Option[]> = Given<
  A[number] | O[number]
> &
  Perhaps<A[number] | O[number]>

type Field = Argument | Option
type Always = { readonly required: true } | { readonly default: string | number }
type Given<Fields extends Field> = {
  readonly [F in Fields as F extends Always ? F['name'] : never]: ValueOf<F>
}
type Perhaps<Fields extends Field> = {
  readonly [F in Fields as F extends Always ? never : F['name']]?: ValueOf<F>
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
