// The list of commands. Parser, help, learn, explain and completion are made from it.
import { aboutCommands } from './about.ts'
import type { Command, InputOf } from './command.ts'
import { createCommands } from './create.ts'
import { envCommands } from './env.ts'
import { manifestCommands } from './manifest.ts'
import { scaffoldCommands } from './scaffold.ts'

const list = [
  ...createCommands,
  ...scaffoldCommands,
  ...envCommands,
  ...manifestCommands,
  ...aboutCommands,
] as const

/** Each command group and its summary, in the order of help. */
export const groups: Readonly<Record<string, string>> = {
  repo: 'Create and prepare repositories; a dry-run unless --apply',
}

type Listed = (typeof list)[number]
export type CommandName = Listed['name']
export type NamedCommand = Command & { readonly name: CommandName }

export const commands: readonly NamedCommand[] = list

export type Input<Name extends CommandName> = InputOf<Extract<Listed, { readonly name: Name }>>

/** Exact match only: `repo create`. */
export function findCommand(name: string): NamedCommand | undefined {
  return commands.find((command) => command.name === name)
}
