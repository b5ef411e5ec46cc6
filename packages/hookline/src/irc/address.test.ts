import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressBits, isV4, networkBits, networkText, overlaps } from './address.ts'

test('an address is written back in its shortest form', () => {
  const forms: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ]
  for (const [text, shown] of forms) assert.equal(networkText(networkBits(text) ?? ''), shown, text)
})

test('a network matches the addresses that begin with it', () => {
  const network = networkBits('192.0.2.77/24') ?? ''
  assert.equal(networkText(network), '192.0.2.0/24')
  assert(addressBits('192.0.2.255')?.startsWith(network))
  assert(!addressBits('192.0.3.0')?.startsWith(network))
  assert.equal(networkText(networkBits('2001:db8:1::/48') ?? ''), '2001:db8:1::/48')
  assert.equal(networkText(networkBits('0.0.0.0/0') ?? ''), '0.0.0.0/0')
  assert.equal(networkText(networkBits('::/0') ?? ''), '::/0')
  assert(overlaps(networkBits('::/0') ?? '', network), 'IPv4 is a part of IPv6')
})

test('anything else is not an address or a network', () => {
  const others =
    ' 1.2.3 1.2.3.4.5 256.1.1.1 1.2.3.4/33 1.2.3.4/ 1.2.3.4/8/8 1.2.3.4/x : ::: 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 ::12345 ::/129 g:: ::1.2.3 ::1.2.3.256 localhost *'
  for (const text of others.split(' ')) assert.equal(networkBits(text), undefined, text)
  assert.equal(addressBits('1.2.3.4/8'), undefined)
})

test('every address has one canonical form, which parses again', () => {
  const bits = fc.string({ unit: fc.constantFrom('0', '1'), minLength: 128, maxLength: 128 })
  fc.assert(
    fc.property(bits, (address) => {
      const text = networkText(address)
      assert.equal(isIP(text), isV4(address) ? 4 : 6, text)
      assert.equal(addressBits(text), address)
    }),
  )
  fc.assert(fc.property(fc.ipV4(), (text) => assert.equal(networkText(addressBits(text) ?? ''), text)))
  fc.assert(fc.property(fc.ipV6(), (text) => assert.notEqual(addressBits(text), undefined)))
})

test('a network prints back as it was, whatever its length', () => {
  const bits = fc.string({ unit: fc.constantFrom('0', '1'), maxLength: 127 })
  fc.assert(fc.property(bits, (network) => assert.equal(networkBits(networkText(network)), network)))
})
