// Whether a bot's handler is isolated here: a system, or server.yaml, may not allow what bot.yaml asks for.
import { findNamespace, whyNotIsolated } from '../../../handlers/namespace.ts'
import type { Context } from '../../context.ts'
import type { BotView } from '../bot.ts'

export async function asItRuns({ known }: Context, bot: BotView): Promise<BotView> {
  if (bot.isolated !== true) return bot
  const why =
    known.handlers?.isolation === 'none'
      ? 'server.yaml has handlers.isolation: none'
      : whyNotIsolated(await findNamespace())
  if (why === undefined) return bot
  return { ...bot, isolated: false, warnings: [...bot.warnings, `${bot.handler} is not isolated: ${why}`] }
}
