// `bot deliveries|replay`: what came to the bots, what became of it, and once more.
import { reasonIn } from '../../bots/handler/reason.ts'
import type { Desk, Running } from '../desk.ts'
import { done, notRunning, wrong, type Answer } from '../failure.ts'
import type { Input } from '../operations.ts'
import type { DeliveryView, Replayed } from '../outputs.ts'
import { noBot, viewBot, viewDelivery } from './view.ts'

export async function listDeliveries(
  desk: Desk,
  { name, failed, limit }: Input<'bot deliveries'>,
): Promise<Answer<readonly DeliveryView[]>> {
  if (!desk.running) return notRunning(desk.home.folder)
  if (name !== undefined && !viewBot(desk, name)) return noBot(desk, name)
  const query = { ...(name === undefined ? {} : { bot: name }), failed: failed === true, limit }
  const rows = await desk.running.store.deliveries.list(query)
  return done(rows.map(viewDelivery))
}

/** Runs again, and what came of it is the answer: `failed` again is a failure here too. */
export async function replay(
  desk: Desk,
  { id, failed, bot }: Input<'bot replay'>,
): Promise<Answer<Replayed | readonly Replayed[]>> {
  const { running, home } = desk
  if (!running) return notRunning(home.folder)
  if ((id !== undefined) === (failed === true)) {
    return wrong('usage', 'one id, or --failed', 'see which failed: hookline bot deliveries --failed')
  }
  if (bot !== undefined && !viewBot(desk, bot)) return noBot(desk, bot)
  return id === undefined ? await replayFailed(running, bot) : await replayOne(running, id)
}

async function replayOne(running: Running, id: string): Promise<Answer<Replayed>> {
  const row = await running.store.deliveries.get(id)
  if (!row) return noDelivery(id)
  if (row.body === null) {
    return wrong('refused', `the body of ${id} is no longer kept`, 'ask the sender to deliver it again')
  }
  const after = await again(running, id)
  if (after.status === 'failed') {
    const error = after.error ?? ''
    const lines = error.includes('\n') ? error.split('\n') : []
    return wrong(
      'handler_failed',
      `${id} failed again: ${reasonIn(error)}`,
      `see: hookline bot logs ${row.bot}`,
      lines,
    )
  }
  return done(after)
}

/** The oldest first, as they came; at most 1,000. */
async function replayFailed(running: Running, bot: string | undefined): Promise<Answer<readonly Replayed[]>> {
  const query = { ...(bot === undefined ? {} : { bot }), failed: true, limit: 1_000 }
  const replayed: Replayed[] = []
  for (const { id } of await running.store.deliveries.list(query)) replayed.push(await again(running, id))
  const lines = replayed.flatMap(({ id, status, error }) =>
    status === 'failed' ? `${id}: ${reasonIn(error ?? '')}` : [],
  )
  if (lines.length === 0) return done(replayed)
  const count = `${lines.length} of ${replayed.length} failed again`
  return wrong('handler_failed', count, 'see: hookline bot deliveries --failed', lines)
}

async function again({ deliveries, store }: Running, id: string): Promise<Replayed> {
  const { status, body } = await deliveries.replay(id)
  const after = await store.deliveries.get(id)
  const refusal = status >= 400 && status !== 500 && 'error' in body ? body.error : null
  return {
    id,
    status: after?.status ?? 'pending',
    message: after?.text ?? null,
    channels: after?.channels ?? [],
    error: refusal ?? after?.error ?? null,
  }
}

export function noDelivery(id: string) {
  return wrong('not_found', `there is no delivery ${JSON.stringify(id)}`, 'see: hookline bot deliveries')
}
