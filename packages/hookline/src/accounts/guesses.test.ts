// Guesses that come from many addresses at once, and an owner who must get in all the same.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { silent } from '../../test/log.ts'
import { rules as usual } from '../../test/rigs/accounts.ts'
import { finalMessages } from '../../test/scram.ts'
import { openInThread } from '../../test/storethread.ts'
import { openStore, type Store } from '../store/store.ts'
import { Accounts } from './accounts.ts'
import type { Client } from './login.ts'
import { compare } from './otherpasswords.ts'
import { hashPassword } from './passwords.ts'

const MINUTE = 60_000
const from = (n: number): Client => ({
  address: `198.51.${Math.floor(n / 250)}.${n % 250}`,
  certfp: undefined,
})
const home = from(9_999)
const PASSWORD = 'a kettle of tea'

async function house(t: TestContext) {
  const folder = newFolder()
  const store = await openStore(folder.path, { log: silent, opening: openInThread(folder.path) })
  t.after(async () => {
    await store.close()
    folder.remove()
  })
  const clock = { now: Date.UTC(2026, 10, 28) }
  const lines: object[] = []
  const log = { ...silent, info: (data: object, text: string) => void lines.push({ ...data, text }) }
  const open = () => accountsOn(store, clock, log)
  return { ...open(), open, store, clock, lines }
}

function accountsOn(store: Store, clock: { now: number }, log: typeof silent) {
  const followers = { made() {}, dropped() {}, suspended() {}, revoked() {} }
  const now = () => clock.now
  const accounts = new Accounts({
    store: store.accounts,
    places: store.records,
    rules: usual,
    followers,
    log,
    now,
    chatTime: now,
    elapsed: now,
    refusesName: () => undefined,
  })
  return { accounts, make: () => accounts.create({ name: 'Ann', password: PASSWORD, email: null }) }
}

/** How many of so many guesses, each from an address of its own and a second after the last, were looked at. */
async function looked(count: number, guess: (client: Client) => Promise<boolean>, clock: { now: number }) {
  let wrong = 0
  for (let n = 0; n < count; n++) {
    if (await guess(from(n))) wrong++
    clock.now += 1_000
  }
  return wrong
}

test('an account: of guesses from hundreds of addresses, ten an hour are looked at, also of one that is not there', async (t) => {
  const { accounts, make, clock } = await house(t)
  await make()
  for (const name of ['ann', 'nobody']) {
    const isWrong = async (client: Client) => {
      const verdict = await accounts.check(name, 'no', client)
      return !verdict.ok && verdict.reason === 'wrong'
    }
    const first = clock.now
    assert.equal(await looked(80, isWrong, clock), 4, name)
    assert.equal(await looked(3_500, isWrong, clock), 5, name)
    clock.now = first + 2 * 3_600_000
  }
})

test('guesses by SCRAM and by password count together', async (t) => {
  const { accounts, make, clock } = await house(t)
  await make()
  const byScram = async (client: Client) => {
    const exchange = accounts.exchange('SCRAM-SHA-256', client)
    const challenge = await exchange.step(Buffer.from('n,,n=ann,r=abc'))
    if (challenge.kind === 'settled') return false
    const { client: answer } = finalMessages('no', 'n=ann,r=abc', String(challenge.bytes))
    const end = await exchange.step(Buffer.from(answer))
    return end.kind === 'settled' && !end.verdict.ok && end.verdict.reason === 'wrong'
  }
  assert.equal(await looked(20, byScram, clock), 3)
  const next = await accounts.check('ann', PASSWORD, from(100))
  assert(!next.ok && next.reason === 'later')
})

test('of a thousand guesses at once from as many addresses, three are looked at, and no more are hashed', async (t) => {
  const { accounts, make, store } = await house(t)
  await make()
  const asked = { ...store.accounts }
  let reads = 0
  store.accounts.get = (key) => {
    reads++
    return asked.get(key)
  }
  const all = await Promise.all(Array.from({ length: 1_000 }, (_, n) => accounts.check('ann', 'no', from(n))))
  assert.equal(all.filter((each) => !each.ok && each.reason === 'wrong').length, 3)
  // One before the hash, and one for the line in the log.
  assert.ok(reads <= 6, `${reads} reads`)
})

test('the owner gets in from where they have been before, also after a restart, for 90 days', async (t) => {
  const { accounts, make, open, clock } = await house(t)
  await make()
  assert.equal((await accounts.check('ann', PASSWORD, home)).ok, true)
  const attack = (who: Accounts) =>
    looked(20, async (client) => (await who.check('ann', 'no', client)).ok, clock)
  await attack(accounts)
  assert.equal((await accounts.check('ann', PASSWORD, from(500))).ok, false, 'a new address has to wait')
  assert.equal((await accounts.check('ann', PASSWORD, home)).ok, true)

  const again = open().accounts
  await again.load()
  await attack(again)
  assert.equal((await again.check('ann', PASSWORD, home)).ok, true)
  // Three a minute, and no more: it is no door for guesses either.
  for (let i = 0; i < 3; i++) await again.check('ann', 'no', home)
  const late = await again.check('ann', PASSWORD, home)
  assert(!late.ok && late.text === 'too many attempts: try again in 60 s')
  clock.now += 91 * 86_400_000
  await attack(again)
  assert.equal((await again.check('ann', PASSWORD, home)).ok, false)
})

