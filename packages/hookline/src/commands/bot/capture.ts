// `hookline bot capture`
import { join } from 'node:path'
import { cannot, done, notRunning, wrong } from '../../control/failure.ts'
import { messageOf } from '../../failure/thrown.ts'
import { verb } from '../command.ts'
import { BOT_NAME } from '../shared.ts'
import { print, remark } from '../terminal.ts'

const LAST = 20

export default verb({
  details: `Writes the last payloads that the running server still has into \`captured/\` in the bot's folder, each exactly as received, as \`<event>-<delivery id>.json\`,
and beside it \`….about.json\` with its event and its headers (never those that authenticate the sender). The folder keeps only the newest \`--last\` of them. A
file that you rename is never removed.

\`bot test --fixture captured\`, \`bot suggest\` and \`bot lint\` use them, with or without a server.

**Payloads may contain personal data**: names, email addresses, what people wrote. Only you can read the files (0600); check one before you share or commit it.
\`--clear\` removes them, and needs no server.`,
  arguments: [BOT_NAME],
  options: [
    {
      name: 'last',
      type: 'number',
      value: 'N',
      range: [1, 200],
      description: 'how many of the newest (20)',
    },
    { name: 'clear', type: 'flag', description: 'remove the captured payloads instead' },
  ],
  changes: true,
  where: 'either',
  examples: [
    { run: 'hookline bot capture spark-ori-ghci', shows: 'how many payloads are in its folder now' },
    { run: 'hookline bot capture spark-ori-ghci --last 60', shows: 'the same with more of them' },
    { run: 'hookline bot capture spark-ori-ghci --clear', shows: 'they are removed' },
  ],
  exits: {
    1: 'no such bot, or --clear and --last together',
    2: 'no server is running, or the folder cannot be written',
  },
  /** Numbers of payloads written just now, present now, and removed. */
  output: { bot: 'text', folder: 'text', captured: 'number', kept: 'number', removed: 'number' },

  needs: async () => ({
    ...(await import('../../bots/captured.ts')),
    ...(await import('../../bots/disk.ts')),
    ...(await import('./running/catchlast.ts')),
    ...(await import('./running/view.ts')),
  }),

  async run(
    context,
    { name, last: most, clear },
    __,
    { CAPTURED, catchLast, noBot, pruneCaptured, readBot },
  ) {
    if (clear === true && most !== undefined)
      return wrong('usage', '--clear removes them all, whatever --last says', 'leave one of them out')
    const last = most ?? LAST
    const bot = readBot(context.home, name)
    if (!bot) return noBot(context, name)
    if (!context.running && clear !== true) return notRunning(context.home.folder)
    const folder = join(bot.folder, CAPTURED)
    try {
      const captured = context.running && clear !== true ? await catchLast(context.running, bot, last) : 0
      const { kept, removed } = await pruneCaptured(bot.folder, clear === true ? 0 : last)
      return done({ bot: name, folder, captured, kept, removed })
    } catch (error) {
      return cannot(
        'setup',
        `${folder} cannot be written: ${messageOf(error)}`,
        'make it a folder that you may write to, with room on its disk',
      )
    }
  },

  show({ bot, folder, kept, removed }) {
    const older = kept === 0 ? '' : 'older '
    const gone = removed > 0 ? `, ${removed} ${older}removed` : ''
    print(`${bot}: ${kept === 0 ? 'nothing' : kept} captured${gone}`)
    if (kept > 0) {
      remark(`They are in ${folder} and may hold personal data. Try them: hookline bot lint ${bot}`)
    }
  },
})
