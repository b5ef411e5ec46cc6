// `bot deliveries|replay`: lists deliveries with their outcomes, and runs them again.
import { reasonIn } from '../../bots/handler/reason.ts'
import { cannot, done, wrong, type Answer } from '../../control/failure.ts'
import type { DeliveryView, Replayed } from './delivery.ts'
import { parseTime } from '../../irc/time.ts'
import type { DeliveryRecord } from '../../store/deliveryrows.ts'
import { type Answer as Answered, notActive } from '../../webhooks/answer.ts'
import { noBot, viewBot, viewDelivery, viewRefused } from '../bot/running/view.ts'
import type { Call, LiveContext, Running } from '../context.ts'
import type { Input } from '../oldlist.ts'

export async function listDeliveries(
  context: LiveContext,
  { name, failed, refused, before, limit }: Input<'bot deliveries'>,
): Promise<Answer<readonly DeliveryView[]>> {
  if (name !== undefined && !viewBot(context, name)) return noBot(context, name)
  if (failed && refused)
    return wrong(
      'usage',
      'give --failed or --refused, not both',
      'what was refused did not run, so it cannot fail',
    )
  const { deliveries } = context.running.store
  const time = before === undefined ? undefined : parseTime(before)
  if (before !== undefined && time === undefined && !(await deliveries.get(before))) {
    const hint = 'for ids see: hookline bot deliveries; write a time in UTC, as 2026-04-03T09:15:00.000Z'
    return wrong('not_found', `${JSON.stringify(before)} is neither a delivery nor a time`, hint)
  }
  if (refused) return done(await listRefused(context, { name, before: time, limit }))
  const ofBot = name === undefined ? {} : { bot: name }
  const rows = await deliveries.list({ ...ofBot, failed: failed === true, before: time ?? before, limit })
  return done(rows.map(viewDelivery))
}

/** Oldest first. Of what was refused nothing has an id: only a time can be paged back to. */
async function listRefused(
  { running }: LiveContext,
  { name, before = Infinity, limit }: { name: string | undefined; before: number | undefined; limit: number },
): Promise<readonly DeliveryView[]> {
  const names = name === undefined ? running.bots.list().map((bot) => bot.name) : [name]
  const all = names.map(async (bot) => (await running.refused.of(bot)).map((each) => ({ bot, ...each })))
  return (await Promise.all(all))
    .flat()
    .filter(({ last }) => last < before)
    .toSorted((a, b) => a.last - b.last)
    .slice(-limit)
    .map((each) => viewRefused(each.bot, each))
}

/** Answers with the new outcome; if it failed again, this fails too. */
export async function replay(
  context: LiveContext,
  { id, failed, bot }: Input<'bot replay'>,
  { signal }: Call,
): Promise<Answer<Replayed | readonly Replayed[]>> {
  const { running } = context
  if ((id !== undefined) === (failed === true)) {
    return wrong(
      'usage',
      'give either one id or --failed',
      'see which failed: hookline bot deliveries --failed',
    )
  }
  if (id !== undefined && bot !== undefined)
    return wrong('usage', '--bot goes with --failed: an id says which bot it is', 'leave --bot out')
  if (bot !== undefined && !viewBot(context, bot)) return noBot(context, bot)
  return id === undefined ? await replayFailed(running, bot, signal) : await replayOne(running, id)
}

async function replayOne(running: Running, id: string): Promise<Answer<Replayed>> {
  const row = await running.store.deliveries.get(id)
  if (!row) return noDelivery(id)
  if (row.body === null) {
    return wrong('refused', `the body of ${id} is no longer kept`, 'ask the sender to deliver it again')
  }
  const rerun = await again(running, id)
  switch (rerun.kind) {
    case 'ran':
      return done(rerun.replayed)
    case 'failed': {
      const error = rerun.replayed.error ?? ''
      const lines = error.includes('\n') ? error.split('\n') : []
      const message = `${id} failed again: ${reasonIn(error)}`
      return wrong('handler_failed', message, `see: hookline bot logs ${row.bot}`, lines)
    }
    case 'refused': {
      const message = `${id} was not run again: ${rerun.error}`
      const hint = hintFor(rerun.answer, row)
      return rerun.answer.status < 500 || rerun.answer === notActive
        ? wrong('refused', message, hint)
        : cannot('setup', message, hint)
    }
  }
}

