// Commander's commands for the list of commands, with the options of the one that was typed. Commander's errors become hookline failures and exit codes.
import { Command as Parser, CommanderError, Option as Flag } from 'commander'
import { wrong, type Failure } from '../control/failure.ts'
import { QUOTE_CHANNELS } from '../commands/input.ts'
import { type Command, flagOf, type Option } from '../commands/command.ts'
import { commands, groups, type Listed, loadCommand } from '../commands/list.ts'
import { helpFor } from './help.ts'
import { runCommand } from './run.ts'
import { print, tell } from '../commands/terminal.ts'
import { versionText } from './version.ts'

const VERSION_ASKED = 'hookline.version'

/** Parses and runs the command line (without node and script); returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const asked = await parse(args)
  return typeof asked === 'number' ? asked : await runCommand(asked.command, asked.input, asked.json)
}

interface Asked {
  readonly command: Command
  readonly input: Record<string, unknown>
  readonly json: boolean
}

/**
 * Returns the exit code if there is nothing to run. Commander's objects are released here: a server would otherwise
 * keep them while it runs.
 */
async function parse(args: readonly string[]): Promise<Asked | number> {
  const typed = helpLast(args)
  const command = await loadCommand(words(typed).join(' '))
  const asked: Note = {}
  try {
    build(command, asked).parse(typed, { from: 'user' })
    return asked.of ?? 0
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const json = args.includes('--json')
    if (error.exitCode !== 0) return tell(misuse(error, args), json)
    if (error.code === VERSION_ASKED) print(versionText(json))
    else if (asked.help !== undefined) print(await helpFor(asked.help.words, asked.help.json))
    return 0
  }
}

/** Commander wants the text at once, and it is not loaded yet. */
interface Help {
  readonly words: readonly string[]
  readonly json: boolean
}

/** What commander found to do is noted in `asked`. */
type Note = { of?: Asked; help?: Help }

/** With every command, but the options of `typed` alone. */
function build(typed: Command | undefined, asked: Note): Parser {
  const program = new Parser('hookline')
  // Before any subcommand is added: a subcommand copies these settings when it is created.
  program.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
  prepare(program, [], asked)
  const parents = new Map([['', program]])
  for (const group of Object.keys(groups)) {
    parents.set(group, prepare(program.command(group), [group], asked))
  }
  for (const listed of commands) {
    const parser = add(parents, listed, asked)
    if (listed.name === typed?.name) complete(parser, typed, asked)
  }
  return program
}

/** What all have. Each reads only the options before the next word: `--description -V` is a description. */
function prepare(parser: Parser, words: readonly string[], asked: Note): Parser {
  // Replaces commander's help, whichever way it comes to print it.
  parser.helpInformation = () => {
    asked.help = { words, json: parser.optsWithGlobals()['json'] === true }
    return ''
  }
  return parser
    .option('-V, --version')
    .on('option:version', () => {
      throw new CommanderError(0, VERSION_ASKED, '')
    })
    .helpCommand(false)
    .enablePositionalOptions()
    .option('--json')
}

function add(parents: Map<string, Parser>, { name, summary }: Listed, asked: Note): Parser {
  const words = name.split(' ')
  const verb = words.at(-1) ?? name
  const parent = parents.get(words.slice(0, -1).join(' '))
  if (!parent) throw new Error(`${name} is in no group`)
  const parser = prepare(parent.command(verb), words, asked)
    .description(summary)
    .action(() => undefined)
  parents.set(name, parser)
  return parser
}

function complete(parser: Parser, command: Command, asked: Note): void {
  // Optional to commander: what is missing is asked for on a terminal, and elsewhere reported by checkInput.
  for (const { name, rest, description } of command.arguments) {
    parser.argument(rest ? `[${name}...]` : `[${name}]`, description)
  }
  for (const option of command.options) for (const flag of flagsOf(option)) parser.addOption(flag)
  parser.action(() => {
    asked.of = { command, input: inputOf(command, parser), json: parser.optsWithGlobals()['json'] === true }
  })
}

