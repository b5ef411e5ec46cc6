import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gate } from './gate.ts'

test('an address holds so many connections, and another when one has gone', () => {
  const gate = new Gate({ perAddress: 2, perTenMinutes: 100 }, () => 0)
  assert.equal(gate.enter('192.0.2.1'), undefined)
  assert.equal(gate.enter('192.0.2.1'), undefined)
  assert.match(gate.enter('192.0.2.1') ?? '', /Too many/)
  assert.equal(gate.enter('192.0.2.2'), undefined)
  gate.leave('192.0.2.1')
  assert.equal(gate.enter('192.0.2.1'), undefined)
  assert.match(gate.enter('192.0.2.1') ?? '', /Too many/)
})

test('an address opens so many in ten minutes', () => {
  let now = 0
  const gate = new Gate({ perAddress: 100, perTenMinutes: 3 }, () => now)
  const visit = (address: string) => {
    const refusal = gate.enter(address)
    if (refusal === undefined) gate.leave(address)
    return refusal
  }
  for (let i = 0; i < 3; i++) assert.equal(visit('2001:db8::1'), undefined)
  assert.match(visit('2001:db8::1') ?? '', /wait ten minutes/)
  assert.equal(visit('192.0.2.9'), undefined)
  now = 599_999
  assert.match(visit('2001:db8::1') ?? '', /wait ten minutes/)
  now = 600_000
  assert.equal(visit('2001:db8::1'), undefined)
})

test('loopback is exempt', () => {
  const gate = new Gate({ perAddress: 1, perTenMinutes: 1 }, () => 0)
  for (let i = 0; i < 5; i++) {
    for (const address of ['127.0.0.1', '127.1.2.3', '::1']) assert.equal(gate.enter(address), undefined)
  }
  for (const address of ['128.0.0.1', '10.0.0.1', '::2', '2001:db8::1']) {
    assert.equal(gate.enter(address), undefined)
    assert.notEqual(gate.enter(address), undefined, address)
  }
})
