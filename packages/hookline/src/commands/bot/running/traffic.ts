// Payloads to learn from: the captured ones, or if there are none, those that a running server keeps.
import { capturedNames, findCaptured } from '../../../bots/captured.ts'
import { ownEvent } from '../../../bots/causes.ts'
import type { Fixture } from '../../../senders/fixtures.ts'
import { connectControl, type ControlClient } from '../../../control/client.ts'
import { cannot, done, wrong, type Answer } from '../../../control/failure.ts'
import type { DeliveryDetails, DeliveryView } from '../../delivery/delivery.ts'
import type { Context } from '../../context.ts'
import { howToCapture } from './fixtures.ts'
import { sampleOf, type Sample, type Triable } from './trial.ts'

/** Where the payloads came from: the bot's folder, or the running server. */
export type TrafficSource = 'captured' | 'deliveries'

interface Traffic {
  readonly from: TrafficSource
  /** Oldest first; never empty. */
  readonly samples: readonly Sample[]
}

/** Most deliveries fetched: each answer has up to a megabyte. */
const MOST_DELIVERIES = 200

export async function trafficOf({ home }: Context, bot: Triable): Promise<Answer<Traffic>> {
  const captured = capturedNames(bot.folder).flatMap((name) => findCaptured(bot.folder, name) ?? [])
  if (captured.length > 0) return read(bot, 'captured', captured)
  const connected = await connectControl(home)
  if (!connected.ok) {
    const { kind, message, remediation } = connected.error
    const hint = kind === 'not_running' ? howToCapture(bot.name) : remediation
    return cannot(kind, `no payloads are captured for ${bot.name}, and ${message}`, hint)
  }
  try {
    const kept = await deliveriesOf(connected.client, bot.name)
    if (!kept.ok) return kept
    if (kept.output.length > 0) return read(bot, 'deliveries', kept.output)
    const hint = `post to it, or try a sample: hookline bot test ${bot.name} --fixture github/push`
    return wrong('not_found', `no delivery of ${bot.name} is kept`, hint)
  } finally {
    connected.client.close()
  }
}

async function deliveriesOf(client: ControlClient, name: string): Promise<Answer<readonly Fixture[]>> {
  const listed = await client.call('bot deliveries', { name, limit: MOST_DELIVERIES })
  if (!listed.ok) return listed
  const fixtures: Fixture[] = []
  for (const { id } of listed.output as readonly DeliveryView[]) {
    const shown = await client.call('bot deliveries show', { id })
    if (!shown.ok) {
      // Pruned since it was listed.
      if (shown.error.kind === 'not_found') continue
      return shown
    }
    const { payload, headers, event } = shown.output as DeliveryDetails
    if (payload === null) continue
    fixtures.push({ name: id, payload, headers, event: ownEvent(headers, event) })
  }
  return done(fixtures)
}

function read(bot: Triable, from: TrafficSource, fixtures: readonly Fixture[]): Answer<Traffic> {
  const samples: Sample[] = []
  for (const fixture of fixtures) {
    const sample = sampleOf(bot, fixture)
    if (!sample.ok) return sample
    samples.push(sample.output)
  }
  return done({ from, samples })
}
