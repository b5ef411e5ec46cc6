// `hookline account drop`
import { done, wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { shellWord } from '../shellword.ts'
import { print } from '../terminal.ts'
import { NAME, refused } from './account.ts'

export default verb({
  details: `Deletes its tokens and certificates too, and logs out whoever is logged in. It cannot be undone: others may create one of that name and then own the
nick. To keep the name reserved, suspend it.

Channels that it founded are then registered to nobody: hand them over first, with \`/msg ChanServ TRANSFER <#channel> <account>\`. Its bots stay, and what they
tell their owner goes to whoever takes the nick: delete those bots, or suspend the account instead.`,
  arguments: [NAME],
  options: [{ name: 'yes', type: 'flag', description: 'confirm' }],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline account drop spark-claude --yes', shows: 'it is deleted' }],
  exits: { 1: 'there is no such account, or --yes is missing', ...NEEDS_SERVER_AND_DISK },
  output: { account: 'text' },

  async run({ running }, { name, yes = false }) {
    const word = shellWord(name)
    if (!yes)
      return wrong(
        'usage',
        `${name} would be deleted for good, with its channels' registrations, and anybody could take its nick`,
        `to confirm: hookline account drop ${word} --yes; to only block it: hookline account suspend ${word}`,
      )
    const changed = await running.accounts.drop(name)
    return changed.ok ? done({ account: name }) : refused(name, changed)
  },

  show: ({ account }) => print(`deleted ${account}`),
})