function flagsOf(option: Option): readonly Flag[] {
  const flag = new Flag(
    option.value ? `${flagOf(option)} <${option.value}>` : flagOf(option),
    option.description,
  )
  if (option.type === 'number') flag.argParser((text) => (/^-?\d+$/.test(text) ? Number(text) : text))
  if (option.type === 'list')
    flag.argParser((text, before?: readonly string[]) => [...(before ?? []), ...splitList(text)])
  if (option.type === 'texts') flag.argParser((text, before?: readonly string[]) => [...(before ?? []), text])
  return option.clearable ? [flag, new Flag(`--no-${flagOf(option).slice(2)}`)] : [flag]
}

/** `"#a,#b #c"` → three items; empty text gives an empty list. */
function splitList(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '')
}

function inputOf(command: Command, parser: Parser): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [index, { name, rest }] of command.arguments.entries()) {
    const value: unknown = parser.processedArgs[index]
    if (Array.isArray(value) ? value.length : value !== undefined)
      input[name] = rest ? (value as string[]).join(' ') : value
  }
  for (const { name, type, clearable } of command.options) {
    // For `--no-x`, commander's default is true when neither flag is given.
    if (parser.getOptionValueSource(name) !== 'cli') continue
    const value: unknown = parser.getOptionValue(name)
    input[name] = clearable && type !== 'flag' && value === false ? null : value
  }
  return input
}

/** `help bot start` means `bot start --help`. */
function helpLast(args: readonly string[]): readonly string[] {
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args
}

/** Turns commander's `error: unknown option '--chanels'`, then `(Did you mean --channels?)`, into a failure. */
function misuse(error: CommanderError, args: readonly string[]): Failure {
  const [first = '', guess] = error.message.split('\n')
  const help = `see: hookline ${[...words(args), '--help'].join(' ')}`
  const message = first.replace(/^error: /, '')
  const [, word] = /^unknown command '(.*)'$/.exec(message) ?? []
  const meant = word === undefined ? [] : likely(word, words(args)[0])
  if (meant.length > 0) return wrong('usage', message, `did you mean ${meant.join(' or ')}? ${help}`).error
  if (/^option '--(channels|in) /.test(message))
    return wrong('usage', message, `${QUOTE_CHANNELS}; ${help}`).error
  const hint = guess ? `${guess.replace(/^\(Did/, 'did').replace(/\)$/, '')} ${help}` : help
  return wrong('usage', message, hint).error
}

/** Commands with a synonymous verb, or whose group is missing; none if `word` is merely misspelt. */
function likely(word: string, group: string | undefined): readonly string[] {
  if (group === undefined && word === 'version') return ['--version']
  const verbs = [word, ...OTHER_WORDS.filter((same) => same.includes(word)).flat()]
  const named = commands.map(({ name }) => name)
  if (group !== undefined)
    return verbs.map((verb) => `${group} ${verb}`).filter((name) => named.includes(name))
  return named.filter((name) => name.split(' ').length === 2 && verbs.includes(name.split(' ')[1] ?? ''))
}

/** Synonyms from other tools. */
const OTHER_WORDS: readonly (readonly string[])[] = [
  ['show', 'inspect', 'info', 'describe', 'get'],
  ['delete', 'drop', 'remove', 'rm', 'del'],
  ['list', 'ls'],
  ['create', 'add', 'new'],
  ['edit', 'update', 'set', 'change', 'move'],
  ['start', 'enable', 'run', 'up', 'restart'],
  ['stop', 'disable', 'down', 'restart'],
]

/** The leading words that name a command or group; none if they name neither. */
function words(args: readonly string[]): readonly string[] {
  const typed = args.filter((arg) => !arg.startsWith('-'))
  for (const count of [3, 2]) {
    const some = typed.slice(0, count)
    if (commands.some(({ name }) => name === some.join(' '))) return some
  }
  const [one = ''] = typed
  return Object.hasOwn(groups, one) || commands.some(({ name }) => name === one) ? [one] : []
}
