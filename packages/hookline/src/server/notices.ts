// What a bot's owner is told by the server itself.
import { newId } from '../ids.ts'
import { nickKey } from '../irc/names.ts'
import type { Base, Rooms } from './rooms.ts'

/** Tells the bot's owner of a broken edit, now or when they connect. */
export async function noticeEdit(
  name: string,
  rooms: Rooms,
  base: Pick<Base, 'store' | 'log'>,
): Promise<void> {
  const reason = await rooms.bots.refresh(name)
  if (reason === undefined) return
  base.log.warn({ bot: name }, reason)
  const [first = ''] = reason.split('\n')
  await tellOwner(name, `${name}: ${first}`, rooms, base)
}

/** Now, or when the owner connects. */
export async function tellOwner(
  name: string,
  text: string,
  { bots, deliveries, virtualUsers }: Pick<Rooms, 'bots' | 'deliveries' | 'virtualUsers'>,
  { store, log }: Pick<Base, 'store' | 'log'>,
): Promise<void> {
  const owner = bots.get(name)?.settings?.owner
  if (owner === undefined) return
  const time = virtualUsers.now()
  const facts = { id: newId(time), nick: nickKey(owner), source: name, time, delivery: null }
  await store.kept
    .add([{ ...facts, command: 'NOTICE', text }])
    .catch((error: unknown) => log.warn({ err: error }, text))
  await deliveries.deliverKept(owner)
}
