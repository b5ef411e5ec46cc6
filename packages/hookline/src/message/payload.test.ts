import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { isRawNumber, parsePayload, PAYLOAD_MAX_DEPTH } from './payload.ts'
import { payloadOf } from '../../test/rigs/bots.ts'

function refusal(body: string | Uint8Array): string {
  const result = parsePayload(typeof body === 'string' ? Buffer.from(body) : body)
  return result.ok ? 'ok' : `${result.error}: ${result.detail}`
}

test('numbers keep the digits they were sent with', () => {
  for (const digits of [
    '9007199254740993',
    '1e400',
    '1.0',
    '1.50',
    '-0',
    '1E5',
    '123456789012345',
    '0.1',
    '-1',
    `${'7'.repeat(5000)}`,
  ]) {
    assert.equal(payloadOf(`{"n":[${digits}]}`).text, `{"n":[${digits}]}`)
  }
  const number = payloadOf('{"n":1.0}').value['n'] ?? null
  assert.ok(isRawNumber(number))
})

test('digits survive any nesting and any neighbours', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?([eE][+-]?\d{1,4})?$/)
  fc.assert(
    fc.property(fc.array(digits, { minLength: 1 }), fc.string(), (numbers, key) => {
      const text = `{"k":{${JSON.stringify(`k${key.toWellFormed()}`)}:[${numbers.join(',')}]}}`
      assert.equal(payloadOf(text).text, text)
    }),
  )
})

test('whatever JSON is sent comes back as the same JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const text = JSON.stringify(object)
      assert.deepEqual(JSON.parse(payloadOf(text).text), JSON.parse(text.toWellFormed()))
    }),
  )
})

test('a BOM and surrounding white space are accepted', () => {
  assert.equal(payloadOf('\ufeff \n{"a": 1}\n').text, '{"a":1}')
})

test('line breaks never reach the compact text', () => {
  assert.equal(payloadOf('{\r\n"a\\n":\n"x\\r\\ny"}').text, '{"a\\n":"x\\r\\ny"}')
})

test('names from the prototype are keys like any other', () => {
  const { text, value } = payloadOf('{"__proto__":{"x":1.0},"constructor":1,"toString":null}')
  assert.equal(text, '{"__proto__":{"x":1.0},"constructor":1,"toString":null}')
  assert.ok(Object.hasOwn(value, '__proto__'))
  assert.equal('x' in {}, false)
})

test('the last of repeated keys counts', () => {
  assert.equal(payloadOf('{"a":1.0,"a":2}').text, '{"a":2}')
})

test('a lone surrogate becomes U+FFFD, in keys too; a pair stays', () => {
  assert.equal(payloadOf('{"a":"x\\ud800y","\\udfff":1.0}').text, '{"a":"x\ufffdy","\ufffd":1.0}')
  assert.equal(payloadOf('{"a":"\\uDBFFx"}').text, '{"a":"\ufffdx"}')
  assert.equal(payloadOf('{"a":"\\ud83d\\ude00","b":"\\\\ud800"}').text, '{"a":"😀","b":"\\\\ud800"}')
})

test('invalid JSON is reported with its position', () => {
  const table = {
    '': 'it ends too early at line 1, column 1',
    '{': 'it ends too early at line 1, column 2',
    '{"a":1,}': 'a key in double quotes is missing at line 1, column 8',
    '{"a" 1}': 'a colon is missing at line 1, column 6',
    '{\n "a": [1 2]}': 'a comma or ] is missing at line 2, column 10',
    '{"a":1 "b"}': 'a comma or } is missing at line 1, column 8',
    '{"a":tru}': 'a value is missing at line 1, column 6',
    '{"a":01}': 'a value is missing at line 1, column 6',
    '{"a":1}x': 'something follows the end at line 1, column 8',
    '{"a":"\\x"}': 'an unknown escape at line 1, column 7',
    '{"a":"\n"}': 'a string contains a control character at line 1, column 7',
    '{"a":"b': 'a string is not closed at line 1, column 8',
    "{'a':1}": 'a key in double quotes is missing at line 1, column 2',
  }
  for (const [text, detail] of Object.entries(table)) assert.equal(refusal(text), `invalid JSON: ${detail}`)
  assert.equal(refusal(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])), 'invalid JSON: not UTF-8: byte 2')
  assert.equal(refusal(Buffer.from([0xe2, 0x82])), 'invalid JSON: not UTF-8: byte 2')
})

