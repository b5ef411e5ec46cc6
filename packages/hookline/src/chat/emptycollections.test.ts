import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exclude, include, NO_ENTRIES, NO_MEMBERS, put, take } from './emptycollections.ts'

test('the shared empty map stays empty when somebody adds to theirs', () => {
  const ann = put(NO_ENTRIES as ReadonlyMap<string, number>, 'a', 1)
  const bob = put(NO_ENTRIES as ReadonlyMap<string, number>, 'b', 2)
  assert.deepEqual([[...ann], [...bob], NO_ENTRIES.size], [[['a', 1]], [['b', 2]], 0])
  assert.equal(put(ann, 'c', 3), ann, 'a map of its own is kept')
})

test('an emptied map is shared again', () => {
  const own = put(put(NO_ENTRIES as ReadonlyMap<string, number>, 'a', 1), 'b', 2)
  assert.equal(take(own, 'nothing'), own)
  assert.equal(take(own, 'a'), own)
  assert.equal(take(own, 'b'), NO_ENTRIES)
  assert.equal(take(NO_ENTRIES as ReadonlyMap<string, number>, 'a'), NO_ENTRIES)
})

test('empty sets are shared in the same way', () => {
  const own = include(include(NO_MEMBERS as ReadonlySet<string>, 'a'), 'b')
  assert.deepEqual([[...own], NO_MEMBERS.size], [['a', 'b'], 0])
  assert.equal(exclude(own, 'a'), own)
  assert.equal(exclude(own, 'b'), NO_MEMBERS)
  assert.equal(exclude(NO_MEMBERS as ReadonlySet<string>, 'b'), NO_MEMBERS)
})
