// `explain`: one command or one topic, as Markdown generated from the list of commands.
import { done, wrong, type Answer } from '../failure.ts'
import type { Command } from '../table/command.ts'
import { commands, findCommand, groups } from '../table/commands.ts'
import { nearest } from '../table/nearest.ts'
import { describe, leftOf, membersOf, usageOf } from './help.ts'
import { printedBy } from './printed.ts'
import { topics } from './topics.ts'

export interface Explained {
  /** The words that were asked for. */
  readonly path: readonly string[]
  readonly markdown: string
}

/** An empty path lists what can be explained. An unknown one fails and names the nearest. */
export function explain(path: string): Answer<Explained> {
  const words = path.split(/[\s/]+/).filter((word) => word !== '')
  const name = (words[0] === 'reposmith' ? words.slice(1) : words).join(' ')
  const markdown = markdownOf(name)
  if (markdown !== undefined) return done({ path: words, markdown })
  const near = findCommand(`repo ${name}`)?.name ?? nearest(name, [...explainable(), ...Object.keys(groups)])
  const hint = near ? `did you mean: reposmith explain ${near}` : 'see what there is: reposmith explain'
  return wrong('not_found', `no explain entry for: ${name}`, hint)
}

/** Every name that `explain` accepts, groups aside. */
export function explainable(): readonly string[] {
  return [...commands.map(({ name }) => name), ...Object.keys(topics)]
}

function markdownOf(name: string): string | undefined {
  if (name === '') return index()
  const command = findCommand(name)
  if (command) return page(command)
  if (Object.hasOwn(groups, name)) return groupPage(name)
  // `token` and `host` mean the same as `tokens` and `hosts`.
  const topic = [name, `${name}s`].find((each) => Object.hasOwn(topics, each))
  return topic === undefined ? undefined : topics[topic]?.text
}

function page(command: Command): string {
  const { arguments: args, options, examples, exits, endpoints } = command
  const list = (title: string, lines: readonly string[]): string =>
    lines.length ? `## ${title}\n\n${lines.map((each) => `- ${each}`).join('\n')}` : ''
  const lasts = command.changes || endpoints.length > 0
  const exitLines = Object.entries(exits).map(([code, why]) => `${code}: ${why}`)
  return [
    `# reposmith ${command.name}`,
    `${command.summary}.`,
    `    ${usageOf(command)}`,
    command.details,
    list(
      'Arguments',
      args.map((arg) => `\`${arg.name.toUpperCase()}\`: ${describe(arg)}`),
    ),
    list(
      'Options',
      options.map((option) => `\`${leftOf(option)}\`: ${describe(option)}`),
    ),
    list(
      'Examples',
      examples.map(({ run, shows }) => `\`${run}\`: ${shows}`),
    ),
    list(
      'What it asks of the host',
      endpoints.map((endpoint) => `\`${endpoint}\``),
    ),
    list(
      'With --json',
      Object.entries(printedBy(command.name) ?? {}).map(([key, what]) => `\`${key}\`: ${what}`),
    ),
    list('Exit codes', ['0: done', ...exitLines, ...(lasts ? ['130: stopped with Ctrl-C'] : [])]),
    command.changes ? 'Changes something, with `--apply` only.' : 'Changes nothing.',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function groupPage(group: string): string {
  return [`# reposmith ${group}`, `${groups[group]}.`, membersOf(group).map(line).join('\n')].join('\n\n')
}

function index(): string {
  const about = Object.entries(topics).map(([name, { title }]) => `- \`${name}\`: ${title}`)
  return [
    '# What can be explained',
    '## Commands',
    commands.map(line).join('\n'),
    '## Topics',
    about.join('\n'),
  ].join('\n\n')
}

function line({ name, summary }: Command): string {
  return `- \`${name}\`: ${summary}`
}
