// A client that costs the bench little: what it is sent is looked at for a PONG, and later given on as bytes.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** All sockets read into it: what is read is dealt with before the next read. */
const CHUNK = Buffer.allocUnsafeSlow(64 * 1024)
/** Connections that are opened at once: fewer than wait at a listener of any checkout. */
const BURST = 100
/** Whose names fit in a line. */
const CHANNELS_AT_ONCE = 50
const PATIENCE_MS = 20_000

export class Client {
  readonly #socket: Socket
  /** The end of what came last, while a PONG is waited for. */
  #tail = ''
  #awaited: { readonly text: string; readonly resolve: () => void } | undefined
  #onBytes: ((chunk: Buffer) => void) | undefined
  isClosed = false

  constructor(port: number, nick: string) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: CHUNK, callback: (length) => this.#receive(CHUNK.subarray(0, length)) },
    })
    this.#socket.on('error', () => {}) // 'close' follows
    this.#socket.on('close', () => (this.isClosed = true))
    this.send(`NICK ${nick}\r\nUSER u 0 * :u\r\n`)
  }

  send(lines: string): void {
    this.#socket.write(lines, 'latin1')
  }

  /** Until everything that was sent so far has been dealt with, and read. */
  async settle(): Promise<void> {
    const token = `settle-${performance.now()}`
    const settled = new Promise<void>((resolve) => (this.#awaited = { text: token, resolve }))
    this.send(`PING ${token}\r\n`)
    await within(PATIENCE_MS, settled, 'a client was not answered')
  }

  /** From now on everything that comes is given to `onBytes`, which must not keep it. */
  listen(onBytes: (chunk: Buffer) => void): void {
    this.#onBytes = onBytes
  }

  /** What was sent last is not all with the other side. */
  get isFull(): boolean {
    return this.#socket.writableNeedDrain
  }

  /** From now on it takes nothing that it is sent. */
  ignore(): void {
    this.#socket.pause()
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    const closed = once(this.#socket, 'close')
    this.#socket.destroy()
    await closed
  }

  #receive(chunk: Buffer): boolean {
    if (this.#awaited !== undefined) this.#await(chunk)
    this.#onBytes?.(chunk)
    return true
  }

  #await(chunk: Buffer): void {
    const { text, resolve } = this.#awaited ?? {}
    const read = this.#tail + chunk.toString('latin1')
    const found = text !== undefined && read.includes(`${text}\r\n`)
    this.#tail = found ? '' : read.slice(-64)
    if (!found) return
    this.#awaited = undefined
    resolve?.()
  }
}

/** Clients that are logged in, and in the channels; each has read of all the others. */
export async function gather(
  port: number,
  nicks: readonly string[],
  channels: readonly string[] = [],
): Promise<Client[]> {
  const clients: Client[] = []
  for (let from = 0; from < nicks.length; from += BURST) {
    const some = nicks.slice(from, from + BURST).map((nick) => new Client(port, nick))
    for (let first = 0; first < Math.max(channels.length, 1); first += CHANNELS_AT_ONCE) {
      const names = channels.slice(first, first + CHANNELS_AT_ONCE).join(',')
      if (names !== '') for (const client of some) client.send(`JOIN ${names}\r\n`)
      await Promise.all(some.map((client) => client.settle()))
    }
    clients.push(...some)
  }
  await Promise.all(clients.map((client) => client.settle()))
  return clients
}

export async function within<T>(ms: number, wanted: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${complaint} for ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([wanted, late])
  } finally {
    clearTimeout(timer)
  }
}
