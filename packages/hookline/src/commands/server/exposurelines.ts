// What is open to strangers, each with what closes it.
import type { Exposure } from '../../config/exposure.ts'
import { inert, remark } from '../terminal.ts'

export function warnOf(exposures: readonly Exposure[]): void {
  for (const { what, mend } of exposures) remark(`warning: ${inert(what)}\n  mend: ${inert(mend)}`)
}
