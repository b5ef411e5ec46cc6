// `hookline account list`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { table } from '../table.ts'
import { inert, print, remark } from '../terminal.ts'
import { ACCOUNT, type AccountView, refused, viewOf } from './account.ts'
import { day, statusOf } from './lines.ts'

export default verb({
  details:
    'With `--json`, an array of objects with name, created_at, email, password, settings and suspended.',
  arguments: [],
  options: [],
  changes: false,
  where: 'server',
  examples: [{ run: 'hookline account list', shows: 'a table of the accounts' }],
  exits: NEEDS_SERVER_AND_DISK,
  output: [ACCOUNT],

  async run({ running }) {
    const listed = await running.accounts.list()
    return listed.ok ? done(listed.accounts.map(viewOf)) : refused('', listed)
  },

  show: (accounts) => (accounts.length > 0 ? print(accountTable(accounts)) : remark('there are no accounts')),
})

export function accountTable(accounts: readonly AccountView[]): string {
  return table(
    ['ACCOUNT', 'SINCE', 'E-MAIL', 'STATUS'],
    accounts.map((account) => [
      account.name,
      day(account.created_at),
      inert(account.email ?? ''),
      statusOf(account),
    ]),
  )
}