/** Oldest first, in the order received; at most 1,000, and no more once the caller is gone. */
async function replayFailed(
  running: Running,
  bot: string | undefined,
  signal: AbortSignal,
): Promise<Answer<readonly Replayed[]>> {
  const query = { ...(bot === undefined ? {} : { bot }), failed: true, limit: 1_000 }
  const rows = await running.store.deliveries.list(query)
  const replayed: Replayed[] = []
  const outcomes: string[] = []
  let failed = 0
  let hint = ''
  const ran = (each: Replayed): void => {
    replayed.push(each)
    outcomes.push(`${each.id}: ${each.status}`)
  }
  for (const row of rows) {
    if (signal.aborted) return done(replayed)
    // Its sender, or another replay, may have run it meanwhile.
    const rerun = await again(running, row.id, { onlyFailed: true })
    if (rerun.kind === 'ran') ran(rerun.replayed)
    else if (rerun.kind === 'failed') {
      failed++
      outcomes.push(`${row.id}: ${reasonIn(rerun.replayed.error ?? '')}`)
    } else if (rerun.answer.status === 409) ran(stillPending(row.id))
    else {
      outcomes.push(`${row.id}: not run again: ${rerun.error}`)
      hint ||= hintFor(rerun.answer, row)
    }
  }
  const refused = rows.length - replayed.length - failed
  if (failed + refused === 0) return done(replayed)
  const counts = [
    ...(failed > 0 ? [`${failed} of ${rows.length} failed again`] : []),
    ...(refused > 0 ? [`${refused} of ${rows.length} not run again`] : []),
  ].join(', ')
  return failed > 0
    ? wrong('handler_failed', counts, 'see: hookline bot deliveries --failed', outcomes)
    : wrong('refused', counts, hint, outcomes)
}

type Rerun =
  /** It has an outcome, or will have one. */
  | { readonly kind: 'ran'; readonly replayed: Replayed }
  | { readonly kind: 'failed'; readonly replayed: Replayed }
  /** Nothing was run. */
  | { readonly kind: 'refused'; readonly answer: Answered; readonly error: string }

async function again(
  { deliveries, store }: Running,
  id: string,
  options?: { onlyFailed: boolean },
): Promise<Rerun> {
  const answer = await deliveries.replay(id, options)
  const { body } = answer
  // Only one that ran and failed is answered with its id.
  if ('error' in body && body.id === undefined) return { kind: 'refused', answer, error: body.error }
  if ('status' in body && body.status === 'queued') return { kind: 'ran', replayed: stillPending(id) }
  const after = await store.deliveries.get(id)
  const replayed = after ? replayedAs(after) : stillPending(id)
  return 'error' in body ? { kind: 'failed', replayed } : { kind: 'ran', replayed }
}

function replayedAs({ id, status, text, channels, error }: DeliveryRecord): Replayed {
  return { id, status, message: text, channels, error }
}

/** Its record still has the previous outcome. */
function stillPending(id: string): Replayed {
  return { id, status: 'pending', message: null, channels: [], error: null }
}

function hintFor(answer: Answered, { id, bot }: Pick<DeliveryRecord, 'id' | 'bot'>): string {
  if (answer === notActive) return `start it first: hookline bot start ${bot}`
  switch (answer.status) {
    case 404:
      return 'see which bots there are: hookline bot list'
    case 409:
      return `wait until it has ended: hookline bot deliveries show ${id}`
    case 410:
      return 'ask the sender to deliver it again'
    case 500:
      return 'the server log says why'
    default:
      return `when that is over: hookline bot replay ${id}`
  }
}

export function noDelivery(id: string) {
  return wrong('not_found', `there is no delivery ${JSON.stringify(id)}`, 'see: hookline bot deliveries')
}
