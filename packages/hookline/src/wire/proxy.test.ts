import assert from 'node:assert/strict'
import { isIPv6 } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressBits, networkText } from '../irc/address.ts'
import { readProxyHeader } from './proxy.ts'

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')

/** Version 2: command and family as bytes, then the addresses. */
function v2(command: number, family: number, addresses: Buffer): Buffer {
  const length = Buffer.from([addresses.length >> 8, addresses.length & 255])
  return Buffer.concat([SIGNATURE, Buffer.from([0x20 | command, (family << 4) | 1]), length, addresses])
}

const four = Buffer.concat([Buffer.from([192, 0, 2, 7, 127, 0, 0, 1]), Buffer.from('fffd1a0b', 'hex')])
const six = Buffer.concat([
  Buffer.from('20010db8000000000000000000000001'.padEnd(64, '0'), 'hex'),
  Buffer.from('fffd1a0b', 'hex'),
])
const mapped = Buffer.from('00000000000000000000ffffc0000207'.padEnd(72, '0'), 'hex')

const HEADERS: readonly (readonly [Buffer, string | undefined])[] = [
  [Buffer.from('PROXY TCP4 192.0.2.7 127.0.0.1 65533 6667\r\n'), '192.0.2.7'],
  [Buffer.from('PROXY TCP6 2001:db8::1 ::1 65533 6667\r\n'), '2001:db8::1'],
  [Buffer.from('PROXY TCP6 2001:DB8:0::0001 ::1 65533 6667\r\n'), '2001:db8::1'],
  // For an IPv4 client, from a proxy that listens for both.
  [Buffer.from('PROXY TCP6 ::ffff:192.0.2.7 ::ffff:127.0.0.1 65533 6667\r\n'), '192.0.2.7'],
  [Buffer.from('PROXY UNKNOWN\r\n'), undefined],
  [Buffer.from('PROXY UNKNOWN ffff::1 whatever\r\n'), undefined],
  [v2(1, 1, four), '192.0.2.7'],
  [v2(1, 2, six), '2001:db8::1'],
  [v2(1, 2, mapped), '192.0.2.7'],
  [v2(0, 0, Buffer.alloc(0)), undefined],
]

test('headers of both versions, whole and in any two chunks, with lines after them', () => {
  for (const [bytes, address] of HEADERS) {
    const header = readProxyHeader(Buffer.concat([bytes, Buffer.from('NICK ann\r\n')]))
    assert.deepEqual(header, { kind: 'header', address, length: bytes.length })
    for (let cut = 0; cut < bytes.length; cut++) {
      assert.deepEqual(
        readProxyHeader(bytes.subarray(0, cut)),
        { kind: 'incomplete' },
        `${bytes.toString('latin1')} at ${cut}`,
      )
    }
  }
})

test('a non-header is recognised at its first differing byte, and a bad header is none', () => {
  assert.deepEqual(readProxyHeader(Buffer.from('N')), { kind: 'none' })
  assert.deepEqual(readProxyHeader(Buffer.from('PRIVMSG ann :PROXY ')), { kind: 'none' })
  for (const bad of [
    'PROXY TCP4 ::1 x 1 2\r\n',
    'PROXY TCP6 192.0.2.7 x 1 2\r\n',
    'PROXY\u0020\r\n',
    'PROXY TCP4 192.0.2.7\r\n',
    'PROXY TCP4 192.0.2.7 ::1 1 2\r\n',
    'PROXY TCP4 192.0.2.7 127.0.0.1 1 65536\r\n',
    'PROXY TCP4 192.0.2.7 127.0.0.1 1 2 3\r\n',
    'PROXY TCP4 192.0.2.7 127.0.0.1 1 2\n',
    'PROXY TCP4 192.0.2.7 127.0.0.1 1 2\rNICK ann\r\n',
    'PROXY UNKNOWN\n',
    'PROXY UNKNOWNS\r\n',
    `PROXY TCP4 ${'1'.repeat(110)}`,
  ]) {
    assert.deepEqual(readProxyHeader(Buffer.from(bad)), { kind: 'malformed' }, bad)
  }
  for (const bad of [v2(1, 1, four.subarray(0, 4)), v2(2, 1, four), v2(1, 1, Buffer.alloc(4_000))]) {
    assert.deepEqual(readProxyHeader(bad), { kind: 'malformed' })
  }
})

test('no bytes throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(Buffer.alloc(0), SIGNATURE, Buffer.from('PROXY ')),
      fc.uint8Array({ maxLength: 300 }),
      (first, rest) => {
        assert.ok(readProxyHeader(Buffer.concat([first, rest])).kind)
      },
    ),
  )
})

test('any address comes through, in both versions, in its usual notation', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), ipv6), (address) => {
      const isSix = isIPv6(address)
      const text = `PROXY TCP${isSix ? 6 : 4} ${address} ${isSix ? '::1' : '127.0.0.1'} 1 2\r\n`
      const shown = networkText(addressBits(address) ?? '')
      const first = readProxyHeader(Buffer.from(text))
      assert.deepEqual(first, { kind: 'header', address: shown, length: text.length })
      const bytes = isSix ? groupsOf(address) : Buffer.from(address.split('.').map(Number))
      const second = readProxyHeader(
        v2(1, isSix ? 2 : 1, Buffer.concat([bytes, Buffer.alloc(bytes.length + 4)])),
      )
      assert.equal(second.kind === 'header' && second.address, shown)
    }),
  )
})

const ipv6 = fc
  .array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(':'))

/** Of an address without `::`. */
function groupsOf(address: string): Buffer {
  const bytes = Buffer.alloc(16)
  for (const [i, group] of address.split(':').entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * i)
  return bytes
}
