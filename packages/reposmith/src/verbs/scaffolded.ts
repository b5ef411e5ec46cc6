// What `repo scaffold` answers, also with `--update`.
import type { Plan } from '../plan/step.ts'
import type { Warning } from '../resources/warning.ts'
import type { Compared } from '../scaffold/compare.ts'
import type { Report } from '../scaffold/fill.ts'

/** The first keys are stable, because existing scripts parse them; new keys are added after them. */
export interface Scaffolded {
  readonly success: boolean
  readonly dry_run: boolean
  readonly would_run?: readonly string[]
  /** Null if the tool failed, or something was in the way. */
  readonly scaffold_report?: Report | null
  readonly note: string
  readonly overwrite: boolean
  /** With `--preview`: each file that the tool would create. */
  readonly preview?: readonly Compared[]
  readonly warnings?: readonly Warning[]
  readonly plan: Plan
}
