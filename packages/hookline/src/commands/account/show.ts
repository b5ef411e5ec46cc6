// `hookline account show`
import type { WithSuspension } from '../../accounts/accounts.ts'
import { done } from '../../control/failure.ts'
import type { FullAccount } from '../../store/accountrows.ts'
import { verb } from '../command.ts'
import { type OutputOf } from '../shape.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { fields } from '../table.ts'
import { inert, print } from '../terminal.ts'
import { ACCOUNT, dateOf, NAME, refused, TOKEN, tokenView, viewOf } from './account.ts'
import { statusOf, tokenTable } from './lines.ts'

const DETAILS = {
  ...ACCOUNT,
  /** Whether the password also logs in by SCRAM-SHA-256. */
  scram: 'true or false',
  tokens: [TOKEN],
  certificates: [{ fingerprint: 'text', added_at: 'time' }],
} as const

export default verb({
  details:
    'For a token, its label and when it was last used; for a certificate, its fingerprint. Neither can be used to log in.',
  arguments: [NAME],
  options: [],
  changes: false,
  where: 'server',
  examples: [{ run: 'hookline account show spark-claude', shows: 'its tokens and certificates' }],
  exits: { 1: 'there is no such account', ...NEEDS_SERVER_AND_DISK },
  output: DETAILS,

  async run({ running }, { name }) {
    const shown = await running.accounts.show(name)
    return shown.ok ? done(detailsOf(shown.account)) : refused(name, shown)
  },

  show: (account) => print(accountDetails(account)),
})

function detailsOf(account: WithSuspension<FullAccount>): OutputOf<typeof DETAILS> {
  return {
    ...viewOf(account),
    scram: account.scram !== null,
    tokens: account.tokens.map(tokenView),
    certificates: account.certificates.map(({ fingerprint, addedAt }) => ({
      fingerprint,
      added_at: dateOf(addedAt),
    })),
  }
}

function accountDetails(account: OutputOf<typeof DETAILS>): string {
  const { tokens, certificates, settings } = account
  return fields([
    ['account', account.name],
    ['since', account.created_at],
    ['email', inert(account.email ?? 'none')],
    ['status', statusOf(account)],
    ['password', account.password ? `yes${account.scram ? ', also for SCRAM' : ''}` : 'none'],
    ['tokens', tokens.length > 0 ? tokenTable(tokens) : 'none'],
    ['certificates', certificates.map(({ fingerprint }) => fingerprint).join('\n') || 'none'],
    ['settings', Object.entries(settings).map(settingLine).join(', ') || 'server defaults'],
  ])
}

/** As in `NickServ SET`: `ALWAYS-ON ON`. */
function settingLine([name, value]: [string, unknown]): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter}`).toUpperCase()
  return `${words} ${typeof value === 'boolean' ? (value ? 'ON' : 'OFF') : String(value)}`
}
