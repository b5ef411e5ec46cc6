// Patterns of branches and tags: what a workflow's trigger matches, and what an environment's policy lets through.
import type { Policy } from './environment.ts'

export type Ref = Pick<Policy, 'name' | 'type'>

/**
 * Whether the policy's pattern covers all that the trigger's can match: `v*` covers `v*` and `v1`. Of any ref, some
 * suffice.
 */
export function covers(policy: Policy, ref: Ref): boolean {
  if (policy.type !== ref.type) return false
  return isAny(ref) || policy.name === ref.name || pattern(policy.name).test(ref.name)
}

/** `*` or `**`. */
export function isAny({ name }: Ref): boolean {
  return /^\*\*?$/.test(name)
}

/**
 * The pattern of a workflow as one of a policy, which has no `+` (one or more of what is before) and no such `?` (or
 * none). A `**` at its end goes on beyond any `/`.
 */
export function asPolicy(trigger: string): string {
  return trigger
    .replaceAll(/(\\.|\[[^\]]*\]|.)([+?]?)/g, (_, one: string, sign) =>
      sign === '?' ? '*' : one + (sign && '*'),
    )
    .replace(/\/\*\*$/, '/**/*')
}

/** Ruby's File.fnmatch with FNM_PATHNAME: only `**` before a `/` goes beyond one. A `?` may not stand for our `*`. */
function pattern(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*+|\?|\[[!^]?(?:[\w.](?:-[\w.])?)+\])/).map((part, index) => {
    if (part === '**/') return '(?:[^/]+/)*'
    if (part.startsWith('*')) return '[^/]*'
    if (part === '?') return '[^/*]'
    return index % 2 ? oneOf(part) : RegExp.escape(part)
  })
  return new RegExp(`^${parts.join('')}$`)
}

/** `[0-9]` as a sign of that set, or as the same set in the workflow's pattern. */
function oneOf(set: string): string {
  // A range that goes down holds nothing, and RegExp would refuse it.
  const rising = set.replaceAll(/(.)-(.)/g, (range, low: string, high: string) => (low <= high ? range : ''))
  return `(?:${RegExp.escape(set)}|(?![/*[])${rising.replace(/^\[!/, '[^')})`
}
