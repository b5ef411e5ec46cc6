// A refused operation on a bot, as a value: the reason says what to do instead.

export interface Refusal {
  readonly ok: false
  readonly reason: string
}

export function refuse(reason: string): Refusal {
  return { ok: false, reason }
}

export function noSuchBot(name: string): Refusal {
  return refuse(`there is no bot ${name}: \`bot list\` shows those that exist; names are matched exactly`)
}
