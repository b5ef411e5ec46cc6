import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { newFolder } from '../../../../test/folder.ts'
import { bareName, BLOCK, decodeHeader, encodeHeader, END, padding, readText, type TarEntry } from './tar.ts'

const part = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .map((each) => each.replaceAll(/[/\0]/g, '_'))
const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'))
const facts = {
  name,
  mode: fc.nat(0o777),
  modifiedAt: fc.nat(8 ** 11 - 1).map((seconds) => seconds * 1000),
}
const size = fc.oneof(fc.nat(), fc.maxSafeNat())
const entries: fc.Arbitrary<TarEntry> = fc.oneof(
  fc.record({ ...facts, type: fc.constant('file' as const), size }, { noNullPrototype: true }),
  fc.record(
    { ...facts, type: fc.constant('folder' as const), size: fc.constant(0) },
    { noNullPrototype: true },
  ),
  fc.record(
    { ...facts, type: fc.constant('link' as const), size: fc.constant(0), target: name },
    { noNullPrototype: true },
  ),
)

test('every header we write can be read, however long its names and however large its file', () => {
  fc.assert(fc.property(entries, (entry) => assert.deepEqual(decode(encodeHeader(entry)), entry)))
})

test('no changed block is read as a different one: one changed byte is damage, or the end', () => {
  fc.assert(
    fc.property(entries, fc.nat(BLOCK - 1), fc.integer({ min: 1, max: 255 }), (entry, at, by) => {
      const head = encodeHeader({
        ...entry,
        name: 'short',
        ...(entry.target === undefined ? {} : { target: 'x' }),
      })
      head[at] = (head[at] ?? 0) ^ by
      // The checksum's own field may be written in several ways.
      if (at < 148 || at >= 156) assert.throws(() => decodeHeader(head), /damaged/)
    }),
  )
  assert.equal(decodeHeader(END.subarray(0, BLOCK)), undefined)
})

test('tar reads it', () => {
  using folder = newFolder()
  const long = `${'folder/'.repeat(20)}☕.txt`
  const entry = { type: 'file', mode: 0o640, size: 5, modifiedAt: 1_700_000_000_000 } as const
  const text = Buffer.concat([Buffer.from('hello'), padding(5)])
  const whole = [
    { ...entry, name: 'a.txt' },
    { ...entry, name: long },
  ].flatMap((each) => [encodeHeader(each), text])
  writeFileSync(join(folder.path, 'x.tar'), Buffer.concat([...whole, END]))
  const { status, stderr } = spawnSync('tar', ['-xf', 'x.tar'], { cwd: folder.path, encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
  for (const each of ['a.txt', long]) assert.equal(readFileSync(join(folder.path, each), 'utf8'), 'hello')
})

/** As the reader of an archive puts long names together. */
function decode(bytes: Buffer): TarEntry | undefined {
  const long: { name?: string; target?: string } = {}
  for (let at = 0; at < bytes.length;) {
    const header = decodeHeader(bytes.subarray(at, at + BLOCK))
    at += BLOCK
    if (header === undefined || !('long' in header))
      return header && { ...header, ...long, name: bareName(long.name ?? header.name) }
    long[header.long] = readText(bytes, at, header.size)
    at += header.size + padding(header.size).length
  }
  return undefined
}
