// The commander parser for the list of commands. Commander's errors become reposmith failures and exit codes.
import { Command as Parser, CommanderError, Option as Flag } from 'commander'
import { wrong, type Failure } from '../failure.ts'
import type { Command, Option } from '../table/command.ts'
import { commands, findCommand, groups, type NamedCommand } from '../table/commands.ts'
import type { LooseInput } from '../table/input.ts'
import { flagsOf, helpFor } from './help.ts'
import { runCommand } from './run.ts'
import type { Terminal } from './terminal.ts'
import { versionText } from './version.ts'
import type { World } from './world.ts'

const VERSION_ASKED = 'reposmith.version'

type Run = (command: NamedCommand, input: LooseInput, json: boolean) => Promise<void>

/** Parses and runs the command line (without node and script); returns the exit code. */
export async function runProgram(args: readonly string[], world: World, terminal: Terminal): Promise<number> {
  let code = 0
  const program = build(terminal, async (command, input, json) => {
    code = await runCommand({ command, input, json, args }, world, terminal)
  })
  try {
    await program.parseAsync(helpLast(args), { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const json = args.includes('--json')
    if (error.code === VERSION_ASKED) terminal.print(versionText(json))
    return error.exitCode === 0 ? 0 : terminal.tell(misuse(error, args), json)
  }
}

function build({ print }: Terminal, run: Run): Parser {
  const program = new Parser('reposmith')
  // Before any subcommand is added: a subcommand copies these settings when it is created.
  program
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, writeOut: (text) => print(text.trimEnd()) })
  prepare(program, [])
  const parents = new Map([['', program]])
  for (const group of Object.keys(groups)) {
    parents.set(group, prepare(program.command(group), [group]))
  }
  for (const command of commands) addCommand(parents, command, run)
  return program
}

/** What all have. Each reads only the options before the next word: `--description -V` is a description. */
function prepare(parser: Parser, words: readonly string[]): Parser {
  // Replaces commander's help, whichever way it comes to print it.
  parser.helpInformation = () => helpFor(words, parser.optsWithGlobals()['json'] === true)
  return parser
    .option('-V, --version')
    .on('option:version', () => {
      throw new CommanderError(0, VERSION_ASKED, '')
    })
    .helpCommand(false)
    .enablePositionalOptions()
    .option('--json')
}

function addCommand(parents: ReadonlyMap<string, Parser>, command: NamedCommand, run: Run): void {
  const { name } = command
  const words = name.split(' ')
  const parent = parents.get(words.slice(0, -1).join(' '))
  if (!parent) throw new Error(`${name} is in no group`)
  const parser = prepare(parent.command(words.at(-1) ?? name), words)
  // Optional to commander: checkInput reports missing ones in its own words.
  for (const { name: argument, rest } of command.arguments) {
    parser.argument(rest ? `[${argument}...]` : `[${argument}]`)
  }
  for (const option of command.options) parser.addOption(flagFor(option))
  parser.action(async () => {
    await run(command, inputOf(command, parser), parser.optsWithGlobals()['json'] === true)
  })
}

function flagFor(option: Option): Flag {
  const flags = flagsOf(option)
  const flag = new Flag(option.value ? `${flags} <${option.value}>` : flags)
  if (option.type === 'number') flag.argParser((text) => (/^-?\d+$/.test(text) ? Number(text) : text))
  if (option.type === 'list')
    flag.argParser((text, before?: readonly string[]) => [
      ...(before ?? []),
      ...(option.whole ? [text] : splitList(text)),
    ])
  return flag
}

/** `"a,b c"` → three items. An empty value, as from an unset variable, is kept for checkInput to refuse. */
function splitList(text: string): readonly string[] {
  const items = text.split(/[\s,]+/).filter((item) => item !== '')
  return items.length === 0 ? [''] : items
}

/** What is left out is undefined, or empty for an argument that takes the rest. */
function inputOf({ arguments: args, options }: Command, parser: Parser): LooseInput {
  const given = args.map(({ name, rest }, index) => {
    const value: unknown = parser.processedArgs[index]
    return [name, rest ? (value as string[]).join(' ') : value] as const
  })
  const chosen = options.map(({ name }) => [name, parser.getOptionValue(name) as unknown] as const)
  return Object.fromEntries([...given, ...chosen])
}

/** `help repo create` means `repo create --help`. */
function helpLast(args: readonly string[]): readonly string[] {
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args
}

/** Turns commander's `error: unknown option '--orgg'`, then `(Did you mean --org?)`, into a failure. */
function misuse(error: CommanderError, args: readonly string[]): Failure {
  const [first = '', guess] = error.message.split('\n')
  const message = first.replace(/^error: /, '')
  const typed = wordsOf(args)
  const help = `see: reposmith ${[...typed, '--help'].join(' ')}`
  const [, word] = /^unknown command '(.*)'$/.exec(message) ?? []
  const whole = findCommand(`repo ${word}`)
  if (whole) return wrong('usage', message, `did you mean ${whole.name}? ${help}`).error
  if (message === "unknown option '--dry-run'" && findCommand(typed.join(' '))?.changes)
    return wrong('usage', message, `without --apply it is a dry-run; ${help}`).error
  const hint = guess ? `${guess.replace(/^\(Did/, 'did').replace(/\)$/, '')} ${help}` : help
  return wrong('usage', message, hint).error
}

/** The leading words that name a command or group; none if they name neither. */
function wordsOf(args: readonly string[]): readonly string[] {
  const two = args.filter((arg) => !arg.startsWith('-')).slice(0, 2)
  if (findCommand(two.join(' '))) return two
  const [one = ''] = two
  return Object.hasOwn(groups, one) || findCommand(one) ? [one] : []
}
