import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { test, type TestContext } from 'node:test'
import { makeCertificate } from '../../test/certificates.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { networkList } from '../net/networks.ts'
import { Gate } from './gate.ts'
import { listen } from './listener.ts'

test('a TLS handshake counts as one connection of its address', async (t) => {
  const { knock, enter } = await door(t, { inAll: 100, perAddress: 2 })

  const silent = [knock(), knock()]
  await Promise.all(silent.map((peer) => once(peer, 'connect')))
  assert.equal(await enter(), false)

  silent.forEach((peer) => peer.destroy())
  while (!(await enter()));
  assert.equal(await enter(), true, 'a handshake that is over leaves its room')
  assert.equal(await enter(), false)
})

test('connections that their clients have reset before they were accepted leave their room', async (t) => {
  const { port, enter } = await door(t, { inAll: 1, perAddress: 1 })
  // Its clients are gone before this process, which waits for it, accepts one.
  const client = `for (let i = 0; i < 9; i++) {
    const peer = require('node:net').connect(${port}, '127.0.0.1', () => peer.resetAndDestroy())
  }`
  assert.equal(spawnSync(process.execPath, ['-e', client]).status, 0)
  assert.equal(await enter(), true)
})

async function door(t: TestContext, { inAll, perAddress }: { inAll: number; perAddress: number }) {
  const gate = new Gate(
    { inAll, perAddress, perTenMinutes: 2, ipv4Bits: 32, ipv6Bits: 64, exempt: [] },
    () => 0,
  )
  const options = {
    host: '127.0.0.1',
    port: 0,
    isWebSocket: false,
    isForProxies: false,
    origins: [],
    connections: 9,
  }
  const tls = [makeCertificate(temporaryFolder(t), 'own')] as const
  const listener = await listen({ ...options, tls, trusted: networkList([]) }, gate, (wire) => {
    wire.write(Buffer.from('in\r\n'))
    return { lines() {}, ended: () => wire.end(), gone() {} }
  })
  const port = Number(listener.address.match(/:(\d+) /)?.[1])
  const peers: Socket[] = []
  t.after(async () => {
    peers.forEach((peer) => peer.destroy())
    await listener.close()
  })
  function add(peer: Socket): Socket {
    peers.push(peer.on('error', () => {}))
    return peer
  }
  const knock = () => add(connectPlain({ port, host: '127.0.0.1' }))
  const enter = () =>
    new Promise<boolean>((resolve) => {
      const peer = add(connect({ port, host: '127.0.0.1', rejectUnauthorized: false }))
      peer.once('data', () => resolve(true)).once('close', () => resolve(false))
    })
  return { port, knock, enter }
}
