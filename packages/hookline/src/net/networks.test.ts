import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, isListed, isNetwork, networkList } from './networks.ts'

test('a list matches its addresses and networks; invalid entries are reported', () => {
  const list = networkList(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'])
  for (const address of ['127.0.0.1', '10.9.8.7', '2001:db8::9'])
    assert.equal(isListed(list, address), true, address)
  for (const address of ['127.0.0.2', '11.0.0.1', '2001:db9::9', ''])
    assert.equal(isListed(list, address), false, address)
  for (const text of ['10.0.0.0/8', '::1', '127.0.0.1']) assert.equal(isNetwork(text), true, text)
  // No address has a zone once it is compared, so an entry that names one would count for every interface.
  for (const text of ['10.0.0.0/33', 'proxy', '10.0.0.0/8/8', '10.0.0.0/', '010.0.0.1', 'fe80::1%eth0'])
    assert.equal(isNetwork(text), false, text)
})

test('a forwarded address is trusted from the right, as far as our own proxies go', () => {
  const proxies = networkList(['127.0.0.1', '10.0.0.0/8', '::1'])
  const from = (remote: string, said?: string) => addressOf(remote, said, proxies)
  assert.equal(from('192.0.2.7', '198.51.100.1'), '192.0.2.7', 'from nobody of ours')
  assert.equal(from('127.0.0.1'), '127.0.0.1')
  assert.equal(from('::ffff:127.0.0.1', '198.51.100.1'), '198.51.100.1')
  assert.equal(from('::1', '1.2.3.4, 198.51.100.1, 10.1.1.1'), '198.51.100.1')
  assert.equal(from('::1', '10.1.1.1'), '10.1.1.1')
  assert.equal(from('::1', '2001:DB8:0::1'), '2001:db8::1', 'as masks are written')
  assert.equal(from('::1', '::ffff:c633:6401'), '198.51.100.1')
  // With the sender's port, as some proxies write it.
  assert.equal(from('::1', '198.51.100.1:4711'), '198.51.100.1')
  assert.equal(from('::1', '[2001:db8::1]:4711, 10.1.1.1:80'), '2001:db8::1')
  assert.equal(from('::1', '[2001:db8::1]'), '2001:db8::1')
})
