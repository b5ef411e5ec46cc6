import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { useCasemapping } from '../irc/names.ts'
import { skeletonOf } from './skeleton.ts'

beforeEach(() => useCasemapping('rfc8265'))
afterEach(() => useCasemapping('ascii'))

test('look-alikes have the same skeleton', () => {
  const alike = [
    ['evan', 'еvan'],
    ['evan', 'Еvan'],
    ['paypal', 'раураl'],
    ['ann', 'аnn'],
    ['Nancy', 'Νancy'],
    ['nancy', 'Νancy'],
    ['Tim', 'ТІm'],
    ['Ḥans', 'Н\u0323ans'],
  ] as const
  for (const [plain, disguised] of alike) assert.equal(skeletonOf(plain), skeletonOf(disguised), disguised)
})

test('other texts do not, and no two ASCII texts look alike', () => {
  const apart = [
    ['e', 'é'],
    ['m', 'rn'],
    ['1an', 'lan'],
    ['isil', 'işıl'],
  ] as const
  for (const [one, other] of apart) assert.notEqual(skeletonOf(one), skeletonOf(other), other)
  assert.equal(skeletonOf('Constructor'), 'constructor')
  assert.equal(skeletonOf('__proto__é'), '__proto__é'.normalize('NFD'))
})
