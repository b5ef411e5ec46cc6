// The list of operations, which the unix socket, the command line and its help expose.
import type { InputOf, Operation } from './command.ts'
import { aboutOperations } from '../control/operations/about.ts'
import { accountOperations } from '../control/operations/account.ts'
import { banOperations } from '../control/operations/ban.ts'
import { botOperations } from '../control/operations/bot.ts'
import { chatOperations } from '../control/operations/chat.ts'
import { deliveryOperations } from '../control/operations/delivery.ts'
import { presetOperations } from '../control/operations/preset.ts'
import { secretOperations } from '../control/operations/secret.ts'
import { serverOperations } from '../control/operations/server.ts'
import { tryOperations } from '../control/operations/try.ts'

const list = [
  ...serverOperations,
  ...botOperations,
  ...secretOperations,
  ...tryOperations,
  ...deliveryOperations,
  ...presetOperations,
  ...accountOperations,
  ...banOperations,
  ...chatOperations,
  ...aboutOperations,
] as const

export const operations: readonly Operation[] = list

/** Each command group and its summary, in the order of help. */
export const groups: Readonly<Record<string, string>> = {
  server: 'Start, stop and maintain the server',
  bot: 'Make and run webhook bots',
  account: 'Accounts: names of people and agents, and how they log in',
  ban: 'Ban addresses, networks and masks',
  preset: 'Templates for services that send webhooks',
}

type Listed = (typeof list)[number]
type OperationName = Listed['name']
export type Input<Name extends OperationName> = InputOf<Extract<Listed, { readonly name: Name }>>
/** Operations that a running server's socket answers. */
export type ServedName = Extract<Listed, { readonly where: 'server' | 'either' }>['name']
/** Operations that need a running server. */
export type LiveName = Extract<Listed, { readonly where: 'server' }>['name']
/** Operations that can work on the files, without a server. */
export type OfflineName = Extract<Listed, { readonly where: 'either' | 'files' }>['name']

/** Exact match only: `bot create`. */
export function findOperation(name: string): Operation | undefined {
  return operations.find((operation) => operation.name === name)
}