test('the owner gets in from anywhere with a token or a certificate, and is told so', async (t) => {
  const { accounts, make, clock } = await house(t)
  await make()
  const added = await accounts.addToken('ann', 'phone', null)
  assert(added.ok)
  await accounts.addCertificate('ann', 'ab'.repeat(32))
  await looked(100, async (client) => (await accounts.check('ann', 'no', client)).ok, clock)
  const refused = await accounts.check('ann', PASSWORD, from(500))
  assert(!refused.ok)
  assert.match(refused.text, /^too many attempts: try again in \d+ s, or use a token or a certificate$/)
  assert.equal((await accounts.check('ann', added.token, from(501))).ok, true)
  assert.equal((await accounts.check('ann', PASSWORD, from(501))).ok, true, 'and so that address is known')
  const certified = accounts.exchange('EXTERNAL', { ...from(502), certfp: 'ab'.repeat(32) })
  const step = await certified.step(Buffer.from(''))
  assert(step.kind === 'settled' && step.verdict.ok)
})

test('tokens that are wrong, such as revoked ones of many machines, make nobody else wait', async (t) => {
  const { accounts, make, clock } = await house(t)
  await make()
  const revoked = `hlt_${'a'.repeat(43)}`
  await looked(100, async (client) => (await accounts.check('ann', revoked, client)).ok, clock)
  assert.equal((await accounts.check('ann', PASSWORD, from(500))).ok, true)
})

test('what is known of an account ends with it', async (t) => {
  const { accounts, make, store } = await house(t)
  await make()
  await accounts.check('ann', PASSWORD, home)
  await store.accounts.all()
  assert.equal((await store.records.all('places')).length, 1)
  await accounts.drop('ann')
  assert.deepEqual(await store.records.all('places'), [])
})

test('eight addresses of an account are known: with a ninth the oldest is forgotten', async (t) => {
  const { accounts, make, store, clock } = await house(t)
  await make()
  for (let n = 0; n < 9; n++) {
    await accounts.check('ann', PASSWORD, from(n))
    clock.now += MINUTE
  }
  await store.accounts.all()
  const [row] = await store.records.all('places')
  assert.equal((JSON.parse(row?.json ?? '') as unknown[]).length, 8)
  await looked(20, async (client) => (await accounts.check('ann', 'no', client)).ok, clock)
  assert.equal((await accounts.check('ann', PASSWORD, from(0))).ok, false)
  assert.equal((await accounts.check('ann', PASSWORD, from(8))).ok, true)
})

test('an operator: ten guesses an hour from all addresses, and the one who has been one before gets in', async (t) => {
  const { accounts, clock } = await house(t)
  const hash = await hashPassword(PASSWORD, 4)
  assert(hash)
  const oper = (password: string, { address }: Client, name = 'root') =>
    compare(accounts.guesses, { at: `OPER ${name}`, kind: 'own', address, hash, password })
  assert.equal(await oper(PASSWORD, home), 'right')
  for (const name of ['root', 'nobody']) {
    const isLooked = async (client: Client) => (await oper('no', client, name)) === 'wrong'
    assert.equal(await looked(80, isLooked, clock), 4)
  }
  assert.equal(await oper(PASSWORD, from(500)), 'late')
  assert.equal(await oper(PASSWORD, home), 'right')
})

test('a password that everybody shares is counted for each address alone', async (t) => {
  const { accounts, clock } = await house(t)
  const hash = await hashPassword(PASSWORD, 4)
  assert(hash)
  const pass = (password: string, { address }: Client) =>
    compare(accounts.guesses, { at: 'PASS', kind: 'shared', address, hash, password })
  assert.equal(await looked(80, async (client) => (await pass('no', client)) === 'wrong', clock), 80)
  const once = Array.from({ length: 50 }, () => pass('no', { ...home, address: '127.0.0.1' }))
  assert.equal(
    (await Promise.all(once)).filter((each) => each === 'wrong').length,
    usual.failuresPerAddress + 1,
  )
  assert.equal(await pass(PASSWORD, from(500)), 'right')
})

test('each login that failed has its line in the log, with the name only if an account has it', async (t) => {
  const { accounts, make, lines, store } = await house(t)
  await make()
  await accounts.check('ann', 'no', home)
  await accounts.check('hunter2 may be a password', 'no', home)
  while (lines.length < 2) await store.accounts.all()
  const { address } = home
  const text = 'a login failed'
  assert.deepEqual(lines, [
    { account: 'Ann', address, text },
    { account: undefined, address, text },
  ])
})
