// `server stop|status|reload` of a running server, and `server check` of the next one.
import { existsSync } from 'node:fs'
import { type BotOnDisk } from '../../../bots/disk.ts'
import { unserved } from '../../../bots/warnings.ts'
import { connectControl } from '../../../control/client.ts'
import { checkBots } from '../../bot/running/checkbots.ts'
import { viewBots } from '../../bot/running/view.ts'
import type { Context } from '../../context.ts'
import type { ServerChecked, ServerStatus } from '../views.ts'

/** Undefined if no server runs. */
export async function listensOn({ home }: Context): Promise<readonly string[] | undefined> {
  const connected = await connectControl(home)
  if (!connected.ok) return undefined
  const answer = await connected.client.call('server status', {})
  connected.client.close()
  if (!answer.ok) return []
  const { listeners, webhook } = answer.output as ServerStatus
  return [...listeners, ...(webhook === null ? [] : [webhook])]
}

export async function brokenBots(context: Context): Promise<ServerChecked['problems']> {
  if (!existsSync(context.home.bots)) return []
  const checked = await checkBots(context, viewBots(context))
  const mend = 'mend the file: the bot stays out until then'
  return checked.flatMap(({ problems }) => problems).map((what) => ({ what, mend, stops: false }))
}

/** It starts, and nobody can post to it. */
export function unservedSnag(bot: BotOnDisk): ServerChecked['problems'] {
  const mend = `hookline bot edit ${bot.name} --secret generate`
  return unserved(bot).map((what) => ({ what, mend, stops: false }))
}
