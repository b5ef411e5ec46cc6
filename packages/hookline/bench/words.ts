// How long a line takes to be read and to be written. A script, so that each checkout's sources have a process to themselves:
// node words.ts <checkout> parse|format
import { pathToFileURL } from 'node:url'

const LINES = 200_000
const ROUNDS = 5
const PLAIN = 'PRIVMSG #tea :the kettle is on, and the pot is warm; who has the milk?'
const TAGGED = `@time=2026-04-03T09:15:00.000Z;msgid=abc123def456;+draft/reply=xyz789;label=42 ${PLAIN}`

const [checkout = '', what = ''] = process.argv.slice(2)
console.log(JSON.stringify(what === 'parse' ? await measureParse() : await measureFormat()))

async function measureParse(): Promise<Record<string, number>> {
  const { parse } = await sourceOf<typeof import('../src/irc/message.ts')>('irc/message.ts')
  const reading = (line: string) => () => parse(line)?.params.length ?? 0
  return { plain_ns: nanoseconds(reading(PLAIN)), tagged_ns: nanoseconds(reading(TAGGED)) }
}

/** As messages are told: nothing of one line is used for the next. */
async function measureFormat(): Promise<Record<string, number>> {
  const { CAPS } = await sourceOf<typeof import('../src/irc/caps.ts')>('irc/caps.ts')
  const { Line } = await sourceOf<typeof import('../src/chat/output/line.ts')>('chat/output/line.ts')
  const fields = {
    source: 'ada!ada@127.0.0.1',
    command: 'PRIVMSG',
    params: ['#tea', 'the kettle is on, and the pot is warm; who has the milk?'],
    account: 'ada',
    id: 'abc123def456',
    clientTags: [['+draft/reply', 'xyz789'] as const],
  }
  let at = Date.UTC(2026, 3, 3)
  const writing = (caps: number) => () => new Line({ ...fields, at: at++ }).form(caps).length
  const all = CAPS['server-time'] | CAPS['message-tags'] | CAPS['account-tag']
  return {
    plain_ns: nanoseconds(writing(0)),
    time_ns: nanoseconds(writing(CAPS['server-time'])),
    tagged_ns: nanoseconds(writing(all)),
  }
}

function sourceOf<Module>(file: string): Promise<Module> {
  return import(pathToFileURL(`${checkout}/packages/hookline/src/${file}`).href) as Promise<Module>
}

/** For each call: the best of some rounds, since others on the machine only ever add. */
function nanoseconds(call: () => number): number {
  let best = Infinity
  let sum = 0
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    for (let each = 0; each < LINES; each++) sum += call()
    best = Math.min(best, ((performance.now() - start) * 1e6) / LINES)
  }
  if (!Number.isFinite(sum) || sum === 0) throw new Error('nothing was read or written')
  return best
}
