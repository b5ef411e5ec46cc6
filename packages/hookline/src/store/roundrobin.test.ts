import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurn } from './roundrobin.ts'

test('each kind of work runs until it has no more, without the others looking again meanwhile', () => {
  const left = { a: 0, b: 2, c: 1 }
  const done: string[] = []
  const kinds = (['a', 'b', 'c'] as const).map((kind) => (add: number) => {
    done.push(kind)
    left[kind] += add
    return left[kind]-- > 0
  })
  const step = inTurn(kinds)
  const round = (add: number) => {
    while (step(add));
    return done.splice(0).join('')
  }
  assert.equal(round(0), 'abbbcc')
  Object.assign(left, { a: 1, b: 0, c: 0 })
  assert.equal(round(0), 'aabc')
})
