import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { makeCertificate } from '../../test/certificates.ts'
import { TestClock } from '../../test/clock.ts'
import { networkList } from '../networks.ts'
import { watchCertificates } from './renewal.ts'
import { Gate } from '../wire/gate.ts'
import { listen } from '../wire/listener.ts'

test('an expired certificate is logged once a day', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const limits = { inAll: 100, perAddress: 1, perTenMinutes: 1, ipv4Bits: 32, ipv6Bits: 64, exempt: [] }
  const listener = await listen(
    {
      host: '127.0.0.1',
      port: 0,
      tls: [makeCertificate(folder, 'own')],
      isWebSocket: false,
      origins: [],
      trusted: networkList([]),
      isForProxies: false,
    },
    new Gate(limits, () => 0),
    () => assert.fail('nobody connects'),
  )
  t.after(() => listener.close())
  const told: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(line) })
  const clock = new TestClock(Date.now())
  const stop = watchCertificates([listener], { log, clock })
  assert.deepEqual(told, [])
  clock.moveTo(clock.now() + 3 * 86_400_000)
  assert.equal(told.length, 3)
  assert.match(told[0] ?? '', /own-cert\.pem expired at /)
  stop()
  clock.moveTo(clock.now() + 3 * 86_400_000)
  assert.equal(told.length, 3)
})
