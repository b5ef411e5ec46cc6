// What is measured, by name.
import { measureDripping, measureFlood, measureSlowReaders } from './attacks.ts'
import { measureFanout } from './fanout.ts'
import type { Figures } from './figures.ts'
import { measureChannels, measureMembers } from './growth.ts'
import { measureHistory } from './history.ts'
import { measureHook } from './hook.ts'
import { measureIdle } from './idle.ts'
import { measureLargeChannel } from './largechannel.ts'
import { figuresOf } from './script.ts'
import { measureStart } from './start.ts'

export interface Measurement {
  readonly what: string
  /** Those of a group are run where they, or it, are asked for; those without are run where nothing is. */
  readonly group?: 'growth' | 'attacks'
  /** Of the server in that folder. Throws where something was lost, doubled, out of order or too late. */
  readonly run: (checkout: string) => Promise<Figures>
}

export const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  parse: { what: 'a line becomes a message', run: (checkout) => words(checkout, 'parse') },
  format: { what: 'a message becomes a line, by capabilities', run: (checkout) => words(checkout, 'format') },
  'fanout-100': {
    what: 'a channel with 100 readers, 4 speakers, 64 messages under way',
    run: (checkout) => measureFanout(checkout, { receivers: 100, messages: 30_000 }),
  },
  'fanout-1000': {
    what: 'the same with 1,000 readers',
    run: (checkout) => measureFanout(checkout, { receivers: 1000, messages: 4_000 }),
  },
  'hook-8': {
    what: 'webhooks of 19 KB on 8 connections, to a channel with a reader',
    run: (checkout) => measureHook(checkout, { connections: 8, posts: 6_000 }),
  },
  'hook-64': {
    what: 'the same on 64 connections',
    run: (checkout) => measureHook(checkout, { connections: 64, posts: 12_000 }),
  },
  idle: { what: '1,000 clients that say nothing', run: measureIdle },
  'growth-members': {
    what: 'a delivery in channels of 100, 1,000 and 10,000',
    group: 'growth',
    run: measureMembers,
  },
  'growth-channels': {
    what: 'a delivery in 1, 100 and 10,000 channels of 24',
    group: 'growth',
    run: measureChannels,
  },
  'large-channel': {
    what: 'how long others wait while a channel of 10,000 is told of something, or somebody of it',
    group: 'growth',
    run: measureLargeChannel,
  },
  'history-pages': {
    what: 'CHATHISTORY in ten million messages; takes 3 GB for a minute or two',
    group: 'growth',
    run: measureHistory,
  },
  'start-bots': { what: 'a start with 1,000 bots', group: 'growth', run: measureStart },
  'slow-readers': {
    what: '200 clients stop reading in a channel of 2,000 messages a second',
    group: 'attacks',
    run: measureSlowReaders,
  },
  flood: { what: 'a client says 20,000 lines a second', group: 'attacks', run: measureFlood },
  dripping: {
    what: '5,000 requests of which a byte comes each second',
    group: 'attacks',
    run: measureDripping,
  },
}

const WORDS_MS = 20_000

function words(checkout: string, what: string): Promise<Figures> {
  return figuresOf('words.ts', [checkout, what], WORDS_MS)
}