test('JSON that is not an object is reported by its kind', () => {
  for (const [text, kind] of [
    ['[]', 'an array'],
    ['"a"', 'a string'],
    ['1.0', 'a number'],
    ['null', 'null'],
    ['true', 'a boolean'],
  ]) {
    assert.equal(refusal(text ?? ''), `payload must be a JSON object: line 1, column 1: this is ${kind}`)
  }
})

test('nesting has a limit, and 500,000 arrays are refused', () => {
  const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}1.0${']'.repeat(depth - 1)}}`
  assert.equal(payloadOf(nested(PAYLOAD_MAX_DEPTH)).text, nested(PAYLOAD_MAX_DEPTH))
  assert.match(
    refusal(nested(PAYLOAD_MAX_DEPTH + 1)),
    /^invalid JSON: nested deeper than 512 levels at line 1, column 517$/,
  )
  const inText = { a: '{['.repeat(PAYLOAD_MAX_DEPTH), b: Array.from({ length: 600 }, () => [1]) }
  assert.equal(payloadOf(JSON.stringify(inText)).text, JSON.stringify(inText))
  assert.match(refusal('['.repeat(500_000)), /deeper than 512/)
  assert.match(refusal(nested(500_000)), /deeper than 512/)
})

test('no bytes make it throw, and every refusal is explained', () => {
  const near = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '1',
      '-',
      '.',
      'e',
      'a',
      'null',
      ' ',
      '\n',
      '\\ud800',
    ),
  )
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    near.map((pieces) => Buffer.from(pieces.join(''))),
    near.map((pieces) => Buffer.from(`{"a":${pieces.join('')}}`)),
  )
  fc.assert(
    fc.property(bodies, (body) => {
      const result = parsePayload(body)
      let valid = true
      try {
        JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
      } catch {
        valid = false
      }
      if (result.ok) assert.doesNotThrow(() => JSON.parse(result.payload.text))
      else assert.ok(result.detail.length > 0 && (result.error !== 'invalid JSON' || !valid))
      assert.ok(valid || !result.ok)
    }),
    { numRuns: 2000 },
  )
})

test('a value that may have lost digits is otherwise the same', () => {
  const { rough, value } = payloadOf('{"a":["x",1.0,{"b":null}],"__proto__":{"c":true}}')
  assert.deepEqual(rough['a'], ['x', 1, { b: null }])
  assert.deepEqual(Object.keys(rough), Object.keys(value))
  assert.deepEqual(payloadOf('{"\\ud800":"\\udfff"}').rough, { '\ufffd': '\ufffd' })
  const usual = payloadOf('{"n":12,"text":"1.0"}')
  assert.equal(usual.rough, usual.value, 'nothing is made twice where no digit can be lost')
})

test('a released payload can no longer be read', () => {
  const payload = payloadOf('{"a":1}')
  assert.equal(payload.text, '{"a":1}')
  payload.release()
  assert.throws(() => payload.value, /the payload was released/)
  assert.throws(() => payload.rough, /the payload was released/)
  assert.throws(() => payload.text, /the payload was released/)
})

test('hostile bodies of 5 MiB come to an end', () => {
  const size = 5 * 1024 * 1024
  for (const text of [
    `{"a":"${'\\'.repeat(size)}"}`,
    `{"a":"${'\\"'.repeat(size / 2)}"}`,
    `{"a":${'9'.repeat(size)}}`,
    '"'.repeat(size),
    '{"a":1.'.repeat(70),
  ]) {
    // Work that grows with the square would take hours.
    parsePayload(Buffer.from(text))
  }
})
