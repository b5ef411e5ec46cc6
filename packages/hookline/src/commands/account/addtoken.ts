// `hookline account token add`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { durationIn } from '../duration.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { print, remark } from '../terminal.ts'
import { NAME, refused } from './account.ts'
import { howToUse } from './lines.ts'

export default verb({
  details: `Create one per program, so that each can be revoked. It is shown once; only a digest is stored. Use it in place of the password: SASL PLAIN,
\`PASS account:token\`, or NickServ IDENTIFY.`,
  arguments: [NAME, { name: 'label', description: 'what it is for, in one word', required: true }],
  options: [
    { name: 'expires', type: 'text', value: 'TIME', description: 'such as 90d or 12h; default: never' },
  ],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline account token add spark-claude laptop --expires 90d', shows: 'the token' }],
  exits: { 1: 'no such account, the label is taken, or the time is invalid', ...NEEDS_SERVER_AND_DISK },
  output: { account: 'text', label: 'text', token: 'text' },

  async run({ running }, { name, label, expires }) {
    const time = durationIn(expires)
    if (!time.ok) return time
    const added = await running.accounts.addToken(name, label, time.output ?? null)
    return added.ok ? done({ account: name, label, token: added.token }) : refused(name, added)
  },

  show({ account, token }) {
    print(`token: ${token}`)
    remark(howToUse(account))
  },
})
