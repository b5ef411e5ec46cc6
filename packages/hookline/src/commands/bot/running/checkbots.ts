// Checks bots' files and handlers, without a call of one.
import { dirname, relative } from 'node:path'
import { readBot } from '../../../bots/disk.ts'
import { checkHandlers } from '../../../handlers/check.ts'
import { findHandler } from '../../../handlers/find.ts'
import { openFiles } from '../../../handlers/openfiles.ts'
import type { Context } from '../../context.ts'
import type { OutputOf } from '../../shape.ts'
import type { BOT_ON_DISK, BotView } from '../bot.ts'

/** With what is wrong with them and their handlers. Status and URL depend on a server, which was not asked. */
export async function checkBots(
  context: Context,
  bots: readonly BotView[],
): Promise<readonly OutputOf<typeof BOT_ON_DISK>[]> {
  const files = bots.flatMap((bot) => findHandler(dirname(bot.file)).handler ?? [])
  const wrongHandlers = await checkHandlers(files)
  return bots.map(({ status: _status, url: _url, ...bot }) => {
    const problems = [...handlerProblem(context, bot, wrongHandlers), ...hiddenFiles(context, bot)]
    return { ...bot, problems: [...bot.problems, ...problems] }
  })
}

/** Names the file as for bot.yaml, also if only the check of it failed. */
function handlerProblem(
  context: Context,
  bot: Pick<BotView, 'file'>,
  wrongHandlers: ReadonlyMap<string, string>,
): readonly string[] {
  const { handler } = findHandler(dirname(bot.file))
  const problem = handler && wrongHandlers.get(handler.path)
  if (!handler || problem === undefined) return []
  const file = relative(context.home.folder, handler.path)
  const named = problem.replaceAll(handler.path, file)
  return [named === problem ? `${file}: ${problem}` : named]
}

/** What `handler.files` cannot show it, so that none of its calls would begin. */
function hiddenFiles(
  { home, known }: Context,
  { name, file }: Pick<BotView, 'name' | 'file'>,
): readonly string[] {
  const isolation = readBot(home, name)?.settings?.handler
  if (!isolation) return []
  const place = { folder: dirname(file), home: { folder: home.folder, data: known.dataDir ?? home.data } }
  const opened = openFiles(isolation.files, place)
  return opened.ok ? [] : [`${relative(home.folder, file)} ${opened.reason}`]
}
