// Patterns of branches and tags: what a workflow's trigger matches, and what an environment's policy lets through.
import { minimatch } from 'minimatch'

export interface Ref {
  readonly type: 'branch' | 'tag'
  readonly name: string
}

/** A policy is Ruby's File.fnmatch with FNM_PATHNAME: only `**` before a `/` goes beyond one. */
export function lets(policy: Ref, ref: Ref): boolean {
  const glob = policy.name.replaceAll(/\*\*+(?!\/)/g, '*')
  return policy.type === ref.type && minimatch(ref.name, glob, PLAIN)
}

const PLAIN = {
  dot: true,
  nobrace: true,
  nocomment: true,
  noext: true,
  nonegate: true,
  platform: 'linux',
} as const

/** `*` or `**`. */
export function isAny(pattern: string): boolean {
  return /^\*\*?$/.test(pattern)
}

/** Names that a workflow's filter matches, short and long: what lets all of them through lets the others too. */
export function examplesOf(filter: string): readonly string[] {
  let names = ['']
  for (const [, one = '', sign = ''] of filter.matchAll(TOKENS)) {
    const text = exampleOf(one)
    const ways = sign === '?' ? ['', text] : sign === '+' ? [text, text + text] : [text]
    names = names.flatMap((name) => ways.map((way) => name + way)).slice(0, MOST_EXAMPLES)
  }
  return names
}

const MOST_EXAMPLES = 64

/** One sign, set or star of a filter, with its `+` (one or more) or `?` (one or none). */
const TOKENS = /(\*\*|\\.|\[[^\]]*\]|.)([+?]?)/g

function exampleOf(one: string): string {
  if (one === '**') return '1/2'
  if (one === '*') return '1.2.3'
  return one.startsWith('[') ? one.charAt(1) : one.replace('\\', '')
}

/** The filter of a workflow as a policy, which has no `+` and no such `?`. A `**` at its end goes on beyond any `/`. */
export function asPolicy(filter: string): string {
  return filter
    .replaceAll(TOKENS, (_, one: string, sign) => (sign === '?' ? '*' : one + (sign && '*')))
    .replace(/\/\*\*$/, '/**/*')
}

export function matches(name: string, glob: string): boolean {
  return minimatch(name, glob, PLAIN)
}
