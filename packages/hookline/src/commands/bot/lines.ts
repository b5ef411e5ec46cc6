// How a terminal shows what several commands about bots print.
import { colour, inert, print, remark } from '../terminal.ts'
import type { BotView, Changed } from './bot.ts'
import type { TrafficSource } from './running/traffic.ts'

export function statusOf({ status }: Pick<BotView, 'status'>): string {
  if (status === 'active') return colour('green', status)
  return status === 'invalid' ? colour('red', status) : status
}

export function showSecret({ secret, setup }: Changed): void {
  if (secret === null) return
  print(`secret: ${secret}`)
  remark(['It will not be shown again.', ...setup].join('\n'))
}

export function warn(warnings: readonly string[]): void {
  for (const warning of warnings) remark(`warning: ${inert(warning)}`)
}

/** Prefixed with the bot's name, for a list of several bots. */
export function namedWarnings({ name, warnings }: Pick<BotView, 'name' | 'warnings'>): readonly string[] {
  return warnings.map((warning) => (warning.startsWith(name) ? warning : `${name}: ${warning}`))
}

export function nameOf(event: string | null): string {
  return event ?? '(no event)'
}

export function sourceOf(from: TrafficSource): string {
  return from === 'captured' ? 'captured payloads' : 'deliveries kept by the server'
}
