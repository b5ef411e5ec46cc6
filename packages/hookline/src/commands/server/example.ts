// `server start --example`: creates an example bot, and prints the lines to try it.
import { qualified } from '../../bots/file/fields.ts'
import type { Answer } from '../../control/failure.ts'
import type { Home } from '../../home/home.ts'
import type { BotView } from '../bot/bot.ts'
import { tryLine } from '../bot/running/curlline.ts'
import { viewBots } from '../bot/running/view.ts'
import type { Context, Running } from '../context.ts'
import { loadCommand } from '../list.ts'
import { perform } from '../perform.ts'
import { shellWord } from '../shellword.ts'

const CHANNEL = '#lobby'

/** Creates `<server>-you-hello` if there is no bot at all. */
export async function writeExample(home: Home, serverName: string): Promise<Answer<unknown>> {
  const context: Context = {
    home,
    running: undefined,
    known: { serverName, webhook: undefined },
  }
  if (viewBots(context).length > 0) return { ok: true, output: undefined }
  const create = await loadCommand('bot create')
  if (create === undefined) throw new Error('no command creates bots')
  const input = {
    name: 'hello',
    owner: qualified('you', serverName),
    description: 'An example: repeats what you post to it',
    channels: [CHANNEL],
    template: '{body.who} says: {body.text}',
  }
  const call = { emit: () => undefined, signal: new AbortController().signal }
  return await perform(create, context, input, call)
}

/** How to post to a running bot, and how to watch its channel. */
export function exampleHelp(home: Home, running: Running): string {
  const bots = viewBots({
    home,
    running,
    known: { serverName: running.name, webhook: running.webhook },
  }).filter(({ url }) => url !== null)
  const example = `${qualified('you', running.name)}-hello`
  const bot = bots.find(({ name }) => name === example) ?? bots.find(isOpen) ?? bots[0]
  if (!bot || bot.url === null) return 'You cannot post to a bot: webhooks are off, or no bot takes them.'
  return [
    `Post to ${bot.name} from another terminal:`,
    '',
    `  ${tryLine(bot, bot.url)}`,
    '',
    'and read it here, or with:',
    '',
    `  hookline watch ${shellWord(bot.channels[0] ?? CHANNEL)}`,
    '',
  ].join('\n')
}

function isOpen(bot: BotView): boolean {
  return bot.status === 'active' && bot.auth === null
}
