// `hookline account token`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { print, remark } from '../terminal.ts'
import { NAME, refused, TOKEN, tokenView } from './account.ts'
import { tokenTable } from './lines.ts'

export default verb({
  details: 'With `--json`, an array of objects with label, created_at, used_at and expires_at.',
  arguments: [NAME],
  options: [],
  changes: false,
  where: 'server',
  examples: [{ run: 'hookline account token spark-claude', shows: 'a table of its tokens' }],
  exits: { 1: 'there is no such account', ...NEEDS_SERVER_AND_DISK },
  output: [TOKEN],

  async run({ running }, { name }) {
    const shown = await running.accounts.show(name)
    return shown.ok ? done(shown.account.tokens.map(tokenView)) : refused(name, shown)
  },

  show: (tokens) => (tokens.length > 0 ? print(tokenTable(tokens)) : remark('no tokens')),
})
