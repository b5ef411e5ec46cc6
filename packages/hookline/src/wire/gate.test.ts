import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOOPBACK } from '../irc/address.ts'
import { Gate, type GateLimits, type Admission } from './gate.ts'

/** A gate asked for a fixed address. */
class Door {
  readonly #gate: Gate
  readonly #admissions = new Map<string, Admission[]>()

  constructor(limits: Partial<GateLimits>, now: () => number) {
    this.#gate = new Gate({ ...usual, ...limits }, now)
  }

  enter(address: string): string | undefined {
    const admission = this.#gate.admit(address)
    if (typeof admission === 'string') return admission
    this.#admissions.set(address, [...(this.#admissions.get(address) ?? []), admission])
    return undefined
  }

  leave(address: string): void {
    this.#admissions.get(address)?.pop()?.leave()
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

test('an address may have a limited number of connections, and another once one is closed', () => {
  const gate = new Door({ perAddress: 2, perTenMinutes: 100 }, () => 0)
  assert.equal(gate.enter('192.0.2.1'), undefined)
  assert.equal(gate.enter('192.0.2.1'), undefined)
  assert.match(gate.enter('192.0.2.1') ?? '', /Too many/)
  assert.equal(gate.enter('192.0.2.2'), undefined)
  gate.leave('192.0.2.1')
  assert.equal(gate.enter('192.0.2.1'), undefined)
  assert.match(gate.enter('192.0.2.1') ?? '', /Too many/)
})

test('an address may open a limited number in ten minutes', () => {
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

test('addresses count by network, always so for IPv6', () => {
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

test('an exempt address may connect as often as it likes', () => {
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

test('the total number of connections is limited, without exemptions', () => {
  const gate = new Door({ inAll: 2, exempt: LOOPBACK }, () => 0)
  assert.equal(gate.enter('127.0.0.1'), undefined)
  assert.equal(gate.enter('192.0.2.1'), undefined)
  for (const address of ['127.0.0.1', '192.0.2.2']) assert.match(gate.enter(address) ?? '', /full/)
  gate.leave('127.0.0.1')
  assert.equal(gate.enter('192.0.2.2'), undefined)
  assert.match(gate.enter('127.0.0.1') ?? '', /full/)
})

test('what the system has accepted counts, refused or not, and some of it is kept for those that read why', () => {
  const gate = new Gate({ ...usual, inAll: 16, exempt: LOOPBACK }, () => 0)
  const accepted = Array.from({ length: 17 }, () => gate.accept())
  assert.deepEqual(accepted, [...Array.from({ length: 16 }, () => true), false])
  gate.closed()
  assert.equal(gate.accept(), true)
  const admitted = Array.from({ length: 15 }, () => typeof gate.admit('127.0.0.1'))
  assert.deepEqual(admitted, [...Array.from({ length: 14 }, () => 'object'), 'string'])
  assert.deepEqual(
    [1, 2, 3].map(() => gate.part('127.0.0.1')),
    [true, true, false],
  )
  gate.parted('127.0.0.1')
  assert.equal(gate.part('192.0.2.1'), true)
})

test('of one place four may read at a time why they are refused', () => {
  const gate = new Gate({ ...usual, inAll: 1_000 }, () => 0)
  const parting = Array.from({ length: 5 }, () => gate.part('2001:db8::1'))
  assert.deepEqual(parting, [true, true, true, true, false])
  assert.equal(gate.part('192.0.2.1'), true)
  gate.parted('2001:db8::1')
  assert.equal(gate.part('2001:db8::2'), true)
  const others = Array.from({ length: 100 }, (_, i) => gate.part(`198.51.100.${i}`))
  assert.equal(others.filter((may) => may).length, 59)
})

test('a connection whose real address becomes known counts there, and no longer at the proxy', () => {
  const gate = new Gate({ ...usual, perAddress: 1 }, () => 0)
  const admission = gate.admit('192.0.2.1')
  assert(typeof admission === 'object')
  assert.equal(admission.move('198.51.100.1'), undefined)
  const other = gate.admit('192.0.2.1')
  assert(typeof other === 'object')
  assert.match(other.move('198.51.100.1') ?? '', /Too many/)
  assert.equal(typeof gate.admit('192.0.2.1'), 'string', 'who may not move is still here')
  admission.leave()
  assert.equal(other.move('198.51.100.1'), undefined)
})

test('a connection that moves does not take up room twice', () => {
  for (const limit of [{ inAll: 1 }, { perAddress: 1 }]) {
    const gate = new Gate({ ...usual, ipv4Bits: 24, ...limit }, () => 0)
    const admission = gate.admit('192.0.2.1')
    assert(typeof admission === 'object')
    assert.equal(admission.move('192.0.2.7'), undefined, JSON.stringify(limit))
    assert.equal(typeof gate.admit('192.0.2.1'), 'string')
    admission.leave()
    assert.equal(typeof gate.admit('192.0.2.1'), 'object')
  }
})

test('a gateway’s connections are new ones of its users, admitted or not, and none of its own', () => {
  const gate = new Gate({ ...usual, perTenMinutes: 1 }, () => 0)
  for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
    const admission = gate.admit('192.0.2.1')
    assert(typeof admission === 'object', address)
    assert.equal(admission.move(address), undefined)
    admission.leave()
  }
  for (let i = 0; i < 3; i++) {
    const admission = gate.admit('192.0.2.1')
    assert(typeof admission === 'object', 'nor is one that may not move')
    assert.match(admission.move('198.51.100.1') ?? '', /wait ten minutes/)
    admission.leave()
  }
})

test('refused connections are reported, with the limit', () => {
  const told: string[] = []
  const limits = { ...usual, perAddress: 1, perTenMinutes: 2 }
  const gate = new Gate(
    limits,
    () => 0,
    (address, limit) => void told.push(`${address} ${limit}`),
  )
  const admission = gate.admit('192.0.2.1')
  gate.admit('192.0.2.1')
  assert.equal(gate.reserve('192.0.2.1'), false)
  assert.ok(typeof admission !== 'string')
  admission.leave()
  gate.leave('192.0.2.1')
  for (let i = 0; i < 2; i++) if (gate.enter('192.0.2.1') === undefined) gate.leave('192.0.2.1')
  assert.deepEqual(told, ['192.0.2.1 perAddress', '192.0.2.1 perAddress', '192.0.2.1 perTenMinutes'])
})
