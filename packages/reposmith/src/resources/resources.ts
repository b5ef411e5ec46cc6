// All that a manifest can name besides the repository itself, in the order in which it is set.
import { environments } from './environments.ts'
import { labels } from './labels.ts'
import { merge } from './merge.ts'
import { permissions } from './permissions.ts'
import type { Resource } from './resource.ts'
import { rulesets } from './rulesets.ts'
import { secrets } from './secrets.ts'
import { variables } from './variables.ts'

/** Set before the first files are there. */
export const early: readonly Resource[] = [permissions, merge, labels, variables, secrets]

/** A ruleset may keep the first files from being pushed. */
export const late: readonly Resource[] = [environments, rulesets]
