// Commands that are still sorted by kind.
import type { Command, InputOf } from './command.ts'
import { botOperations } from '../control/operations/bot.ts'
import { deliveryOperations } from '../control/operations/delivery.ts'
import { secretOperations } from '../control/operations/secret.ts'
import { tryOperations } from '../control/operations/try.ts'

export const oldCommands = [
  ...botOperations,
  ...secretOperations,
  ...tryOperations,
  ...deliveryOperations,
] as const

type Listed = (typeof oldCommands)[number]
type OperationName = Listed['name']
export type Input<Name extends OperationName> = Of<Extract<Listed, { readonly name: Name }>>
/** Operations that a running server's socket answers. */
export type ServedName = Extract<Listed, { readonly where: 'server' | 'either' }>['name']
/** Operations that need a running server. */
export type LiveName = Extract<Listed, { readonly where: 'server' }>['name']
/** Operations that can work on the files, without a server. */
export type OfflineName = Extract<Listed, { readonly where: 'either' | 'files' }>['name']

type Of<C extends Command> = InputOf<C['arguments'], C['options']>

export type HandledName = ServedName | OfflineName
