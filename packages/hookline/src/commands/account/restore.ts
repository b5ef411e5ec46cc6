// `hookline account restore`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { print } from '../terminal.ts'
import { NAME, refused } from './account.ts'

export default verb({
  details: 'Its password, tokens and certificates work again.',
  arguments: [NAME],
  options: [],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline account restore spark-claude', shows: 'it is restored' }],
  exits: { 1: 'there is no such account', ...NEEDS_SERVER_AND_DISK },
  output: { account: 'text' },

  async run({ running }, { name }) {
    const changed = await running.accounts.restore(name)
    return changed.ok ? done({ account: name }) : refused(name, changed)
  },

  show: ({ account }) => print(`${account} is no longer suspended`),
})
