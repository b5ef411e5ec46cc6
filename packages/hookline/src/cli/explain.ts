// `explain`: one command or one topic, as Markdown generated from the list of operations.
import { done, wrong, type Answer } from '../control/failure.ts'
import { flagOf, type Operation } from '../commands/command.ts'
import { findOperation, groups, operations } from '../commands/list.ts'
import { nearest } from '../nearest.ts'
import { type AnyShape, shapeOf } from '../control/outputs/shapes.ts'
import { describe, leftOf, usageOf } from './help.ts'
import { topics } from './topics.ts'

export interface Explained {
  /** The words that were asked for. */
  readonly path: readonly string[]
  readonly markdown: string
}

/** An empty path lists what can be explained. An unknown one fails and names the nearest. */
export function explain(path: string): Answer<Explained> {
  const typed = path.split(/[\s/]+/).filter((word) => word !== '')
  const words = typed[0] === 'hookline' ? typed.slice(1) : typed
  const name = words.join(' ')
  const markdown = markdownOf(name)
  if (markdown !== undefined) return done({ path: words, markdown })
  // The group is often left out of a command.
  const [whole] = operations.filter((each) => each.name === `bot ${name}` || each.name === `server ${name}`)
  const near =
    whole?.name ??
    nearest(name, [...operations.map((each) => each.name), ...Object.keys(groups), ...Object.keys(topics)])
  const about = whole ? [] : pagesWith(name)
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
function pagesWith(word: string): readonly string[] {
  if (!/^[a-z]{3,}$/i.test(word)) return []
  const pattern = new RegExp(`\\b${word}\\b`, 'i')
  return [...Object.keys(topics), ...operations.map((each) => each.name)]
    .filter((name) => pattern.test(markdownOf(name) ?? ''))
    .slice(0, 3)
    .map((name) => `hookline explain ${name}`)
}

/** Every name that `explain` accepts, groups aside. */
export function explainable(): readonly string[] {
  return [...operations.map((each) => each.name), ...Object.keys(topics)]
}

function markdownOf(name: string): string | undefined {
  if (name === '') return index()
  const operation = findOperation(name)
  if (operation) return page(operation)
  if (Object.hasOwn(groups, name)) return groupPage(name)
  return Object.hasOwn(topics, name) ? topics[name]?.text : undefined
}

function page(operation: Operation): string {
  const { arguments: args, options, examples, exits } = operation
  const list = (title: string, lines: readonly string[]): string =>
    lines.length ? `## ${title}\n\n${lines.join('\n')}` : ''
  return [
    `# hookline ${operation.name}`,
    `${operation.summary}.`,
    `    ${usageOf(operation)}`,
    operation.details,
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
    printed(operation.name),
    list('Exit codes', ['- 0: done', ...Object.entries(exits).map(([code, why]) => `- ${code}: ${why}`)]),
    `${operation.changes ? 'Changes something.' : 'Changes nothing.'} ${WHERE[operation.where]}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function printed(operation: string): string {
  const shape = shapeOf(operation)
  return shape === undefined ? '' : `## With --json\n\n${drawing(shape).replaceAll(/^/gm, '    ')}`
}

/** `{"id": text, "channels": [text, …]}`, with a line for each key of an object. */
function drawing(shape: AnyShape): string {
  if (typeof shape === 'string') return shape
  if (isList(shape)) return `[${drawing(shape[0])}, …]`
  if ('orNull' in shape) return `${drawing(shape['orNull'])} or null`
  const keys = Object.entries(shape).map(
    ([key, value]) => `  "${key}": ${drawing(value).replaceAll('\n', '\n  ')}`,
  )
  return `{\n${keys.join(',\n')}\n}`
}

function isList(shape: AnyShape): shape is readonly [AnyShape] {
  return Array.isArray(shape)
}

const WHERE: Readonly<Record<Operation['where'], string>> = {
  server: 'Needs a running server.',
  either: 'Asks the running server, or works on the files if none is running.',
  files: 'Works on the files, with or without a running server.',
  here: 'Needs no running server.',
}

function groupPage(group: string): string {
  const members = operations.filter((each) => each.name.startsWith(`${group} `))
  return [`# hookline ${group}`, `${groups[group]}.`, members.map(line).join('\n')].join('\n\n')
}

function index(): string {
  const about = Object.entries(topics).map(([name, { title }]) => `- \`${name}\`: ${title}`)
  return [
    '# Commands and topics',
    '## Commands',
    operations.map(line).join('\n'),
    '## Topics',
    about.join('\n'),
  ].join('\n\n')
}

function line({ name, summary, options }: Operation): string {
  const flags = options.map(flagOf).join(' ')
  return `- \`${name}\`: ${summary}${flags ? ` (${flags})` : ''}`
}
