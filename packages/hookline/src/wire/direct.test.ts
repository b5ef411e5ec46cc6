import assert from 'node:assert/strict'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { descriptorOf, writeDirect } from './direct.ts'

test('a reader that pauses gets every byte, in order, whether the system or the stream buffered it', async () => {
  await using pair = await connected()
  pair.there.pause()
  const pieces: Buffer[] = []
  // The system buffers some MB before we do.
  for (let i = 0; i < 1_000 && pair.here.writableLength < 1_000_000; i++) {
    const piece = Buffer.alloc(100_000 + i, `${i} `)
    pieces.push(piece)
    writeDirect(pair.here, descriptorOf(pair.here), piece)
  }
  const all = Buffer.concat(pieces)
  assert(pair.here.writableLength > 0, 'the last of it waits in the stream')
  assert(pair.here.bytesWritten < all.length, 'the first of it went past the stream')
  pair.here.end()
  assert((await buffer(pair.there)).equals(all))
})

test('an error of the system reaches the stream, which closes', async () => {
  await using pair = await connected()
  const { promise: failure, resolve } = Promise.withResolvers<Error>()
  pair.here.once('error', resolve)
  // Nobody reads here, so only a write can meet it.
  pair.there.resetAndDestroy()
  const descriptor = descriptorOf(pair.here)
  const writing = setInterval(() => writeDirect(pair.here, descriptor, Buffer.from('PING\r\n')))
  const { message } = await failure
  clearInterval(writing)
  assert.match(message, /^write E(PIPE|CONNRESET)$/)
  assert.equal(pair.here.writable, false)
})

test('a later owner of its descriptor gets nothing', async () => {
  await using pair = await connected()
  const descriptor = descriptorOf(pair.here)
  pair.here.destroy()
  await once(pair.here, 'close')
  const path = join(tmpdir(), `hookline-direct-${process.pid}`)
  // The system assigns the lowest free one.
  const opened: number[] = []
  while (opened.at(-1) !== descriptor) opened.push(openSync(path, 'w'))
  writeDirect(pair.here, descriptor, Buffer.from('PING\r\n'))
  assert.equal(statSync(path).size, 0)
  for (const each of opened) closeSync(each)
  rmSync(path)
})

/** Two ends of one connection. */
async function connected() {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const there = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [here] = (await once(server, 'connection')) as [Socket]
  return {
    here,
    there,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      here.destroy()
      there.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
