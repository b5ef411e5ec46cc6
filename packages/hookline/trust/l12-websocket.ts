// L12: browsers come by WebSocket, and so does whoever writes frames by hand. A page of another site gets nowhere, and no frame hurts.
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { startCommand } from '../test/command.ts'
import { outputOf } from '../test/control.ts'
import { quantile } from '../test/hostile.ts'
import { Person } from '../test/person.ts'
import { temporaryHome } from '../test/rig.ts'
import { WebPerson } from '../test/webperson.ts'
import { figure } from './figure.ts'

const SITES = [
  'null',
  'https://evil.example',
  'https://chat.example.org.evil.example',
  'https://evil.example/chat.example.org',
  'https://chat.example.org:8443',
  'http://chat.example.org',
  'http://localhost.evil.example',
  'file://',
]
const MOST_MIB = 64
/** Of somebody who is no flooder. */
const PAUSE_MS = 500

export default figure({
  id: 'L12',
  promise: 'A page of another site gets no WebSocket, and no frame holds up or fills the server',
  goal: `0 of ${SITES.length} foreign origins accepted; fragments, bad UTF-8, 1 MiB frames and a compressed bomb end in a closed connection, ${MOST_MIB} MiB at most, others' p99 within 100 ms of the calm one`,
  small: { fragments: 20_000 },
  whole: { fragments: 100_000 },
  isTimed: true,
  async measure({ fragments }) {
    const home = temporaryHome()
    writeFileSync(
      home.config,
      'server: {websocket_origins: ["https://chat.example.org"]}\nlisteners: [{port: 0}, {port: 0, websocket: true}]\nlogging: {level: error}\n',
    )
    try {
      await using server = await startCommand(home)
      const status = await outputOf<object>(home, 'server status', {})
      const port = Number(/:(\d+) websocket/.exec(JSON.stringify(status))?.[1])
      const wrong: string[] = []
      const accepted = (await Promise.all(SITES.map((site) => shake(port, { Origin: site })))).filter(
        ({ head }) => head.startsWith('HTTP/1.1 101'),
      ).length
      const before = residentMib(server.child.pid)
      using ann = await Person.join(server.ircPort, 'ann')
      const pings: number[] = []
      const isOver = { value: false }
      const pinging = (async () => {
        while (!isOver.value) {
          const typed = performance.now()
          await ann.settle()
          pings.push(performance.now() - typed)
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        }
      })()

      await new Promise((resolve) => setTimeout(resolve, 10 * PAUSE_MS))
      const calm = quantile(pings, 0.99)
      pings.length = 0
      const bomb = deflateRawSync(Buffer.alloc(64 << 20, 'x'))
      const attacks: Readonly<
        Record<string, { frames: Iterable<Buffer>; headers?: Record<string, string> }>
      > = {
        fragments: { frames: inPieces(fragments) },
        'bad UTF-8': { frames: [frame(0x81, Buffer.from([0xc3, 0x28])), frame(0x88, Buffer.alloc(0))] },
        'a frame of 1 MiB': { frames: [frame(0x81, Buffer.alloc(1 << 20, 'x'))] },
        'a compressed bomb': {
          frames: [frame(0xc1, bomb)],
          headers: { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' },
        },
        'a length of 2^63': {
          frames: [Buffer.from([0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0])],
        },
        'an unmasked frame': { frames: [Buffer.from([0x81, 4, ...Buffer.from('PING')])] },
        'a ping of 64 KiB': { frames: [frame(0x89, Buffer.alloc(1 << 16))] },
      }
      for (const [name, { frames, headers }] of Object.entries(attacks)) {
        const { socket, head } = await shake(port, headers)
        if (/permessage-deflate/i.test(head)) wrong.push('compression was agreed to')
        if (!(await isClosedAfter(socket, frames))) wrong.push(`${name} stayed open`)
      }
      isOver.value = true
      await pinging
      const grown = residentMib(server.child.pid) - before
      using web = await WebPerson.join(port, 'web')
      ann.type('PRIVMSG web :still here')
      if (!/still here/.test((await web.next()) ?? ''))
        wrong.push('a WebSocket that came later was told nothing')
      const p99 = quantile(pings, 0.99)
      const told = `${accepted} of ${SITES.length} foreign origins accepted, ${Object.keys(attacks).length} attacks, ${fragments} fragments; ${grown} MiB more, another's p99 ${p99.toFixed(1)} ms (calm ${calm.toFixed(1)})`
      const isMet = wrong.length === 0 && accepted === 0 && grown < MOST_MIB && p99 < calm + 100
      return { figure: [told, ...wrong].join('; '), isMet, isSound: wrong.length === 0 && accepted === 0 }
    } finally {
      rmSync(home.folder, { recursive: true, force: true })
    }
  },
})

/** A handshake by hand; what the server answers, and the socket. */
async function shake(
  port: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ socket: Socket; head: string }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const all = {
    Host: `127.0.0.1:${port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET / HTTP/1.1\r\n${lines.join('')}\r\n`)
  const head = await new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('\r\n\r\n')) resolve(text)
    })
    socket.on('close', () => resolve(text))
  })
  return { socket, head }
}

/** RFC 6455, 5.2: masked, as a client has to. */
function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload
  const size = length < 126 ? [length] : length < 65_536 ? [126] : [127]
  const more = Buffer.alloc(length < 126 ? 0 : length < 65_536 ? 2 : 8)
  if (more.length === 2) more.writeUInt16BE(length)
  if (more.length === 8) more.writeBigUInt64BE(BigInt(length))
  // A mask of zeros changes nothing.
  return Buffer.concat([Buffer.from([first, 0x80 | (size[0] ?? 0)]), more, Buffer.alloc(4), payload])
}

/** One message of a byte in each frame, which never ends. */
function* inPieces(count: number): Generator<Buffer> {
  yield frame(0x01, Buffer.from('P'))
  const piece = frame(0x00, Buffer.from('x'))
  const many = 1_000
  for (let sent = 0; sent < count; sent += many)
    yield Buffer.concat(Array.from({ length: many }, () => piece))
}

/** Whether the server has closed it once all is sent, within a while. */
async function isClosedAfter(socket: Socket, frames: Iterable<Buffer>): Promise<boolean> {
  const closed = new Promise<true>((resolve) =>
    socket.on('close', () => resolve(true)).on('end', () => resolve(true)),
  )
  socket.resume()
  for (const bytes of frames) {
    if (socket.destroyed) break
    if (!socket.write(bytes))
      await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
  }
  const late = AbortSignal.timeout(20_000)
  const isClosed = await Promise.race([
    closed,
    new Promise<false>((resolve) => late.addEventListener('abort', () => resolve(false))),
  ])
  socket.destroy()
  return isClosed
}

function residentMib(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024)
}
