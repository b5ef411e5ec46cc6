// What several operations on a bot refuse.
import { type Refusal, refuse } from '../refusal.ts'

export function noSuchBot(name: string): Refusal {
  return refuse(`there is no bot ${name}: \`bot list\` shows those that exist; names are matched exactly`)
}
