// `hookline bot suggest`
import { done, wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { as, type OutputOf } from '../shape.ts'
import { BOT_NAME } from '../shared.ts'
import { table } from '../table.ts'
import { inert, print } from '../terminal.ts'
import { nameOf, sourceOf } from './lines.ts'
import { LEARNED } from './options.ts'
import type { TrafficSource } from './running/traffic.ts'

const PATH = {
  token: 'text',
  in: 'number',
  types: ['text'],
  lengths: as<readonly [number, number] | null>()({ orNull: ['number'] }),
  sample: 'text',
} as const

const SUGGESTED = {
  bot: 'text',
  from: as<TrafficSource>()('text'),
  events: [
    { event: 'text or null', payloads: 'number', paths: [PATH], more: 'number', unwritable: 'number' },
  ],
} as const

export default verb({
  details: `${LEARNED}

For each event, the paths that all its payloads have, as tokens to paste into a template, with type and one value. For a list, the first entry stands for all. At most
eight levels deep and 300 paths per event, the shallow ones first.`,
  arguments: [BOT_NAME],
  options: [
    { name: 'event', type: 'text', value: 'NAME', description: 'only this event type: push' },
    { name: 'some', type: 'flag', description: 'also paths that more than half of them have' },
  ],
  changes: false,
  where: 'files',
  examples: [
    { run: 'hookline bot suggest spark-ori-ghci --event push', shows: 'the paths of every push' },
    { run: 'hookline bot suggest spark-ori-ghci --some', shows: 'the paths most have, per event' },
  ],
  exits: {
    1: 'no such bot, no payloads, or none of that event',
    2: 'nothing is captured and no server runs',
  },
  output: SUGGESTED,

  needs: async () => ({
    ...(await import('../../message/event.ts')),
    ...(await import('../../bots/suggest.ts')),
    ...(await import('./running/traffic.ts')),
    ...(await import('./running/trial.ts')),
  }),

  async run(context, { name, event, some }, __, { eventKey, findTriable, suggest, trafficOf }) {
    const bot = findTriable(context, name)
    if (!bot.ok) return bot
    const traffic = await trafficOf(context, bot.output)
    if (!traffic.ok) return traffic

    const { from, samples } = traffic.output
    const groups = [...Map.groupBy(samples, (sample) => sample.event)].toSorted(
      ([, one], [, other]) => other.length - one.length,
    )
    const wanted = groups.filter(
      ([known]) => event === undefined || (known !== null && eventKey(known) === eventKey(event)),
    )
    if (wanted.length === 0) {
      const known = groups.flatMap(([each]) => each ?? []).join(', ')
      return wrong(
        'not_found',
        `no payload of ${name} has the event ${JSON.stringify(event)}`,
        known === ''
          ? 'none of its payloads has an event: leave out --event'
          : `it has payloads of: ${known}`,
      )
    }
    const events = wanted.map(([known, group]) => {
      const least = some === true ? Math.floor(group.length / 2) + 1 : group.length
      const payloads = group.map(({ payload }) => payload)
      return { event: known, payloads: group.length, ...suggest(payloads, least) }
    })
    return done({ bot: name, from, events })
  },

  show: (suggested) => print(suggestions(suggested)),
})

/** Tokens with their types and a sample value, by event. */
function suggestions({ bot, from, events }: OutputOf<typeof SUGGESTED>): string {
  const parts = events.map(({ event, payloads, paths, more, unwritable }) => {
    const rows = paths.map((path) => {
      const often = path.in < payloads ? ` in ${path.in} of ${payloads}` : ''
      return [inert(path.token), kindOf(path) + often, inert(path.sample)]
    })
    const rest = [
      ...(more > 0 ? [`(+${more} deeper ones)`] : []),
      ...(unwritable > 0
        ? [`(+${unwritable} with names that tokens cannot express: use engine: liquid)`]
        : []),
    ]
    const head = `${nameOf(event)}, in ${payloads}:`
    return [
      head,
      ...(rows.length > 0 ? [table(['TOKEN', 'IS', 'AS IN'], rows)] : ['nothing in common']),
      ...rest,
    ].join('\n')
  })
  return [`${inert(bot)}, from ${sourceOf(from)}`, ...parts].join('\n\n')
}

function kindOf({ types, lengths }: OutputOf<typeof PATH>): string {
  const range = lengths && (lengths[0] === lengths[1] ? `${lengths[0]}` : `${lengths[0]} to ${lengths[1]}`)
  return types.map((type) => (type === 'list' && range !== null ? `list of ${range}` : type)).join(' or ')
}
