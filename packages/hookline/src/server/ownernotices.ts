// What a bot's owner is told by the server itself.
import { newId } from '../store/ids.ts'
import { nickKey } from '../irc/names.ts'
import { messageOf } from '../failure/thrown.ts'
import type { TellOwner } from '../webhooks/noticelimits.ts'
import type { Base, Rooms } from './rooms.ts'

export function ownerTeller(
  { bots, deliveries, virtualUsers }: Pick<Rooms, 'bots' | 'deliveries' | 'virtualUsers'>,
  { store, log }: Pick<Base, 'store' | 'log'>,
): TellOwner {
  return (bot, text) => {
    const owner = bots.get(bot)?.settings?.owner
    if (owner === undefined) return
    const time = virtualUsers.now()
    const facts = { id: newId(time), nick: nickKey(owner), source: bot, time, delivery: null }
    void store.kept
      .add([{ ...facts, command: 'NOTICE', text }])
      .catch((error: unknown) => log.warn({ err: error }, text))
      .then(() => deliveries.deliverKept(owner))
  }
}

/** Takes a bot's edited file; its owner is told if it is broken, or is still being written after a while. */
export async function noticeEdit(
  bot: string,
  isGrowing: boolean,
  { bots, tellOwner }: Rooms,
  log: Base['log'],
): Promise<void> {
  const reason = isGrowing ? GROWING : await bots.refresh(bot).catch(unreadable)
  if (reason === undefined) return
  log.warn({ bot }, reason)
  const [first = ''] = reason.split('\n')
  tellOwner(bot, `${bot}: ${first}`)
}

const GROWING = 'the saved file is still growing, so the bot keeps its previous settings until it is whole'

/** Nobody waits for an edit to be noticed, so nobody would catch this. */
function unreadable(error: unknown): string {
  return `the saved file cannot be read: ${messageOf(error)}`
}
