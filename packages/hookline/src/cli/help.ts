// Help, generated from the list of commands. With `--json` it is that data itself.
import { flagOf, type Argument, type Command, type Option } from '../commands/command.ts'
import { commands, groups, type Listed, loadCommand, loadCommands } from '../commands/list.ts'
import { fields } from '../commands/table.ts'

const HELP = new Set(['--help', '-h', 'help'])

/** True for `hookline`, `hookline bot`, `hookline --help`, `hookline bot create --help`: only words and help flags. */
export function isCallForHelp(typed: readonly string[]): boolean {
  // `--` with nothing after it says nothing.
  const args = typed.at(-1) === '--' ? typed.slice(0, -1) : typed
  const words = wordsOf(args)
  if (!args.every((arg) => words.includes(arg) || HELP.has(arg) || arg === '--json')) return false
  const name = words.join(' ')
  if (name === '' || Object.hasOwn(groups, name)) return true
  return commands.some((each) => each.name === name) && args.some((arg) => HELP.has(arg))
}

/** The text for arguments that `isCallForHelp` accepts. */
export async function helpFor(args: readonly string[], json: boolean): Promise<string> {
  const name = wordsOf(args).join(' ')
  const command = await loadCommand(name)
  if (json) {
    if (command) return JSON.stringify(asData(command))
    return JSON.stringify((await loadCommands(name === '' ? '' : `${name} `)).map(asData))
  }
  if (command) return helpOf(command)
  return name === '' ? overview() : helpOfGroup(name)
}

/** With what is typed for each option: its name is the key that the command takes. */
function asData(command: Command): object {
  const options = command.options.map((option) => ({ flag: flagOf(option), ...option }))
  const { ignoresSettings: _, ...data } = command
  return { ...data, options }
}

/** `hookline bot create NAME --owner NICK [options]` */
export function usageOf(command: Command): string {
  const given = command.arguments.map(usageOfArgument)
  const required = command.options.filter((option) => option.required).map((option) => leftOf(option))
  const rest = command.options.some((option) => !option.required) ? ['[options]'] : []
  return ['hookline', command.name, ...given, ...required, ...rest].join(' ')
}

/** The left column of an option's help: `--limit N`. */
export function leftOf(option: Option): string {
  const flag = option.clearable ? `--[no-]${flagOf(option).slice(2)}` : flagOf(option)
  return option.value ? `${flag} ${option.value}` : flag
}

/** Help for one command. */
function helpOf(command: Command): string {
  const { arguments: args, options, examples } = command
  return [
    `${command.summary}.`,
    `Usage: ${usageOf(command)}`,
    section(
      'Arguments',
      args.map((arg) => [arg.name.toUpperCase(), describe(arg)]),
    ),
    section('Options', [
      ...options.map((option) => [leftOf(option), describe(option)] as const),
      ...EVERYWHERE,
    ]),
    `Examples:\n${examples.map(({ run }) => `  ${run}`).join('\n')}`,
    `More: hookline explain ${command.name}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The description, with its choices and default. */
export function describe(field: Argument | Option): string {
  const choices = field.choices && field.choices.length > 1 ? `; ${field.choices.join(', ')}` : ''
  const fallback = 'default' in field && field.default !== undefined ? ` (${field.default})` : ''
  return field.description + choices + fallback
}

const EVERYWHERE = [
  ['--json', 'results and errors as JSON'],
  ['--help', 'this help; JSON with --json'],
] as const

function helpOfGroup(group: string): string {
  return [
    `${groups[group]}.`,
    `Usage: hookline ${group} COMMAND`,
    section(
      'Commands',
      commands.filter((each) => isIn(group, each)).map((each) => [withoutGroup(each), each.summary]),
    ),
    section('Options', EVERYWHERE),
    `More: hookline ${group} COMMAND --help`,
  ].join('\n\n')
}

function overview(): string {
  const ungrouped = commands.filter((each) => !Object.keys(groups).some((group) => isIn(group, each)))
  const parts = Object.keys(groups).map((group) => {
    const members = commands.filter((each) => isIn(group, each))
    return section(
      `${groups[group]}`,
      members.map((each) => [each.name, each.summary]),
    )
  })
  return [
    'A chat (IRC) server for teams of people and AI agents, with webhook bots built in.',
    'Usage: hookline COMMAND',
    ...parts,
    section(
      'Chat and learn',
      ungrouped.map((each) => [each.name, each.summary]),
    ),
    section('Options', [...EVERYWHERE, ['--version', 'the version']]),
    'Start with: hookline learn',
  ].join('\n\n')
}

function section(title: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.length ? `${title}:\n${fields(pairs).replaceAll(/^/gm, '  ')}` : ''
}

function usageOfArgument(arg: Argument): string {
  const name = arg.name.toUpperCase() + (arg.rest ? '…' : '')
  return arg.required ? name : `[${name}]`
}

function isIn(group: string, { name }: Listed): boolean {
  return name.startsWith(`${group} `)
}

/** `deliveries show` */
function withoutGroup({ name }: Listed): string {
  return name.slice(name.indexOf(' ') + 1)
}

function wordsOf(args: readonly string[]): readonly string[] {
  return args.filter((arg) => !arg.startsWith('-') && arg !== 'help')
}
