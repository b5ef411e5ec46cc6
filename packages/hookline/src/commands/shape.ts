// What a command prints with `--json`, key by key: from one declaration come its type and what `explain` and `--help --json` show.

/** A word for a value, one such shape in a list, keys with their shapes, or either of these or null. */
export type Shape = string | readonly [Shape] | { readonly orNull: Shape } | { readonly [key: string]: Shape }

declare const meant: unique symbol

export interface Meant<T> {
  readonly [meant]: T
}

/** A shape that says less than is known of its type: `as<'active' | 'inactive'>()('text')`. */
export function as<T>(): (shape: Shape) => Shape & Meant<T> {
  return (shape) => shape as Shape & Meant<T>
}

export type OutputOf<S> =
  S extends Meant<infer T>
    ? T
    : S extends `${infer Word} or null`
      ? WordOf<Word> | null
      : S extends string
        ? WordOf<S>
        : S extends readonly [infer Item]
          ? readonly OutputOf<Item>[]
          : S extends { readonly orNull: infer Some }
            ? OutputOf<Some> | null
            : { readonly [Key in keyof S]: OutputOf<S[Key]> }

/** `object`: as it is in a file. */
type WordOf<Word extends string> = Word extends 'text' | 'time'
  ? string
  : Word extends 'number'
    ? number
    : Word extends 'true or false'
      ? boolean
      : Word extends 'object'
        ? object
        : never
