// `hookline account passwd`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { GENERATE, MADE, NAME, PASSWORD, passwordFrom, refused } from './account.ts'
import { showMade } from './lines.ts'

export default verb({
  details: `Takes it as \`hookline account create\` does. Whoever is logged in stays logged in, and tokens and certificates stay valid: see
\`hookline account token revoke\` and \`hookline account suspend\`.`,
  arguments: [NAME],
  options: [PASSWORD, GENERATE],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline account passwd spark-ori --generate', shows: 'the new password' }],
  exits: { 1: 'there is no such account, or the password is not accepted', ...NEEDS_SERVER_AND_DISK },
  output: MADE,

  async run({ running }, input) {
    const chosen = passwordFrom(input, false)
    if (!chosen.ok) return chosen
    const { password, isMade } = chosen.output
    const changed = await running.accounts.setPassword(input.name, password)
    if (!changed.ok) return refused(input.name, changed)
    return done({ account: input.name, password: isMade ? password : null, token: null })
  },

  show: (made) => showMade(made, `changed the password of ${made.account}`),
})
