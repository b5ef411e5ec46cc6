import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloakWith } from './cloak.ts'

const shape = { suffix: 'cloak', ipv4: [32, 24, 16], ipv6: [128, 64, 48] }
const cloak = cloakWith(Buffer.alloc(32, 1), shape)

test('parts of a cloak are shared by users of the same network, and by nobody else', () => {
  const [own, near, far] = ['192.0.2.1', '192.0.2.2', '192.0.99.1'].map((address) =>
    cloak(address).split('.'),
  )
  assert(own && near && far)
  assert.match(cloak('192.0.2.1'), /^[a-z2-7]{10}\.[a-z2-7]{10}\.[a-z2-7]{10}\.cloak$/)
  assert.notEqual(own[0], near[0])
  assert.deepEqual(own.slice(1), near.slice(1))
  assert.notEqual(own[1], far[1])
  assert.deepEqual(own.slice(2), far.slice(2))
  assert.equal(cloak('::ffff:192.0.2.1'), cloak('192.0.2.1'))
  const [six, line] = ['2001:db8:1:2::1', '2001:db8:1:2::2'].map((address) => cloak(address).split('.'))
  assert.notEqual(six?.[0], line?.[0])
  assert.deepEqual(six?.slice(1), line?.slice(1))
})

test('a cloak depends on the key, and contains nothing of the address', () => {
  assert.notEqual(cloakWith(Buffer.alloc(32, 2), shape)('192.0.2.1'), cloak('192.0.2.1'))
  assert.equal(cloakWith(Buffer.alloc(32, 1), shape)('192.0.2.1'), cloak('192.0.2.1'))
  assert.doesNotMatch(cloak('192.0.2.1'), /192|\.2\.1/)
  assert.equal(cloak('nowhere'), 'cloak')
})
