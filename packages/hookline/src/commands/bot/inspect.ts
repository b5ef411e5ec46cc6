// `bot list|inspect`: shows bots.
import { findNamespace, whyNotIsolated } from '../../bots/handler/namespace.ts'
import { done, type Answer } from '../../control/failure.ts'
import type { Outputs } from '../../control/outputs.ts'
import type { BotView } from './bot.ts'
import { fold } from '../../irc/names.ts'
import type { Context } from '../context.ts'
import type { Input } from '../oldlist.ts'
import { unowned } from './running/unowned.ts'
import { noBot, viewBot, viewBots, viewDelivery, viewRefused } from './running/view.ts'

/** How many deliveries `bot inspect` shows. */
const LAST_DELIVERIES = 5

/** Every bot, or those of one owner, by name. If a bot's file is invalid, its name tells the owner. */
export function listBots(context: Context, { owner }: Input<'bot list'>): Answer<readonly BotView[]> {
  if (owner === undefined) return done(viewBots(context))
  const wanted = fold(owner)
  const belongs = (bot: BotView): boolean =>
    bot.owner === null ? fold(bot.name).startsWith(`${wanted}-`) : fold(bot.owner) === wanted
  return done(viewBots(context).filter(belongs))
}

export async function inspectBot(
  context: Context,
  { name }: Input<'bot inspect'>,
): Promise<Answer<Outputs['bot inspect']>> {
  const found = viewBot(context, name)
  if (!found) return noBot(context, name)
  const bot = await asItRuns(context, found)
  const { running } = context
  if (!running) return done({ ...bot, deliveries: null, refused: null, without_account: null })
  const rows = await running.store.deliveries.list({ bot: name, limit: LAST_DELIVERIES })
  const refused = (await running.refused.of(name)).slice(-LAST_DELIVERIES)
  return done({
    ...bot,
    deliveries: rows.map(viewDelivery),
    refused: refused.map((each) => viewRefused(name, each)),
    without_account: await unowned(running, bot),
  })
}

/** A system, or server.yaml, may not allow what bot.yaml asks for. */
async function asItRuns({ known }: Context, bot: BotView): Promise<BotView> {
  if (bot.isolated !== true) return bot
  const why =
    known.handlers?.isolation === 'none'
      ? 'server.yaml has handlers.isolation: none'
      : whyNotIsolated(await findNamespace())
  if (why === undefined) return bot
  return { ...bot, isolated: false, warnings: [...bot.warnings, `${bot.handler} is not isolated: ${why}`] }
}
