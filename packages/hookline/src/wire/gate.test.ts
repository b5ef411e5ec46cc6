import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOOPBACK } from '../irc/address.ts'
import { Gate, type GateLimits, type Stay } from './gate.ts'

/** A gate that is asked as by one who does not move. */
class Door {
  readonly #gate: Gate
  readonly #stays = new Map<string, Stay[]>()

  constructor(limits: Partial<GateLimits>, now: () => number) {
    this.#gate = new Gate({ ...usual, ...limits }, now)
  }

  enter(address: string): string | undefined {
    const stay = this.#gate.admit(address)
    if (typeof stay === 'string') return stay
    this.#stays.set(address, [...(this.#stays.get(address) ?? []), stay])
    return undefined
  }

  leave(address: string): void {
    this.#stays.get(address)?.pop()?.leave()
  }
}

const usual: GateLimits = {
  inAll: 100,
  perAddress: 100,
  perTenMinutes: 100,
  ipv4Bits: 32,
  ipv6Bits: 64,
  exempt: [],
}

test('an address holds so many connections, and another when one has gone', () => {
  const gate = new Door({ perAddress: 2, perTenMinutes: 100 }, () => 0)
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
  const gate = new Door({ perAddress: 100, perTenMinutes: 3 }, () => now)
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

test('what counts as one place is a network, of IPv6 always', () => {
  const gate = new Door({ perAddress: 1, ipv4Bits: 24 }, () => 0)
  assert.equal(gate.enter('192.0.2.1'), undefined)
  assert.match(gate.enter('192.0.2.2') ?? '', /Too many/)
  assert.equal(gate.enter('192.0.3.1'), undefined)
  assert.equal(gate.enter('2001:db8:0:1::1'), undefined)
  assert.match(gate.enter('2001:db8:0:1:ffff::2') ?? '', /Too many/)
  assert.equal(gate.enter('2001:db8:0:2::1'), undefined)
  gate.leave('192.0.2.1')
  assert.equal(gate.enter('192.0.2.77'), undefined, 'whoever of the place left')
})

test('who is exempt comes as often as they like', () => {
  const exempt = ['192.0.2.0/24', '2001:db8::1', ...LOOPBACK]
  const gate = new Door({ perAddress: 1, perTenMinutes: 1, exempt }, () => 0)
  for (const address of ['192.0.2.1', '2001:db8::1', '127.0.0.1', '127.9.9.9', '::1']) {
    for (let i = 0; i < 5; i++) assert.equal(gate.enter(address), undefined, address)
    gate.leave(address)
  }
  for (const address of ['128.0.0.1', '10.0.0.1', '::2', '2001:db8:1::1']) {
    assert.equal(gate.enter(address), undefined)
    assert.notEqual(gate.enter(address), undefined, address)
  }
})

test('all hold so many together, and nobody is exempt from that', () => {
  const gate = new Door({ inAll: 2, exempt: LOOPBACK }, () => 0)
  assert.equal(gate.enter('127.0.0.1'), undefined)
  assert.equal(gate.enter('192.0.2.1'), undefined)
  for (const address of ['127.0.0.1', '192.0.2.2']) assert.match(gate.enter(address) ?? '', /full/)
  gate.leave('127.0.0.1')
  assert.equal(gate.enter('192.0.2.2'), undefined)
  assert.match(gate.enter('127.0.0.1') ?? '', /full/)
})

test('whoever turns out to be from elsewhere counts there, and no longer where it came from', () => {
  const gate = new Gate({ ...usual, perAddress: 1 }, () => 0)
  const stay = gate.admit('192.0.2.1')
  assert(typeof stay === 'object')
  assert.equal(stay.move('198.51.100.1'), undefined)
  const other = gate.admit('192.0.2.1')
  assert(typeof other === 'object')
  assert.match(other.move('198.51.100.1') ?? '', /Too many/)
  assert.equal(typeof gate.admit('192.0.2.1'), 'string', 'who may not move is still here')
  stay.leave()
  assert.equal(other.move('198.51.100.1'), undefined)
})

test('whoever is kept out is told of, with the limit', () => {
  const told: string[] = []
  const limits = { ...usual, perAddress: 1, perTenMinutes: 2 }
  const gate = new Gate(
    limits,
    () => 0,
    (address, limit) => void told.push(`${address} ${limit}`),
  )
  const stay = gate.admit('192.0.2.1')
  gate.admit('192.0.2.1')
  assert.equal(gate.knock('192.0.2.1'), false)
  assert.ok(typeof stay !== 'string')
  stay.leave()
  gate.leave('192.0.2.1')
  for (let i = 0; i < 2; i++) if (gate.enter('192.0.2.1') === undefined) gate.leave('192.0.2.1')
  assert.deepEqual(told, ['192.0.2.1 perAddress', '192.0.2.1 perAddress', '192.0.2.1 perTenMinutes'])
})
