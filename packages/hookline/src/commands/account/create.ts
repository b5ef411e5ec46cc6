// `hookline account create`
import type { Created } from '../../accounts/answers.ts'
import { isLabel, LABEL_RULE } from '../../accounts/validity.ts'
import { cannot, done, wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { shellWord } from '../shellword.ts'
import { GENERATE, LATER_HINT, MADE, PASSWORD, passwordFrom, refused } from './account.ts'
import { showMade } from './lines.ts'

export default verb({
  details: `The name is a nick, reserved from then on for whoever is logged in to the account. The password is prompted for on a terminal, read from
standard input with \`--password -\`, or generated with \`--generate\`; it is never given on the command line, where others could see it.

For an agent: \`--token LABEL\` creates an account without a password, and a token that logs in. A program logs in with SASL PLAIN: the account name, and
the token or the password.`,
  arguments: [{ name: 'name', description: 'a nick', required: true }],
  options: [
    PASSWORD,
    GENERATE,
    { name: 'token', type: 'text', value: 'LABEL', description: 'also create a token, and show it once' },
    {
      name: 'email',
      type: 'text',
      value: 'ADDRESS',
      description: 'where to reach the owner; no mail is sent',
    },
  ],
  changes: true,
  where: 'server',
  examples: [
    { run: 'hookline account create spark-claude --token laptop', shows: 'a token for an agent' },
    { run: 'hookline account create spark-ori --generate', shows: 'a password for a person' },
  ],
  exits: {
    1: 'the name is taken or not a valid nick, or the password is not accepted',
    ...NEEDS_SERVER_AND_DISK,
  },
  output: MADE,

  async run({ running }, input) {
    const { name, email = null, token: label } = input
    if (label !== undefined && !isLabel(label))
      return wrong(
        'usage',
        `${JSON.stringify(label)} is not a valid label`,
        `use ${LABEL_RULE}, as in --token laptop`,
      )
    const chosen = passwordFrom(input, label !== undefined)
    if (!chosen.ok) return chosen
    const { password, isMade } = chosen.output
    const created = await running.accounts.create({ name, password, email })
    if (!created.ok) return refusedCreate(name, created)
    const added = label === undefined ? undefined : await running.accounts.addToken(name, label, null)
    if (added?.ok === false) return refused(name, added)
    return done({ account: name, password: isMade ? password : null, token: added?.token ?? null })
  },

  show: (made) => showMade(made, `created ${made.account}`),
})

function refusedCreate(name: string, { reason, text }: Extract<Created, { ok: false }>) {
  if (reason === 'later') return cannot('setup', text, LATER_HINT)
  if (reason === 'exists') {
    const word = shellWord(name)
    const token = `another token for it: hookline account token add ${word} LABEL`
    return wrong('already_exists', text, `${token}; another password: hookline account passwd ${word}`)
  }
  return wrong('refused', text, 'see: hookline account create --help')
}
