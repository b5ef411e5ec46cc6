// People and a sender of webhooks who go on as they always do: how long what they say takes, calm and under attack.
import { connect } from 'node:net'
import { setInterval as every } from 'node:timers/promises'
import { type Client, gather } from './client.ts'
import { Distribution } from './distribution.ts'
import { BOT } from './subject.ts'

/** Each says three lines a second, which is less than a client may. */
const SPEAKERS = 60
const LINE_EVERY_MS = 6
const HOOK_EVERY_MS = 20
const BODY = '{"workflow_run":{"display_title":"tea","conclusion":"success"}}'
const POST = `POST /${BOT} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`

export interface Observed {
  readonly said: Distribution
  readonly posted: Distribution
  /** Posts that had no answer, or another than 200. */
  readonly failed: number
}

export interface Observers {
  /** What they see for so long. */
  observe(ms: number): Promise<Observed>
  close(): Promise<unknown>
}

export async function gatherObservers(ports: { ircPort: number; webhookPort: number }): Promise<Observers> {
  const nicks = Array.from({ length: SPEAKERS }, (_, index) => `observer${index}`)
  const clients = await gather(ports.ircPort, nicks)
  const [reader, ...speakers] = clients
  if (reader === undefined) throw new Error('nobody reads')
  let said = new Distribution()
  reader.listen(hearing((ms) => said.add(ms)))
  return {
    async observe(ms) {
      said = new Distribution()
      const ending = AbortSignal.timeout(ms)
      const posts = { posted: new Distribution(), failed: 0 }
      await Promise.all([speak(speakers, ending), post(ports.webhookPort, ending, posts)])
      await reader.settle()
      return { said, ...posts }
    },
    close: () => Promise.all(clients.map((client) => client.close())),
  }
}

/** One after the other says what time it is to the one who reads. */
async function speak(speakers: readonly Client[], ending: AbortSignal): Promise<void> {
  let turn = 0
  await regularly(LINE_EVERY_MS, ending, () => {
    speakers[turn++ % speakers.length]?.send(`PRIVMSG observer0 :at ${performance.now()}\r\n`)
  })
}

function hearing(heard: (ms: number) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const now = performance.now()
    const lines = (rest + chunk.toString('latin1')).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const at = / :at ([\d.]+)$/.exec(line)?.[1]
      if (at !== undefined) heard(now - Number(at))
    }
  }
}

/** Each over a connection of its own, as senders do. */
async function post(
  port: number,
  ending: AbortSignal,
  posts: { posted: Distribution; failed: number },
): Promise<void> {
  const underWay: Promise<void>[] = []
  await regularly(HOOK_EVERY_MS, ending, () => {
    const start = performance.now()
    underWay.push(
      answerOf(port).then((text) => {
        if (text.startsWith('HTTP/1.1 200')) posts.posted.add(performance.now() - start)
        else posts.failed++
      }),
    )
  })
  await Promise.all(underWay)
}

/** Until the server closes; empty where it closes without a word. */
function answerOf(port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(POST)
  })
}

/** Until `ending`; late where the processor was busy, and then all that is due at once. */
async function regularly(ms: number, ending: AbortSignal, act: () => void): Promise<void> {
  let due = performance.now()
  try {
    for await (const _ of every(1, undefined, { signal: ending }))
      for (; due <= performance.now(); due += ms) act()
  } catch (error) {
    if (!ending.aborted) throw error
  }
}
