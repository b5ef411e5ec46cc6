// Formats bans as a table.
import type { BanView } from '../control/outputs/ban.ts'
import { table } from '../commands/table.ts'
import { inert } from '../commands/terminal.ts'

export function banTable(bans: readonly BanView[]): string {
  return table(
    ['TARGET', 'UNTIL', 'FOR', 'BY', 'REASON'],
    bans.map(({ target, expires_at: until, require_sasl: needsAccount, by, reason }) => [
      inert(target),
      until ?? 'for good',
      needsAccount ? 'no account' : 'everybody',
      inert(by),
      inert(reason),
    ]),
  )
}
