// `hookline account token revoke`
import { done, wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { shellWord } from '../shellword.ts'
import { print } from '../terminal.ts'
import { NAME, refused } from './account.ts'

export default verb({
  details: 'It can no longer log in, and connections that logged in with it are closed.',
  arguments: [NAME, { name: 'label', description: 'its label', required: true }],
  options: [],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline account token revoke spark-claude laptop', shows: 'it is revoked' }],
  exits: { 1: 'there is no such account or token', ...NEEDS_SERVER_AND_DISK },
  output: { account: 'text', label: 'text' },

  async run({ running }, { name, label }) {
    const removed = await running.accounts.removeToken(name, label)
    if (removed.ok) return done({ account: name, label })
    if (removed.reason !== 'absent') return refused(name, removed)
    return wrong('not_found', `${name}: ${removed.text}`, `see: hookline account token ${shellWord(name)}`)
  },

  show: ({ account }) => print(`the token can no longer log in to ${account}`),
})
