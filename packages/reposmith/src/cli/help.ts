// Help, generated from the list of commands. With `--json` it is that data itself.
import { flagOf, type Argument, type Command, type Field, type Option } from '../table/command.ts'
import { findCommand, groups, commands } from '../table/commands.ts'
import { fields } from './columns.ts'
import { printedBy } from './printed.ts'

const FLAGS = new Set(['--help', '-h', '--json'])

/**
 * True for `reposmith`, `reposmith repo`, `reposmith --help`, `reposmith help repo create`, `reposmith repo create
 * --help`: only words and help flags.
 */
export function isCallForHelp(typed: readonly string[]): boolean {
  // `--` with nothing after it says nothing.
  const args = typed.at(-1) === '--' ? typed.slice(0, -1) : typed
  if (!args.every((arg) => !arg.startsWith('-') || FLAGS.has(arg))) return false
  const words = wordsOf(args)
  const name = words.join(' ')
  if (isGroup(name)) return true
  const isAsked = args.filter((arg) => arg !== '--json').length > words.length
  return findCommand(name) !== undefined && isAsked
}

/** The text for arguments that `isCallForHelp` accepts. */
export function helpFor(args: readonly string[], json: boolean): string {
  const name = wordsOf(args).join(' ')
  const command = findCommand(name)
  if (json) {
    const listed = name === '' ? commands : membersOf(name)
    return JSON.stringify(command ? asData(command) : listed.map(asData))
  }
  if (command) return helpOf(command)
  return name === '' ? overview() : helpOfGroup(name)
}

/** With what is typed for each option (its name is the key that the verb takes), and what `--json` prints. */
function asData(command: Command): object {
  const options = command.options.map((option) => ({ flag: flagOf(option), ...option }))
  return { ...command, options, output: printedBy(command.name) }
}

/** `reposmith repo create NAME [options]` */
export function usageOf(command: Command): string {
  const given = command.arguments.map(usageOfArgument)
  const rest = command.options.length > 0 ? ['[options]'] : []
  return ['reposmith', command.name, ...given, ...rest].join(' ')
}

/** The left column of an option's help: `--index INDEX`. */
export function leftOf(option: Option): string {
  return option.value ? `${flagsOf(option)} ${option.value}` : flagsOf(option)
}

/** `-f, --file` */
export function flagsOf(option: Option): string {
  return option.short ? `-${option.short}, ${flagOf(option)}` : flagOf(option)
}

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
    `More: reposmith explain ${command.name}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The description, with its choices and default. */
export function describe(field: Field): string {
  const choices = field.choices && field.choices.length > 1 ? `; ${field.choices.join(', ')}` : ''
  const fallback = field.default === undefined ? '' : ` (${field.default})`
  return field.description + choices + fallback
}

const EVERYWHERE = [
  ['--json', 'results and errors as JSON'],
  ['--help', 'this help; JSON with --json'],
] as const

function helpOfGroup(group: string): string {
  return [
    `${groups[group]}.`,
    `Usage: reposmith ${group} COMMAND`,
    section(
      'Commands',
      membersOf(group).map((each) => [lastWord(each), each.summary]),
    ),
    section('Options', EVERYWHERE),
    `More: reposmith ${group} COMMAND --help`,
  ].join('\n\n')
}

function overview(): string {
  const single = commands.filter((each) => !each.name.includes(' '))
  const entry = ({ name, summary }: Command) => [name, summary] as const
  return [
    'Creates and prepares repositories on a code host. Shows what it would send; sends it with --apply.',
    'Usage: reposmith COMMAND',
    ...Object.entries(groups).map(([group, about]) => section(about, membersOf(group).map(entry))),
    section('Check, and learn', single.map(entry)),
    section('Options', [...EVERYWHERE, ['--version', 'the version']]),
    'Begin with: reposmith learn',
  ].join('\n\n')
}

function section(title: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.length ? `${title}:\n${fields(pairs).replaceAll(/^/gm, '  ')}` : ''
}

function usageOfArgument(arg: Argument): string {
  const name = arg.name.toUpperCase() + (arg.rest ? '…' : '')
  return arg.required ? name : `[${name}]`
}

/** The commands of a group. */
export function membersOf(group: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `))
}

function lastWord(command: Command): string {
  return command.name.slice(command.name.indexOf(' ') + 1)
}

/** Without a `help` that stands before the command; after it, it is an argument. */
function wordsOf(args: readonly string[]): readonly string[] {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const at = words.indexOf('help')
  return at >= 0 && isGroup(words.slice(0, at).join(' ')) ? words.toSpliced(at, 1) : words
}

function isGroup(name: string): boolean {
  return name === '' || Object.hasOwn(groups, name)
}
