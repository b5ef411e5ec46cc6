// Prints each operation's output for people. Results go to stdout, next steps to stderr.
import type { HandledName } from '../commands/oldlist.ts'
import type { Command } from '../commands/command.ts'
import type { Outputs } from '../control/outputs.ts'
import type { BotView } from '../commands/bot/bot.ts'
import type { Replayed } from '../commands/delivery/delivery.ts'
import { botDetails, botTable, nextSteps } from '../commands/bot/lines.ts'
import { counted } from '../commands/counted.ts'
import { deliveryDetails, deliveryStories, deliveryTable, reasons } from '../commands/delivery/lines.ts'
import { inert, print, remark } from '../commands/terminal.ts'
import { lintLines, showCaptured, showTested, suggestions } from '../commands/bot/trylines.ts'

/** Prints the output of this operation. */
export function show(operation: Command, output: unknown): void {
  // The operation's name ties its output type in `Outputs` to its printer.
  const shower = showers[operation.name as HandledName] as (output: unknown) => void
  shower(output)
}

type Showers = { readonly [Name in HandledName]: (output: Outputs[Name]) => void }

const showers: Showers = {
  'bot create': (made) => {
    print(`created ${made.bot.name}: ${made.bot.file}`)
    showSecret(made)
    warn(made.bot.warnings)
    remark(nextSteps(made))
  },
  'bot start': ({ bot }) => {
    print(`${bot.name} is active${bot.channels.length ? ` in ${inert(bot.channels.join(' '))}` : ''}`)
    warn(bot.warnings)
  },
  'bot stop': ({ bot }) => print(`${bot.name} has stopped`),
  'bot list': (bots) => {
    print(botTable(bots))
    for (const bot of bots) {
      warn(namedWarnings(bot))
      // For others, the STATUS column says it.
      if (bot.status === 'active') warn(bot.problems.map((problem) => `${bot.name}: ${problem}`))
    }
  },
  'bot inspect': (bot) => print(botDetails(bot)),
  'bot edit': (changed) => {
    print(`changed ${changed.bot.name}: ${changed.bot.file}`)
    showSecret(changed)
    warn(changed.bot.warnings)
  },
  'bot rotate-secret': (rotated) => {
    const { bot, dropped } = rotated
    const count = bot.auth?.secrets ?? 0
    print(`${bot.name} has ${counted(count, 'valid secret')}, ${dropped} dropped`)
    showSecret(rotated)
    if (count > 1) remark(`Once the sender uses it: hookline bot rotate-secret ${bot.name} --drop-old`)
  },
  'bot delete': ({ name, moved_to: to }) =>
    print(`deleted ${name}; its folder ${to === null ? 'was already gone' : `is now ${to}`}`),
  'bot validate': ({ bots }) => {
    // The error that follows has them all.
    if (bots.some(({ problems }) => problems.length > 0)) return
    for (const bot of bots) warn(namedWarnings(bot))
    print(bots.length === 1 ? `${bots[0]?.name} is valid` : `${bots.length} bots are valid`)
  },
  'bot test': showTested,
  'bot capture': showCaptured,
  'bot suggest': (suggested) => print(suggestions(suggested)),
  'bot lint': (linted) => print(lintLines(linted)),
  'bot logs': ({ deliveries, log }) => {
    print(deliveryStories(deliveries))
    for (const line of log) print(inert(line))
    if (deliveries.length + log.length === 0)
      remark('server.log has nothing about it; a server started without --detach logs to stderr')
  },
  'bot deliveries': (deliveries) => print(deliveryTable(deliveries)),
  'bot deliveries show': (delivery) => print(deliveryDetails(delivery)),
  'bot replay': (replayed) => {
    const all = Array.isArray(replayed) ? (replayed as readonly Replayed[]) : [replayed as Replayed]
    if (all.length === 0) remark('no failed deliveries')
    for (const { id, status, message, channels } of all) {
      print(`${id} ${status}${channels.length ? ` in ${inert(channels.join(' '))}` : ''}`)
      if (message !== null) print(inert(message))
    }
  },
  'bot retract': ({ delivery, messages, unheard }) => {
    // A replayed delivery has several in one channel.
    const where = [...new Set(messages.map(({ target }) => inert(target)))].join(' ')
    print(`${delivery} retracted${where ? ` in ${where}` : ''}`)
    if (unheard > 0) remark(`dropped ${counted(unheard, 'undelivered message')}`)
  },
  'bot why': (story) => print(reasons(story)),
}

function showSecret({ secret, setup }: Outputs['bot edit']): void {
  if (secret === null) return
  print(`secret: ${secret}`)
  remark(['It will not be shown again.', ...setup].join('\n'))
}

/** Prefixed with the bot's name, for a list of several bots. */
function namedWarnings({ name, warnings }: Pick<BotView, 'name' | 'warnings'>): readonly string[] {
  return warnings.map((warning) => (warning.startsWith(name) ? warning : `${name}: ${warning}`))
}

function warn(warnings: readonly string[]): void {
  for (const warning of warnings) remark(`warning: ${inert(warning)}`)
}
