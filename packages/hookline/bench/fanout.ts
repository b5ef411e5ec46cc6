// A channel of many, or many channels: four speak, all others read. As fast as it goes, 64 messages under way at a time.
import { type Client, gather, within } from './client.ts'
import { Distribution } from './distribution.ts'
import type { Figures } from './figures.ts'
import { CHANNEL, startSubject } from './subject.ts'
import { Transcript } from './transcript.ts'

const SENDERS = 4
const IN_FLIGHT = 64
const TEXT = 'x'.repeat(88) // with its number 100 bytes
const LINE_BYTES = 200
const PATIENCE_MS = 30_000

export async function measureFanout(
  checkout: string,
  { receivers, messages, channels = [CHANNEL] }: Load,
): Promise<Figures> {
  await using server = await startSubject(checkout)
  const names = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)
  const senders = await gather(server.ircPort, names(SENDERS, 'sender'), channels)
  const [founder] = senders
  // Nobody sees the others come (+u): ten thousand would be told of ten thousand.
  await setModes(founder, channels, '+u')
  const readers = await gather(server.ircPort, names(receivers, 'reader'), channels)
  await setModes(founder, channels, '-u')
  await Promise.all(readers.map((reader) => reader.settle()))

  const warmUp = Math.ceil(messages / 5)
  const round = new Round({ readers, senders, channels }, warmUp + messages)
  await within(PATIENCE_MS, round.run(warmUp), 'not all of the warm-up was delivered')
  const cpu = server.cpuSeconds()
  const start = performance.now()
  round.latency = new Distribution()
  await within(PATIENCE_MS, round.run(messages), 'not everything was delivered')
  const seconds = (performance.now() - start) / 1000
  const spent = (server.cpuSeconds() ?? 0) - (cpu ?? 0)
  await Promise.all([...readers, ...senders].map((client) => client.close()))
  const deliveries = messages * receivers
  return {
    deliveries_per_s: deliveries / seconds,
    ...(cpu === undefined ? {} : { cpu_us_per_delivery: (spent * 1e6) / deliveries }),
    p50_ms: round.latency.percentile(50),
    p99_ms: round.latency.percentile(99),
  }
}

interface Load {
  readonly receivers: number
  readonly messages: number
  /** All are in all of them, and they are spoken in by turns. */
  readonly channels?: readonly string[]
}

async function setModes(by: Client | undefined, channels: readonly string[], mode: string): Promise<void> {
  for (const channel of channels) by?.send(`MODE ${channel} ${mode}\r\n`)
  await by?.settle()
}

interface Group {
  readonly readers: readonly Client[]
  readonly senders: readonly Client[]
  readonly channels: readonly string[]
}

class Round {
  latency = new Distribution()
  readonly #senders: readonly Client[]
  readonly #channels: readonly string[]
  readonly #receivers: number
  readonly #transcript: Transcript
  /** By the line of the transcript: which message it was sent as. */
  readonly #messageOf: number[] = []
  readonly #sentAt: Float64Array
  /** Readers that have not read it, by line. */
  readonly #missing: number[] = []
  /** The number that each sender's next line must have. */
  readonly #expected: number[]
  #sent = 0
  #complete = 0
  #goal = 0
  #resolve: () => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor({ readers, senders, channels }: Group, messages: number) {
    this.#senders = senders
    this.#channels = channels
    this.#receivers = readers.length
    this.#sentAt = new Float64Array(messages)
    this.#expected = senders.map((_, index) => index)
    this.#transcript = new Transcript((messages + 1) * LINE_BYTES, (line) => this.#written(line))
    for (const reader of readers) reader.listen(this.#readerOf())
  }

  run(messages: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#resolve = resolve
    this.#reject = reject
    this.#goal += messages
    this.#say()
    return promise
  }

  #say(): void {
    const until = Math.min(this.#goal, this.#complete + IN_FLIGHT)
    const now = performance.now()
    for (; this.#sent < until; this.#sent++) {
      this.#sentAt[this.#sent] = now
      const text = `${String(this.#sent).padStart(11, '0')} ${TEXT}`
      const channel = this.#channels[this.#sent % this.#channels.length] ?? CHANNEL
      this.#senders[this.#sent % SENDERS]?.send(`PRIVMSG ${channel} :${text}\r\n`)
    }
  }

  #written(line: string): void {
    const sent = Number(/ PRIVMSG #\w+ :(\d{11}) x/.exec(line)?.[1])
    const sender = sent % SENDERS
    if (sent !== this.#expected[sender]) {
      this.#reject(new Error(`lost, doubled or out of order: ${line.slice(0, 60)}`))
      return
    }
    this.#expected[sender] = sent + SENDERS
    this.#messageOf.push(sent)
    this.#missing.push(this.#receivers)
  }

  /** What one reader does with its bytes. */
  #readerOf(): (chunk: Buffer) => void {
    const { ends } = this.#transcript
    let offset = 0
    let line = 0
    return (chunk) => {
      if (!this.#transcript.read(offset, chunk))
        return this.#reject(new Error('two readers were sent different lines'))
      offset += chunk.length
      const now = performance.now()
      const before = this.#complete
      for (; line < ends.length && ends[line]! <= offset; line++) {
        this.latency.add(now - this.#sentAt[this.#messageOf[line]!]!)
        if (--this.#missing[line]! === 0) this.#complete++
      }
      if (this.#complete === before) return
      if (this.#complete === this.#goal) this.#resolve()
      else this.#say()
    }
  }
}
