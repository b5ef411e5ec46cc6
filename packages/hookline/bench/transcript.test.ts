import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transcript } from './transcript.ts'

test('lines are told once, however the bytes come', () => {
  const lines: string[] = []
  const transcript = new Transcript(100, (line) => lines.push(line))
  assert.ok(transcript.read(0, Buffer.from('one\r\ntw')))
  assert.ok(transcript.read(0, Buffer.from('one\r')))
  assert.ok(transcript.read(4, Buffer.from('\ntwo\r\nthree\r\n')))
  assert.ok(transcript.read(7, Buffer.from('o\r\nthree\r\n')))
  assert.deepEqual(lines, ['one\r\n', 'two\r\n', 'three\r\n'])
  assert.deepEqual(transcript.ends, [5, 10, 17])
})

test('a reader that was sent something else is found out', () => {
  const transcript = new Transcript(100, () => {})
  assert.ok(transcript.read(0, Buffer.from('one\r\ntwo\r\n')))
  assert.equal(transcript.read(0, Buffer.from('two\r\n')), false)
  assert.equal(transcript.read(5, Buffer.from('one\r\n')), false)
})

test('more than was ever said is an error', () => {
  assert.throws(() => new Transcript(4, () => {}).read(0, Buffer.from('one\r\n')), /more was sent/)
})
