// L5: whether the event loop turns while everything happens at once. What the server itself says of it, as Prometheus sees it.
import { connect, type Socket } from 'node:net'
import { setInterval as every } from 'node:timers/promises'
import { CHECKOUT } from '../bench/arguments.ts'
import { type Client, gather } from '../bench/client.ts'
import { BOT, startSubject } from '../bench/subject.ts'
import { Person } from '../test/person.ts'
import { ask } from '../test/post.ts'
import { figure } from './figure.ts'

const POSTS = 500
const LINES = 1_000
const LOGINS = 20
const PASSWORD = 'kettle-and-teapot'
const BODY = '{"workflow_run":{"display_title":"tea","conclusion":"success"}}'
const REQUEST = `POST /${BOT} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
/** prom-client looks every 10 ms, and that is part of what it measures. */
const SAMPLE_MS = 10

export default figure({
  id: 'L5',
  promise: 'The event loop turns on while webhooks, messages and logins come at once',
  goal: `p99 under 20 ms and at most 100 ms with ${POSTS} webhooks, ${LINES} messages and ${LOGINS} logins a second`,
  small: { seconds: 5 },
  whole: { seconds: 60 },
  isTimed: true,
  async measure({ seconds }) {
    await using server = await startSubject(CHECKOUT)
    const metrics = `http://127.0.0.1:${server.webhookPort}/metrics`
    using owner = await Person.join(server.ircPort, 'ann')
    owner.type(`NS REGISTER ${PASSWORD}`)
    await owner.settle()
    const people = await gather(server.ircPort, ['bob', 'carol', 'dave', 'erin'], ['#tea'])
    const senders = Array.from({ length: 10 }, () =>
      connect({ port: server.webhookPort, host: '127.0.0.1', noDelay: true }),
    )
    let answered = 0
    for (const sender of senders)
      sender
        .setEncoding('latin1')
        .on('data', (text: string) => (answered += text.split('HTTP/1.1 200').length - 1))
    const loggingIn: Promise<boolean>[] = []
    await ask(metrics)
    const ending = AbortSignal.timeout(seconds * 1_000)
    await Promise.all([
      regularly(POSTS, ending, (turn) => turnOf<Socket>(senders, turn).write(REQUEST)),
      regularly(LINES, ending, (turn) => turnOf<Client>(people, turn).send('PRIVMSG #tea :tea\r\n')),
      regularly(LOGINS, ending, (turn) => void loggingIn.push(logIn(server.ircPort, turn))),
    ])
    const { text } = await ask(metrics)
    const logins = (await Promise.all(loggingIn)).filter((isIn) => isIn).length
    const lag = (of: string): number =>
      1_000 * Number(new RegExp(`^nodejs_eventloop_lag_${of}_seconds (\\S+)$`, 'm').exec(text)?.[1]) -
      SAMPLE_MS
    for (const sender of senders) sender.destroy()
    await Promise.all(people.map((person) => person.close()))
    const [p99, most] = [lag('p99'), lag('max')]
    return {
      figure: `p99 ${p99.toFixed(1)} ms, at most ${most.toFixed(1)} ms with ${Math.round(answered / seconds)} webhooks, ${LINES} messages and ${Math.round(logins / seconds)} logins a second`,
      isSound: answered > 0 && logins > 0,
      isMet: p99 < 20 && most < 100 && answered > 0.9 * POSTS * seconds && logins > 0.8 * LOGINS * seconds,
    }
  },
})

async function logIn(port: number, turn: number): Promise<boolean> {
  using person = await Person.connect(port)
  person.type(`PASS ann:${PASSWORD}`, `NICK guest${turn}`, `USER g 0 * :g`)
  for (let line = await person.next(); line !== undefined; line = await person.next()) {
    if (line.includes(' 900 ')) return true
    if (line.includes(' 376 ') || line.includes(' 422 ')) return false
  }
  return false
}

function turnOf<T>(list: readonly T[], turn: number): T {
  return list[turn % list.length] as T
}

/** Late where the processor was busy, and then all that is due at once. */
async function regularly(perSecond: number, ending: AbortSignal, act: (turn: number) => void): Promise<void> {
  const start = performance.now()
  let turn = 0
  try {
    for await (const _ of every(1, undefined, { signal: ending }))
      for (; turn < ((performance.now() - start) * perSecond) / 1_000; turn++) act(turn)
  } catch (error) {
    if (!ending.aborted) throw error
  }
}
