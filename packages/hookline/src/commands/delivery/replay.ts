// `hookline bot replay`
import { reasonIn } from '../../handlers/reason.ts'
import { cannot, done, wrong, type Answer } from '../../control/failure.ts'
import type { DeliveryRecord } from '../../store/deliveryrows.ts'
import { type Answer as Answered, notActive } from '../../webhooks/answer.ts'
import { verb } from '../command.ts'
import type { Running } from '../context.ts'
import type { OutputOf } from '../shape.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { inert, print, remark } from '../terminal.ts'
import { noDelivery } from './delivery.ts'

const REPLAYED = {
  id: 'text',
  status: 'text',
  message: 'text or null',
  channels: ['text'],
  error: 'text or null',
} as const

type Replayed = OutputOf<typeof REPLAYED>

export default verb({
  details: `The bot composes and posts it with its current settings, under the same id. With \`--failed\` every delivery that failed, the oldest first, at
most 1,000; Ctrl-C stops after the one that runs. A replay is posted at once, regardless of \`output.burst\` and \`output.coalesce\`; if the payload is
older than five minutes, the message begins with the time at which it came. One that takes longer than a sender would wait is \`pending\`:
\`bot deliveries show\` shows its outcome.`,
  arguments: [{ name: 'id', description: 'id of the delivery' }],
  options: [
    { name: 'failed', type: 'flag', description: 'every delivery that failed' },
    { name: 'bot', type: 'text', value: 'NAME', description: 'with --failed: only those of this bot' },
  ],
  changes: true,
  where: 'server',
  examples: [
    { run: 'hookline bot replay d-1m7z3k1qcne6jhqfh', shows: 'what was posted this time' },
    {
      run: 'hookline bot replay --failed --bot spark-ori-ci',
      shows: 'what was posted of all that had failed',
    },
  ],
  exits: {
    1: 'no such delivery; some failed again, or were not run because their bot is not active',
    ...NEEDS_SERVER,
  },
  output: { replayed: [REPLAYED] },

  needs: () => import('../bot/running/view.ts'),

  /** Answers with the new outcome; if it failed again, this fails too. */
  async run(context, { id, failed, bot }, { signal }, { noBot, viewBot }) {
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
  },

  show({ replayed }) {
    if (replayed.length === 0) remark('no failed deliveries')
    for (const { id, status, message, channels } of replayed) {
      print(`${id} ${status}${channels.length ? ` in ${inert(channels.join(' '))}` : ''}`)
      if (message !== null) print(inert(message))
    }
  },
})

async function replayOne(
  running: Running,
  id: string,
): Promise<Answer<{ readonly replayed: readonly Replayed[] }>> {
  const row = await running.store.deliveries.get(id)
  if (!row) return noDelivery(id)
  if (row.body === null) {
    return wrong('refused', `the body of ${id} is no longer kept`, 'ask the sender to deliver it again')
  }
  const rerun = await again(running, id)
  switch (rerun.kind) {
    case 'ran':
      return done({ replayed: [rerun.replayed] })
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
): Promise<Answer<{ readonly replayed: readonly Replayed[] }>> {
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
    if (signal.aborted) return done({ replayed })
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
  if (failed + refused === 0) return done({ replayed })
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
