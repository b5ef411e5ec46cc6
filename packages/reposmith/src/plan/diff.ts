// Where a wanted body differs from the present state. Only wanted keys are compared.
import { isDeepStrictEqual } from 'node:util'
import { toJsonText } from '../json.ts'
import type { Body, Difference } from './step.ts'

/** One entry for each wanted key whose present value differs. The order of lists is ignored. */
export function differences(present: Body, wanted: Body): readonly Difference[] {
  return Object.entries(wanted)
    .filter(([key, to]) => !isSame(present[key], to))
    .map(([key, to]) => ({ at: `/${key}`, from: present[key] ?? null, to }))
}

function isSame(from: unknown, to: unknown): boolean {
  if (Array.isArray(from) && Array.isArray(to)) return isDeepStrictEqual(sorted(from), sorted(to))
  return isDeepStrictEqual(from ?? null, to ?? null)
}

function sorted(list: readonly unknown[]): readonly string[] {
  return list.map((each) => toJsonText(inOrder(each))).toSorted()
}

/** The order of keys says nothing. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const pairs = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(pairs.map(([key, each]) => [key, inOrder(each)]))
}
