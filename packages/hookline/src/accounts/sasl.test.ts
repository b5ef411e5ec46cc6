import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccountStore } from '../store/accountstore.ts'
import { Logins } from './login.ts'
import { logTo } from '../../test/log.ts'
import { rules as usual } from '../../test/rigs/accounts.ts'
import { beginExchange, MECHANISMS } from './sasl.ts'

const rules = () => ({ ...usual, failuresPerAccount: 1_000_000, failuresPerAddress: 1_000_000 })

const nobody = () => Promise.resolve(undefined)
const unused = () => Promise.reject(new Error('nothing is written here'))
/** With nobody in it. */
const store: AccountStore = {
  all: () => Promise.resolve([]),
  get: nobody,
  token: nobody,
  certificate: nobody,
  create: unused,
  change: unused,
  drop: unused,
  addToken: unused,
  removeToken: unused,
  tokenUsed: unused,
  addCertificate: unused,
  removeCertificate: unused,
}

const places = { all: () => Promise.resolve([]), save: () => Promise.resolve() }

const part = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('n,,', 'n=ann', ',r=abc', 'c=biws', ',p=', '\0', '=', 'y,,', 'a=x'),
)
const message = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.array(part, { maxLength: 6 }).map((parts) => new TextEncoder().encode(parts.join(''))),
)

test('no input throws, and nobody without an account gets in', async () => {
  const logins = new Logins({
    store,
    places,
    rules,
    now: () => 0,
    elapsed: () => 0,
    log: { ...logTo(assert.fail), info: () => {} },
  })
  const client = { address: '127.0.0.1', certfp: 'ab'.repeat(32) }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...MECHANISMS),
      fc.array(message, { minLength: 1, maxLength: 4 }),
      async (name, said) => {
        const exchange = beginExchange(name, client, logins)
        for (const each of said) {
          const step = await exchange.step(each)
          if (step.kind === 'challenge') continue
          assert.equal(step.verdict.ok, false)
          return
        }
      },
    ),
    { numRuns: 500 },
  )
})
