import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import pino from 'pino'
import { makeCertificate } from '../../test/certificates.ts'
import { TestClock } from '../../test/clock.ts'
import { newFolder } from '../../test/folder.ts'
import { networkList } from '../net/networks.ts'
import { watchCertificates } from './renewal.ts'
import { Gate } from '../wire/gate.ts'
import type { KeyFiles } from '../wire/keys.ts'
import { type IrcListener, listen } from '../wire/listener.ts'

test('an expired certificate is logged once a day', async (t) => {
  using folder = newFolder()
  const listener = await listenWith(t, makeCertificate(folder.path, 'own'))
  const told: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(line) })
  const clock = new TestClock(Date.now())
  const stop = watchCertificates([listener], { log, clock })
  assert.deepEqual(told, [])
  clock.moveTo(clock.now() + 3 * DAY_MS)
  assert.equal(told.length, 3)
  assert.match(told[0] ?? '', /own-cert\.pem expired at /)
  stop()
  clock.moveTo(clock.now() + 3 * DAY_MS)
  assert.equal(told.length, 3)
})

test('a renewed certificate of which the system tells nothing is found within a day', async (t) => {
  using folder = newFolder()
  const current = join(folder.path, 'current')
  for (const name of ['old', 'new']) {
    mkdirSync(join(folder.path, name))
    makeCertificate(join(folder.path, name), 'own')
  }
  symlinkSync('old', current)
  const listener = await listenWith(t, {
    cert: join(current, 'own-cert.pem'),
    key: join(current, 'own-key.pem'),
  })
  const told: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void told.push(line) })
  const clock = new TestClock(Date.now())
  t.after(watchCertificates([listener], { log, clock }))
  unlinkSync(current)
  symlinkSync('new', current)
  clock.moveTo(clock.now() + DAY_MS / 2)
  assert.deepEqual(told, [])
  clock.moveTo(clock.now() + DAY_MS / 2)
  assert.match(told[0] ?? '', /a changed certificate was loaded/)
})

const DAY_MS = 86_400_000

async function listenWith(t: TestContext, tls: KeyFiles): Promise<IrcListener> {
  const limits = { inAll: 100, perAddress: 1, perTenMinutes: 1, ipv4Bits: 32, ipv6Bits: 64, exempt: [] }
  const listener = await listen(
    {
      host: '127.0.0.1',
      port: 0,
      tls: [tls],
      isWebSocket: false,
      origins: [],
      trusted: networkList([]),
      isForProxies: false,
      connections: 1,
    },
    new Gate(limits, () => 0),
    () => assert.fail('nobody connects'),
  )
  t.after(() => listener.close())
  return listener
}
