// `hookline history erase`
import { between } from '../../chat/conversation.ts'
import { done, wrong } from '../../control/failure.ts'
import { fold, isValidChannelName, LONGEST_CHANNEL } from '../../irc/names.ts'
import { verb } from '../command.ts'
import { counted } from '../counted.ts'
import { notAChannel } from '../input.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { print } from '../terminal.ts'

export default verb({
  details: `Erases all messages of a channel, all between two people, or all of an account, wherever. Nobody is notified, and it cannot be undone.
What bots posted stays in the record of its delivery until that expires. To retract single messages, people use REDACT; for deliveries there is \`bot retract\`.`,
  arguments: [{ name: 'channel', description: `a channel, as '#lobby'` }],
  options: [
    {
      name: 'between',
      type: 'list',
      value: 'ONE,OTHER',
      description: 'direct messages between these two accounts or nicks',
    },
    { name: 'account', type: 'text', value: 'NAME', description: 'everything this account said' },
    { name: 'yes', type: 'flag', description: 'confirm' },
  ],
  changes: true,
  where: 'server',
  examples: [{ run: `hookline history erase '#lobby' --yes`, shows: 'how many messages there were' }],
  exits: { 1: 'not exactly one of the three is given, or --yes is missing', ...NEEDS_SERVER },
  output: { erased: 'number' },

  /** Nobody is told: clients keep what they have seen. */
  async run({ running }, { channel, between: two, account, yes }) {
    const isOne = [channel, two, account].filter((each) => each !== undefined).length === 1
    if (!isOne || (two !== undefined && two.length !== 2)) {
      const hint = `for example: hookline history erase '#lobby' --yes`
      return wrong(
        'usage',
        'name a channel, two people (--between ann,bob) or an account (--account ann)',
        hint,
      )
    }
    if (channel !== undefined && !isValidChannelName(channel, LONGEST_CHANNEL)) return notAChannel(channel)
    if (!yes) return wrong('refused', 'what is erased cannot be restored', 'confirm with --yes')
    const conversations = two === undefined ? [fold(channel ?? '')] : conversationsBetween(two)
    const erased = await running.store.erase({ conversations, account: account && fold(account) })
    return done({ erased })
  },

  show: ({ erased }) => print(`erased ${counted(erased, 'message')}`),
})

/** Each is known by an account of that name, by a nick without an account, or by both. */
function conversationsBetween([one = '', other = '']: readonly string[]): string[] {
  const names = (name: string) => [fold(name), `@${fold(name)}`]
  return [...new Set(names(one).flatMap((each) => names(other).map((peer) => between(each, peer))))]
}
