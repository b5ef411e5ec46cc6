// `bot validate`: checks the files without running a bot.
import { existsSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { readBot } from '../../bots/disk.ts'
import { checkHandlers } from '../../bots/handler/check.ts'
import { findHandler } from '../../bots/handler/find.ts'
import { openFiles } from '../../bots/handler/openfiles.ts'
import { done, wrong, wrongYet, type Answer } from '../../control/failure.ts'
import type { Outputs } from '../../control/outputs.ts'
import type { BotView } from './bot.ts'
import type { Context } from '../context.ts'
import type { Input } from '../oldlist.ts'
import { noBot, viewBot, viewBots } from './running/view.ts'

/** Checks one bot or all, and lists them with their problems; fails if there are any. */
export async function validateBots(
  context: Context,
  { name }: Input<'bot validate'>,
): Promise<Answer<Outputs['bot validate']>> {
  const one = name === undefined ? undefined : viewBot(context, name)
  if (name !== undefined && !one) return noBot(context, name)
  // With a wrong HOOKLINE_HOME, as in CI, no problem would be found either.
  if (!existsSync(context.home.bots))
    return wrong(
      'not_found',
      `there is no folder ${context.home.bots}`,
      'set HOOKLINE_HOME, or create a bot first',
    )
  const views = one ? [one] : viewBots(context)
  const files = views.flatMap((bot) => findHandler(dirname(bot.file)).handler ?? [])
  const wrongHandlers = await checkHandlers(files)
  // Status and URL depend on a server, which was not asked.
  const bots = views.map(({ status: _status, url: _url, ...bot }) => {
    const problems = [...handlerProblem(context, bot, wrongHandlers), ...hiddenFiles(context, bot)]
    return { ...bot, problems: [...bot.problems, ...problems] }
  })
  const problems = bots.flatMap((bot) => bot.problems)
  if (problems.length === 0) return done({ bots })
  const broken = bots.filter((bot) => bot.problems.length > 0).length
  const count = `${broken} of ${bots.length} ${bots.length === 1 ? 'bot is' : 'bots are'} invalid`
  return wrongYet({ bots }, 'invalid', count, 'fix the files, then run this again', problems)
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
