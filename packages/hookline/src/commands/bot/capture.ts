// `bot capture`: writes a bot's received payloads to its folder. The files are written asynchronously, so the server
// keeps working.
import { join } from 'node:path'
import { CAPTURED, keepCaptured, pruneCaptured } from '../../bots/captured.ts'
import { readBot } from '../../bots/disk.ts'
import { cannot, done, notRunning, wrong, type Answer } from '../../control/failure.ts'
import type { Captured } from '../../control/outputs/try.ts'
import { messageOf } from '../../thrown.ts'
import type { Context, Running } from '../context.ts'
import type { Input } from '../oldlist.ts'
import { noBot } from './running/view.ts'

export async function captureBot(
  context: Context,
  { name, last: most, clear }: Input<'bot capture'>,
): Promise<Answer<Captured>> {
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
}

const LAST = 20

/** Captures the newest deliveries that still have a body, among the newest 1,000; counts those that were not there already. */
async function catchLast(
  { store }: Running,
  { name, folder }: { readonly name: string; readonly folder: string },
  last: number,
): Promise<number> {
  const rows = await store.deliveries.list({ bot: name, limit: 1_000 })
  let [caught, written] = [0, 0]
  for (const { id } of rows.toReversed()) {
    if (caught === last) break
    const row = await store.deliveries.get(id)
    if (!row?.body) continue
    caught++
    if (await keepCaptured(folder, { ...row, body: row.body })) written++
  }
  return written
}
