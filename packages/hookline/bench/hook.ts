// Webhooks as fast as their answers come, and somebody who reads what the bot says of them.
import { connect } from 'node:net'
import { gather, within } from './client.ts'
import { Distribution } from './distribution.ts'
import type { Figures } from './figures.ts'
import { PAYLOAD_HEAD, PAYLOAD_TAIL } from './payload.ts'
import { BOT, CHANNEL, startSubject } from './subject.ts'

const PATIENCE_MS = 30_000

export async function measureHook(
  checkout: string,
  { connections, posts }: { connections: number; posts: number },
): Promise<Figures> {
  await using server = await startSubject(checkout)
  const [reader] = await gather(server.ircPort, ['reader'], [CHANNEL])
  if (!reader) throw new Error('nobody reads')
  const round = new Round(connections)
  reader.listen(round.listener())
  const senders = Array.from(
    { length: connections },
    (_, index) => new Sender(server.webhookPort, index, round),
  )

  const warmUp = Math.ceil(posts / 5)
  await within(PATIENCE_MS, round.run(senders, warmUp), 'not all of the warm-up was answered and read')
  const cpu = server.cpuSeconds()
  const start = performance.now()
  round.forget()
  await within(PATIENCE_MS, round.run(senders, posts), 'not everything was answered and read')
  const seconds = (performance.now() - start) / 1000
  const spent = (server.cpuSeconds() ?? 0) - (cpu ?? 0)
  // What is told twice may come after what was waited for.
  await reader.settle()
  round.check()
  for (const sender of senders) sender.close()
  await reader.close()
  return {
    requests_per_s: posts / seconds,
    ...(cpu === undefined ? {} : { cpu_us_per_request: (spent * 1e6) / posts }),
    p50_ms: round.answered.percentile(50),
    p99_ms: round.answered.percentile(99),
    read_p50_ms: round.read.percentile(50),
    read_p99_ms: round.read.percentile(99),
  }
}

class Round {
  answered = new Distribution()
  read = new Distribution()
  /** By connection: when it sent each of its posts. What is read may come after the answer, and after the next was sent. */
  readonly #sentAt: number[][]
  /** By connection: the number that must be read next. */
  readonly #toRead: number[]
  #toSend = 0
  #toFinish = 0
  #resolve: () => void = () => {}
  #reject: (error: Error) => void = () => {}
  #fault: Error | undefined

  constructor(connections: number) {
    this.#sentAt = Array.from({ length: connections }, () => [])
    this.#toRead = Array<number>(connections).fill(0)
  }

  forget(): void {
    this.answered = new Distribution()
    this.read = new Distribution()
  }

  run(senders: readonly Sender[], posts: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#resolve = resolve
    this.#reject = reject
    this.#toSend = posts
    this.#toFinish = posts * 2 // answered and read
    for (const sender of senders) this.next(sender)
    return promise
  }

  next(sender: Sender): void {
    if (this.#toSend === 0) return
    this.#toSend--
    const times = this.#sentAt[sender.index]!
    times.push(performance.now())
    sender.post(`c${sender.index}-${times.length - 1}.`)
  }

  answer(sender: Sender, status: string): void {
    if (status !== '200') return this.fail(`answered ${status}`)
    this.answered.add(performance.now() - this.#sentAt[sender.index]!.at(-1)!)
    this.#finish()
    this.next(sender)
  }

  fail(what: string): void {
    this.#fault ??= new Error(what)
    this.#reject(this.#fault)
  }

  check(): void {
    if (this.#fault) throw this.#fault
  }

  /** One sender's posts are read in their order: it sends the next when the last was answered. */
  listener(): (chunk: Buffer) => void {
    let rest = ''
    return (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      const now = performance.now()
      for (const line of lines) this.#hear(line, now)
    }
  }

  #hear(line: string, now: number): void {
    if (!line.includes(' PRIVMSG ')) return // a PONG
    const [, connection = '', number = ''] = / PRIVMSG #bench :c(\d+)-(\d+)\. success$/.exec(line) ?? []
    const index = Number(connection)
    if (number === '' || Number(number) !== this.#toRead[index])
      return this.fail(`lost, doubled or out of order: ${line}`)
    this.#toRead[index]!++
    this.read.add(now - this.#sentAt[index]![Number(number)]!)
    this.#finish()
  }

  #finish(): void {
    if (--this.#toFinish === 0) this.#resolve()
  }
}

/** One kept-alive connection. Plain bytes, since an HTTP client would cost more than the server does. */
class Sender {
  readonly index: number
  readonly #round: Round
  readonly #socket
  #read = ''

  constructor(port: number, index: number, round: Round) {
    this.index = index
    this.#round = round
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => this.#receive(text))
    this.#socket.on('error', (error) => round.fail(error.message))
  }

  post(marker: string): void {
    const length = PAYLOAD_HEAD.length + marker.length + PAYLOAD_TAIL.length
    const head = `POST /${BOT} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
    this.#socket.write(head + PAYLOAD_HEAD + marker + PAYLOAD_TAIL, 'latin1')
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(text: string): void {
    this.#read += text
    const end = this.#read.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#read)?.[1] ?? Number.NaN)
    if (this.#read.length - end - 4 < length) return
    const status = this.#read.slice(9, 12)
    this.#read = ''
    this.#round.answer(this, status)
  }
}
