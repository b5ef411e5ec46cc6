// Where a bot speaks: in all of its channels, in those of a route, or only where something happened.
import { channelKey } from '../irc/names.ts'
import type { BotSettings } from './file/botfile.ts'
import { withoutRepeats } from './file/channels.ts'
import type { Destination } from '../message/composed.ts'
import type { Envelope, Payload } from '../message/payload.ts'
import { planOf } from './plan.ts'

/** Undefined if it speaks as `output` says. `nameOf` gives the present name of a channel that the bot is in. */
export function destinationOf(
  settings: BotSettings,
  payload: Payload,
  envelope: Envelope,
  nameOf: (channel: string) => string,
): Destination | undefined {
  const route = planOf(settings).route?.(payload, envelope)
  const place = here(settings, payload, nameOf)
  return place ? { ...route, ...place } : route
}

/** Where a message goes, and whom it wakes. */
export function placeOf(
  { output }: BotSettings,
  destination: Destination | undefined,
): { readonly channels: readonly string[]; readonly mention: string | null } {
  return {
    channels: destination?.channels ?? output.channels,
    mention: (destination?.mention === undefined ? output.mention : destination.mention) ?? null,
  }
}

/** Every channel that the bot is in: where it speaks, and where it listens. */
export function presenceOf({ trigger, output }: BotSettings): readonly string[] {
  const { channels, routes } = output
  const heard = trigger.reaction?.in
  if (!heard && routes.length === 0) return channels
  return withoutRepeats([...channels, ...routes.flatMap((route) => route.channels ?? []), ...(heard ?? [])])
}

/** With `output.here`: the channel that the payload names, if the bot is in it. */
function here(
  settings: BotSettings,
  { rough }: Payload,
  nameOf: (channel: string) => string,
): Destination | undefined {
  if (!settings.output.here) return undefined
  const { channel } = rough
  if (typeof channel !== 'string') return undefined
  const where = channelKey(nameOf(channel))
  const found = presenceOf(settings).find((name) => channelKey(nameOf(name)) === where)
  return found === undefined ? undefined : { channels: [found] }
}
