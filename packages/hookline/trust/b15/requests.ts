// HTTP requests that are right, nearly right, or no requests at all.
import type { Chance } from '../../test/fuzz/chance.ts'

const METHODS = [
  'POST',
  'POST',
  'POST',
  'POST',
  'GET',
  'HEAD',
  'PUT',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PATCH',
  'post',
  'QUERY',
]
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  '',
  'x/'.repeat(50),
]
const NAMES = [
  'X-GitHub-Event',
  'X-GitHub-Delivery',
  'Idempotency-Key',
  'webhook-id',
  'X-Hub-Signature-256',
  'Origin',
  'Sec-Fetch-Site',
  'Expect',
  'Content-Encoding',
  'Upgrade',
  'Connection',
  'Host',
  'Via',
  'X-Forwarded-For',
]
const VALUES = [
  'push',
  '',
  'null',
  '☕',
  '%00',
  'a,b',
  'gzip',
  '100-continue',
  'websocket',
  'http://evil.example',
  '-1',
  'x'.repeat(2_000),
  '"',
  '127.0.0.1',
]
const KEYS = [
  'text',
  'action',
  '__proto__',
  'constructor',
  'a.b',
  '',
  '0',
  'toString',
  '\ud800',
  'body',
  'headers',
  ' ',
]
/** Texts that parsers of JSON have stumbled over. */
const BROKEN = [
  '',
  '{',
  '[',
  'null',
  '1',
  '"x"',
  '[]',
  '{"a":}',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"a":2}',
  '\ufeff{"text":"bom"}',
  '{"text":1e400}',
  '{"text":9007199254740993}',
  '{"text":"\\ud800"}',
  '{"text":"\u0000"}',
  '{"a":1,"a":2}',
  `${'['.repeat(5_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  'NaN',
  '{"text":-0}',
  'payload={"text":"form"}',
  'payload=%7B',
  '{"text":"' + 'x'.repeat(20_000) + '"}',
]

export function someRequest(chance: Chance, bot: string): Buffer {
  const body = chance.isHit(60) ? JSON.stringify(someValue(chance, 0)) : chance.pick(BROKEN)
  const bytes = Buffer.from(body)
  const target = chance.pick([
    `/${bot}`,
    `/${bot}`,
    `/${bot}`,
    `/${bot}?x=${chance.below(9)}`,
    '/',
    '/health',
    '/metrics',
    '/none',
    `/${bot}/x`,
    '*',
    `/%${chance.below(99)}`,
    `//${bot}`,
  ])
  const headers = [
    `Host: ${chance.isHit(95) ? 'localhost' : chance.pick(VALUES)}`,
    `Content-Type: ${chance.pick(TYPES)}`,
    `Content-Length: ${chance.isHit(92) ? bytes.length : chance.pick([0, -1, bytes.length + 5, '+1', 1e21])}`,
    'Connection: close',
    ...Array.from({ length: chance.below(4) }, () => `${chance.pick(NAMES)}: ${chance.pick(VALUES)}`),
  ]
  const head = `${chance.pick(METHODS)} ${target} HTTP/1.${chance.isHit(95) ? 1 : 0}\r\n${headers.join('\r\n')}\r\n\r\n`
  const whole = Buffer.concat([Buffer.from(head), bytes])
  return chance.isHit(12) ? broken(whole, chance) : whole
}

function broken(bytes: Buffer, chance: Chance): Buffer {
  const at = chance.below(bytes.length)
  switch (chance.below(4)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([chance.below(256)]), bytes.subarray(at)])
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
    default:
      return Buffer.concat([bytes, bytes.subarray(at)])
  }
}

function someValue(chance: Chance, depth: number): unknown {
  const kind = depth > 4 ? chance.below(5) : depth === 0 ? 6 : chance.below(7)
  switch (kind) {
    case 0:
      return chance.pick([0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER])
    case 1:
      return chance.isHit(50)
    case 2:
      return null
    case 3:
    case 4:
      return chance.pick([
        'x',
        '',
        '@ann',
        'a\r\nQUIT',
        '\u0001ACTION\u0001',
        '☕'.repeat(100),
        '\u202e',
        '{body.text}',
        '\ud800',
        '#chan',
      ])
    case 5:
      return Array.from({ length: chance.below(5) }, () => someValue(chance, depth + 1))
    default:
      return Object.fromEntries(
        Array.from({ length: 1 + chance.below(5) }, () => [chance.pick(KEYS), someValue(chance, depth + 1)]),
      )
  }
}
