// Warnings about a bot that runs all the same.
import { type BotSettings, hasContent } from './file/botfile.ts'
import { qualified } from './file/fields.ts'
import { ISOLATES } from '../handlers/openfiles.ts'
import { planOf } from './plan.ts'

/** From the folder alone, with or without a server; `handler` is the name of a file in it. */
export function fileWarnings(settings: BotSettings, handler?: string): readonly string[] {
  const isolation = handler === undefined || settings.handler ? [] : [unisolated(handler)]
  return [...isolation, ...ownWarnings(settings)]
}

/** Old handlers run as they did before there was any isolation. */
function unisolated(handler: string): string {
  return `${handler} is not isolated: it reaches files and the network. To isolate it, add this line to bot.yaml: ${ISOLATES}`
}

function ownWarnings(settings: BotSettings): readonly string[] {
  const own = [twice, open, ending, unsent, unheard, unrouted].flatMap((warning) => warning(settings) ?? [])
  return [...own, ...planOf(settings).warnings]
}

/** `bot create` was given the full name. */
function twice({ name, owner }: BotSettings): string | undefined {
  if (!name.startsWith(`${owner}-${owner}-`)) return undefined
  return `${name} has its owner in its name twice: bot create takes the name without the owner and puts the owner in front`
}

function open({ name, trigger }: BotSettings): string | undefined {
  if (trigger.auth?.type !== 'none') return undefined
  return `${name} accepts every sender (trigger.auth: {type: none}): anybody who can reach its URL may post`
}

function ending({ name, trigger: { expiresAt } }: BotSettings): string | undefined {
  if (expiresAt === undefined) return undefined
  return `${name} accepts no webhooks from ${new Date(expiresAt).toISOString().slice(0, 16)}Z on (trigger.expires)`
}

function unsent({ name, trigger: { reply } }: BotSettings): string | undefined {
  if (reply === undefined || reply.body === '' || hasContent(reply.status)) return undefined
  return `${name} does not send trigger.reply.body: an answer with status ${reply.status} has no body`
}

/** Warns if nobody reads what it says, or is woken by it. A bot that only answers the sender (`trigger.reply`) is fine. */
function unheard({ name, trigger, output }: BotSettings): string | undefined {
  const answersIn = { channels: output.here ? trigger.reaction?.in : undefined }
  const hasChannels = [output, ...output.routes, answersIn].some(({ channels = [] }) => channels.length > 0)
  if (hasChannels || output.dmOwner) {
    const isAsleep = !hasChannels && output.mention !== undefined
    return isAsleep
      ? `${name} wakes nobody: output.mention needs output.channels, and there are none`
      : undefined
  }
  if (trigger.reply !== undefined) return undefined
  return `${name} posts to nobody: it has no output.channels, and output.dm_owner is not true`
}

/** A route to no channel; one that only wakes somebody uses the bot's own channels. */
function unrouted({ name, output }: BotSettings): string | undefined {
  const index = output.routes.findIndex(({ channels }) => channels?.length === 0)
  if (index === -1 || output.dmOwner) return undefined
  return `${name} posts nowhere what matches output.routes.${index}: its channels are empty. To post nothing on purpose: trigger.filter`
}

export interface Surroundings {
  readonly serverName: string
  /** The webhook listener can be reached from other machines. */
  readonly isExposed: boolean
}

/** About the file on this server. */
export function serverWarnings(
  name: string,
  settings: BotSettings | undefined,
  { serverName, isExposed }: Surroundings,
): readonly string[] {
  return [
    ...(qualified(name, serverName) === name
      ? []
      : [`${name} does not begin with ${serverName}-, the name of this server`]),
    ...(isExposed ? unserved({ name, settings }) : []),
  ]
}

/** Of one that is in the chat, while what is posted to it from other machines is refused. */
export function unserved({
  name,
  settings,
}: {
  readonly name: string
  readonly settings: BotSettings | undefined
}): readonly string[] {
  if (settings?.trigger.type !== 'webhook' || settings.trigger.auth !== undefined) return []
  return [
    `${name} answers 503: it has no trigger.auth, and the webhook listener can be reached from other machines. Give it a secret (hookline bot edit ${name} --secret generate), or accept every sender (hookline bot edit ${name} --auth none)`,
  ]
}
