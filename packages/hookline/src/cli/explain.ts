// `explain`: one command or one topic, as Markdown generated from the list of commands.
import { done, wrong, type Answer } from '../control/failure.ts'
import { type Command, flagOf } from '../commands/command.ts'
import { commands, groups, loadCommand, loadCommands } from '../commands/list.ts'
import type { Shape } from '../commands/shape.ts'
import { nearest } from '../text/nearest.ts'
import { describe, leftOf, usageOf } from './help.ts'
import { otherNames, topics } from './topics.ts'

export interface Explained {
  /** The words that were asked for. */
  readonly path: readonly string[]
  readonly markdown: string
}

/** An empty path lists what can be explained. An unknown one fails and names the nearest. */
export async function explain(path: string): Promise<Answer<Explained>> {
  const typed = path.split(/[\s/]+/).filter((word) => word !== '')
  const words = typed[0] === 'hookline' ? typed.slice(1) : typed
  const name = words.join(' ')
  const markdown = await markdownOf(name)
  if (markdown !== undefined) return done({ path: words, markdown })
  // The group is often left out of a command.
  const [whole] = commands.filter((each) => each.name === `bot ${name}` || each.name === `server ${name}`)
  const near =
    whole?.name ??
    nearest(name, [...commands.map((each) => each.name), ...Object.keys(groups), ...Object.keys(topics)])
  const about = whole ? [] : await pagesWith(name)
  if (about.length > 0)
    return wrong(
      'not_found',
      `there is no command or topic ${JSON.stringify(name)}`,
      `it is mentioned in: ${about.join(', ')}`,
    )
  const hint = near ? `did you mean: hookline explain ${near}` : 'see what there is: hookline explain'
  return wrong('not_found', `there is no command or topic ${JSON.stringify(name)}`, hint)
}

/** Pages that mention the word, topics first: `tls`, `systemd`. */
async function pagesWith(word: string): Promise<readonly string[]> {
  if (!/^[a-z]{3,}$/i.test(word)) return []
  const pattern = new RegExp(`\\b${word}\\b`, 'i')
  const names = [...Object.keys(topics), ...commands.map((each) => each.name)]
  const pages = await Promise.all(names.map(markdownOf))
  return names
    .filter((_, i) => pattern.test(pages[i] ?? ''))
    .slice(0, 3)
    .map((name) => `hookline explain ${name}`)
}

/** Every name that `explain` accepts, groups aside. */
export function explainable(): readonly string[] {
  return [...commands.map((each) => each.name), ...Object.keys(topics)]
}

async function markdownOf(name: string): Promise<string | undefined> {
  if (name === '') return await index()
  const command = await loadCommand(name)
  if (command) return page(command)
  if (Object.hasOwn(groups, name)) return await groupPage(name)
  const topic = Object.hasOwn(otherNames, name) ? (otherNames[name] ?? '') : name
  return Object.hasOwn(topics, topic) ? topics[topic]?.text : undefined
}

function page(command: Command): string {
  const { arguments: args, options, examples, exits } = command
  const list = (title: string, lines: readonly string[]): string =>
    lines.length ? `## ${title}\n\n${lines.join('\n')}` : ''
  return [
    `# hookline ${command.name}`,
    `${command.summary}.`,
    `    ${usageOf(command)}`,
    command.details,
    list(
      'Arguments',
      args.map((arg) => `- \`${arg.name.toUpperCase()}\`: ${describe(arg)}`),
    ),
    list(
      'Options',
      options.map(
        (option) => `- \`${leftOf(option)}\`: ${describe(option)}${option.required ? ' (required)' : ''}`,
      ),
    ),
    list(
      'Examples',
      examples.map(({ run, shows }) => `- \`${run}\`: ${shows}`),
    ),
    printed(command),
    list('Exit codes', ['- 0: done', ...Object.entries(exits).map(([code, why]) => `- ${code}: ${why}`)]),
    `${command.changes ? 'Changes something.' : 'Changes nothing.'} ${WHERE[command.where]}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function printed({ output }: Command): string {
  return output === undefined ? '' : `## With --json\n\n${drawing(output).replaceAll(/^/gm, '    ')}`
}

/** `{"id": text, "channels": [text, …]}`, with a line for each key of an object. */
function drawing(shape: Shape): string {
  if (typeof shape === 'string') return shape
  if (isList(shape)) return `[${drawing(shape[0])}, …]`
  if ('orNull' in shape) return `${drawing(shape['orNull'])} or null`
  const keys = Object.entries(shape).map(
    ([key, value]) => `  "${key}": ${drawing(value).replaceAll('\n', '\n  ')}`,
  )
  return `{\n${keys.join(',\n')}\n}`
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}

const WHERE: Readonly<Record<Command['where'], string>> = {
  server: 'Needs a running server.',
  either: 'Asks the running server, or works on the files if none is running.',
  files: 'Works on the files, with or without a running server.',
  here: 'Needs no running server.',
}

async function groupPage(group: string): Promise<string> {
  const members = await loadCommands(`${group} `)
  return [`# hookline ${group}`, `${groups[group]}.`, members.map(line).join('\n')].join('\n\n')
}

async function index(): Promise<string> {
  const about = Object.entries(topics).map(([name, { title }]) => `- \`${name}\`: ${title}`)
  return [
    '# Commands and topics',
    '## Commands',
    (await loadCommands()).map(line).join('\n'),
    '## Topics',
    about.join('\n'),
  ].join('\n\n')
}

function line({ name, summary, options }: Command): string {
  const flags = options.map(flagOf).join(' ')
  return `- \`${name}\`: ${summary}${flags ? ` (${flags})` : ''}`
}
