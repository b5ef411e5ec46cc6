import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { silent as log } from '../../test/log.ts'
import { finalMessages } from '../../test/scram.ts'
import { openInThread } from '../../test/storethread.ts'
import { msWorked } from '../../test/worked.ts'
import { accountKey } from '../irc/names.ts'
import { openStore } from '../store/store.ts'
import { Accounts } from './accounts.ts'
import { type Client, keptOf, Logins } from './login.ts'
import { rules } from '../../test/rigs/accounts.ts'
import type { Step } from './sasl.ts'

const local = { address: '127.0.0.1', certfp: undefined }
const away = { address: '192.0.2.1', certfp: undefined }
const fingerprint = 'ab'.repeat(32)

async function house(t: TestContext) {
  const folder = newFolder()
  const store = await openStore(folder.path, { log, opening: openInThread(folder.path) })
  const reader = new DatabaseSync(join(folder.path, 'hookline.db'), { readOnly: true })
  const isOnDisk = (key: string) =>
    reader.prepare('SELECT 1 FROM accounts WHERE key = ?').get(key) !== undefined
  t.after(async () => {
    reader.close()
    await store.close()
    folder.remove()
  })
  const told: string[] = []
  const clock = { now: 1_000_000 }
  const accounts = new Accounts({
    store: store.accounts,
    places: store.records,
    rules,
    now: () => clock.now,
    chatTime: () => clock.now,
    elapsed: () => clock.now,
    log,
    refusesName: () => undefined,
    followers: {
      made: ({ name }) => told.push(`made ${name}${isOnDisk(accountKey(name)) ? '' : ' too early'}`),
      dropped: (key) => told.push(`dropped ${key}${isOnDisk(key) ? ' too early' : ''}`),
      suspended: (key) => told.push(`suspended ${key}`),
      revoked: (key, label) => told.push(`revoked ${key} ${label}`),
    },
  })
  return { accounts, told, clock, store }
}

const ann = { name: 'Ann', password: 'kettle', email: null }

test('an account is on disk before anybody is told of it, and only one of two who want it gets it', async (t) => {
  const { accounts, told, store } = await house(t)
  const both = await Promise.all([accounts.create(ann), accounts.create({ ...ann, name: 'ANN' })])
  assert.equal(both.filter(({ ok }) => ok).length, 1)
  assert.match(told.join(), /^made ann$/i)
  const row = await store.accounts.get('ann')
  assert.match(row?.password ?? '', /^\$argon2id\$v=19\$m=16,t=3,p=1\$/)
  assert.equal(JSON.stringify(row).includes('kettle'), false)
})

test('a store that refuses writes creates no account, lets nobody in, and says that this is temporary', async (t) => {
  const { accounts, told, store } = await house(t)
  await store.close()
  const made = await accounts.create(ann)
  assert(!made.ok && made.reason === 'later')
  assert.match(made.text, /temporarily unavailable/)
  const checked = await accounts.check('ann', 'kettle', local)
  assert(!checked.ok && checked.reason === 'later')
  // It does not count as their failure, however often they try.
  for (let i = 0; i < 6; i++) assert.deepEqual(await accounts.check('ann', 'kettle', away), checked)
  for (let i = 0; i < 6; i++)
    assert.deepEqual(await scram(accounts, 'ann', 'kettle', { client: away }), checked)
  assert.deepEqual(told, [])
})

test('the password is accepted, also when typed on another keyboard', async (t) => {
  const { accounts } = await house(t)
  await accounts.create({ ...ann, password: 'caf\u{e9}' })
  assert.deepEqual(await accounts.check('ANN', 'cafe\u{301}', local), { ok: true, account: 'Ann' })
  const wrong = await accounts.check('ann', 'cafe', local)
  assert.deepEqual(await accounts.check('bob', 'cafe', local), wrong)
})

test('an account without a password accepts only tokens, each until it expires or is revoked', async (t) => {
  const { accounts, clock, store } = await house(t)
  await accounts.create({ ...ann, password: null })
  assert.equal((await accounts.check('ann', '', local)).ok, false)
  const added = await accounts.addToken('ann', 'laptop', 60_000)
  assert(added.ok)
  const { token } = added
  assert.equal(JSON.stringify(await store.accounts.get('ann')).includes(token), false)
  assert.equal((await accounts.addToken('ann', 'laptop', null)).ok, false)
  assert.equal((await accounts.check('ann', token, local)).ok, true)
  assert.equal((await store.accounts.get('ann'))?.tokens[0]?.usedAt, clock.now)
  await accounts.create({ ...ann, name: 'bob' })
  assert.equal((await accounts.check('bob', token, local)).ok, false)
  clock.now += 60_000
  const late = await accounts.check('ann', token, local)
  assert(!late.ok && /expired/.test(late.text))
  assert.equal((await accounts.addToken('ann', 'laptop', null)).ok, true, 'the label is free again')
  assert.equal((await accounts.removeToken('ann', 'laptop')).ok, true)
  assert.equal((await accounts.removeToken('ann', 'laptop')).ok, false)
})

test('failures are limited per account and address, and per address in total, even of attempts at once', async (t) => {
  const { accounts, clock } = await house(t)
  await accounts.create(ann)
  assert.equal((await accounts.check('ann', 'kettle', local)).ok, true)
  const judged = async (names: readonly string[], client = away) => {
    const verdicts = await Promise.all(names.map((name) => accounts.check(name, 'no', client)))
    return verdicts.filter((each) => !each.ok && each.reason === 'wrong').length
  }
  assert.equal(await judged(['ann', 'ann', 'ann', 'ann']), 3)
  assert.equal(await judged(['bob', 'cy']), 1)
  assert.equal((await accounts.check('ann', 'kettle', away)).ok, false)
  assert.equal((await accounts.check('ann', 'kettle', local)).ok, true)
  assert.equal(await judged(['a', 'b', 'c', 'd', 'e', 'f'], local), 6)
  clock.now += 60_000
  assert.equal((await accounts.check('ann', 'kettle', away)).ok, true)
})

test('of guesses at once, those beyond the limit do not learn whether they were right', async (t) => {
  const { accounts } = await house(t)
  await accounts.create(ann)
  const passwords = [...Array.from({ length: 6 }, () => 'no'), 'kettle']
  for (const [i, guess] of [
    (password: string, client: Client) => accounts.check('ann', password, client),
    (password: string, client: Client) => scram(accounts, 'ann', password, { client }),
  ].entries()) {
    const client = { ...away, address: `198.51.100.${i}` }
    const all = await Promise.all(passwords.map((password) => guess(password, client)))
    const last = all.at(-1)
    assert(last?.ok === false && last.reason === 'later')
  }
})

test('however many log in to an account at once, all of them get in', async (t) => {
  const { accounts } = await house(t)
  await accounts.create(ann)
  const added = await accounts.addToken('ann', 'laptop', null)
  assert(added.ok)
  for (const logIn of [
    () => accounts.check('ann', 'kettle', away),
    () => accounts.check('ann', added.token, away),
    () => scram(accounts, 'ann', 'kettle', { client: away }),
  ]) {
    const verdicts = await Promise.all(Array.from({ length: 6 }, logIn))
    assert.deepEqual(
      verdicts.map((verdict) => verdict.ok || verdict.text),
      Array(6).fill(true),
    )
  }
})

test('failures from this machine, which have no limit in total, are not all remembered', async (t) => {
  const { store, clock } = await house(t)
  const elapsed = () => clock.now
  const logins = new Logins({
    store: store.accounts,
    places: store.records,
    rules: () => rules,
    now: elapsed,
    elapsed,
    log,
  })
  const ms = msWorked(() => {
    for (let i = 0; i < 20_000; i++)
      logins.conclude(`agent-${i}`, local, { ok: false, reason: 'wrong', text: '' })
  })
  // It took half a minute when each was compared with all before it.
  assert(ms < 5_000, `${ms} ms`)
})

test('an attempt refused because of its address does not count for the account', async (t) => {
  const { accounts, clock } = await house(t)
  await accounts.create(ann)
  for (const name of ['a', 'b', 'c', 'd']) await accounts.check(name, 'wrong', away)
  clock.now += 30_000
  for (let i = 0; i < 3; i++) assert.equal((await accounts.check('ann', 'kettle', away)).ok, false)
  clock.now += 30_001
  assert.equal((await accounts.check('ann', 'kettle', away)).ok, true)
})

test('successful logins do not count as failures of their address, and do not reset them', async (t) => {
  const { accounts } = await house(t)
  await accounts.create(ann)
  for (let i = 0; i < 3; i++) assert.equal((await accounts.check(`nobody${i}`, 'no', away)).ok, false)
  for (let i = 0; i < 3; i++) assert.equal((await accounts.check('ann', 'kettle', away)).ok, true)
  assert.equal((await scram(accounts, 'ann', 'kettle', { client: away })).ok, true)
  assert.equal((await accounts.check('nobody', 'no', away)).ok, false)
  const late = await accounts.check('ann', 'kettle', away)
  assert(!late.ok && late.reason === 'later')
})

test('the addresses of one subscriber line count as one', async (t) => {
  const { accounts } = await house(t)
  const from = (address: string) => accounts.check(`to${address}`, 'no', { address, certfp: undefined })
  for (const host of ['1', '2', '3', '4']) await from(`2001:db8::${host}`)
  const fifth = await from('2001:db8::5')
  assert(!fifth.ok && fifth.reason === 'later')
  const neighbour = await from('2001:db8:0:1::5')
  assert(!neighbour.ok && neighbour.reason === 'wrong')
})

test('new accounts are counted too, except from this machine', async (t) => {
  const { accounts } = await house(t)
  const make = (name: string, client = away) => accounts.create({ ...ann, name, password: null }, client)
  assert.equal((await make('a')).ok, true)
  assert.equal((await make('b')).ok, true)
  const third = await make('c')
  assert(!third.ok && third.reason === 'later' && /too many attempts/.test(third.text))
  assert.equal((await make('c', local)).ok, true)
})

test('an account that is not created after all is not counted', async (t) => {
  const { accounts } = await house(t)
  const make = async (name: string) => (await accounts.create({ ...ann, name, password: null }, away)).ok
  const both = await Promise.all([make('a'), make('A')])
  assert.equal(both.filter((isMade) => isMade).length, 1)
  assert.deepEqual([await make('b'), await make('c')], [true, false])
})

test('a suspended account cannot log in by any method until it is restored', async (t) => {
  const { accounts, told } = await house(t)
  await accounts.create(ann)
  await accounts.addCertificate('ann', fingerprint)
  await accounts.suspend('ann', { by: 'root', reason: 'spam' })
  const refused = await accounts.check('ann', 'kettle', local)
  assert(!refused.ok && refused.reason === 'suspended')
  // Only those who have the password learn it.
  const wrong = await accounts.check('ann', 'no', local)
  assert(!wrong.ok && wrong.reason === 'wrong')
  await accounts.restore('ann')
  assert.equal((await accounts.check('ann', 'kettle', local)).ok, true)
  assert.deepEqual(told, ['made Ann', 'suspended ann'])
})

test('a suspension with an end ends then, and one done again keeps the reason if no other is given', async (t) => {
  const { accounts, clock } = await house(t)
  await accounts.create(ann)
  const text = async () => {
    const verdict = await accounts.check('ann', 'kettle', local)
    return verdict.ok || verdict.text
  }
  const until = async (reason: string, durationMs?: number) => {
    const suspended = await accounts.suspend('ann', { by: 'root', reason, durationMs })
    return suspended.ok && suspended.until
  }
  const first = await until('spam', 86_400_000)
  assert.equal(first, clock.now + 86_400_000)
  assert.equal(await until(''), null)
  assert.equal(await until('more spam'), null)
  assert.equal(await text(), 'this account is suspended: more spam')
  assert.equal(await until('', 86_400_000), first)
  const end = new Date(first).toISOString().slice(0, 16).replace('T', ' ')
  assert.equal(await text(), `this account is suspended until ${end} UTC: more spam`)
  const later = await until('', 2 * 86_400_000)
  clock.now = first
  assert.match(String(await text()), /: more spam$/)
  assert.ok(later)
  clock.now = later
  assert.equal(await text(), true)
  const shown = await accounts.show('ann')
  assert.equal(shown.ok && shown.account.suspension, null)
  assert.equal(await until(''), null, 'what is over is not kept')
  assert.equal(await text(), 'this account is suspended')
})

test('EXTERNAL: a certificate logs in to the account that it was added to', async (t) => {
  const { accounts } = await house(t)
  await accounts.create(ann)
  const shown = fingerprint.toUpperCase().replaceAll(/..(?=.)/g, '$&:')
  assert.equal((await accounts.addCertificate('ann', shown)).ok, true)
  const ask = async (authzid: string, certfp: string | undefined) =>
    settled(await accounts.exchange('EXTERNAL', { address: '127.0.0.1', certfp }).step(Buffer.from(authzid)))
  assert.equal((await ask('', fingerprint)).ok, true)
  assert.equal((await ask('ANN', fingerprint)).ok, true)
  assert.equal((await ask('bob', fingerprint)).ok, false)
  assert.equal((await ask('', 'cd'.repeat(32))).ok, false)
  assert.equal((await ask('', undefined)).ok, false)
  await accounts.removeCertificate('ann', fingerprint)
  assert.equal((await ask('', fingerprint)).ok, false)
})

test('SCRAM-SHA-256: a correct proof logs in, a wrong one does not, and an unknown account looks the same', async (t) => {
  const { accounts } = await house(t)
  await accounts.create(ann)
  assert.deepEqual(await scram(accounts, 'ann', 'kettle'), { ok: true, account: 'Ann' })
  const device = await scram(accounts, 'ann@phone', 'kettle', { authzid: 'ann' })
  assert.deepEqual(device, { ok: true, account: 'Ann' })
  const wrong = await scram(accounts, 'ann', 'kettles')
  assert.equal(wrong.ok, false)
  assert.deepEqual(await scram(accounts, 'nobody', 'kettle'), wrong)
  assert.equal((await scram(accounts, 'ann', 'kettle', { authzid: 'bob' })).ok, false)
  const more = await scram(accounts, 'ann', 'kettle', { last: 'v=' })
  assert.equal(more.ok, false, 'the exchange ends with an empty message')
})

test('changes to an account during a login apply to that login', async (t) => {
  const { accounts, clock } = await house(t)
  await accounts.create(ann)
  const suspend = () => accounts.suspend('ann', { by: 'root', reason: '' })
  const drop = () => accounts.drop('ann')
  const suspended = await scram(accounts, 'ann', 'kettle', { meanwhile: suspend })
  assert(!suspended.ok && suspended.reason === 'suspended')
  await accounts.restore('ann')
  const [byPassword] = await Promise.all([accounts.check('ann', 'kettle', local), suspend()])
  assert(!byPassword.ok && byPassword.reason === 'suspended')
  await accounts.restore('ann')
  assert.equal((await scram(accounts, 'ann', 'kettle', { meanwhile: drop })).ok, false)
  await accounts.create(ann)
  // Or the next would be refused for being too many.
  clock.now += 60_000
  const remade = async () => {
    await drop()
    clock.now += 1
    await accounts.create({ ...ann, password: 'another' })
  }
  assert.equal((await scram(accounts, 'ann', 'kettle', { meanwhile: remade })).ok, false)
  const changed = () => accounts.setPassword('ann', 'a third')
  assert.equal((await scram(accounts, 'ann', 'another', { meanwhile: changed })).ok, false)
  clock.now += 60_000
  assert.equal((await scram(accounts, 'ann', 'a third')).ok, true)
})

test('a new password is not given to whoever took the name while it was hashed', async (t) => {
  const { accounts, clock, store } = await house(t)
  await accounts.create(ann)
  const asked = { ...store.accounts }
  store.accounts.change = async (change) => {
    await accounts.drop('ann')
    clock.now += 1
    await accounts.create({ ...ann, password: 'another' })
    return asked.change(change)
  }
  const changed = await accounts.setPassword('ann', 'of-the-former-owner')
  assert(!changed.ok && changed.reason === 'absent')
  assert.equal((await accounts.check('ann', 'of-the-former-owner', local)).ok, false)
  assert.equal((await accounts.check('ann', 'another', local)).ok, true)
})

test('a password is as right as it is when its check ends: not if changed meanwhile, and also if only renewed', async (t) => {
  const { accounts, store } = await house(t)
  await accounts.create(ann)
  const asked = { ...store.accounts }
  const whileChecked = (change: () => Promise<unknown>) => {
    let times = 0
    store.accounts.get = async (key) => {
      if (++times === 2) await change()
      return asked.get(key)
    }
    return accounts.check('ann', 'kettle', local)
  }
  accounts.rules = { ...rules, cost: 5 }
  const renewed = await whileChecked(async () => {
    const kept = await keptOf('kettle', accounts.rules)
    assert.equal(await asked.change({ key: 'ann', ...kept }), true)
  })
  assert.equal(renewed.ok, true)
  assert.equal((await whileChecked(() => accounts.setPassword('ann', 'another'))).ok, false)
})

test('a token logs in before its account is suspended, or not at all', async (t) => {
  const { accounts, told, store } = await house(t)
  await accounts.create({ ...ann, password: null })
  const added = await accounts.addToken('ann', 'laptop', null)
  assert(added.ok)
  const asked = { ...store.accounts }
  let suspending: Promise<unknown> | undefined
  store.accounts.get = async (key) => {
    const account = await asked.get(key)
    suspending ??= accounts.suspend('ann', { by: 'root', reason: 'spam' })
    return account
  }
  const verdict = await accounts.check('ann', added.token, local)
  told.push(verdict.ok ? 'logged in' : verdict.reason)
  await suspending
  assert.deepEqual(told, ['made Ann', 'logged in', 'suspended ann'])
})

test('an account has at most 50 tokens and 20 certificates', async (t) => {
  const { accounts } = await house(t)
  await accounts.create({ ...ann, password: null })
  for (let i = 0; i < 50; i++) assert.equal((await accounts.addToken('ann', `t${i}`, null)).ok, true)
  assert.equal((await accounts.addToken('ann', 'one-more', null)).ok, false)
  const hex = (i: number) => i.toString(16).padStart(64, '0')
  for (let i = 0; i < 20; i++) assert.equal((await accounts.addCertificate('ann', hex(i))).ok, true)
  assert.equal((await accounts.addCertificate('ann', hex(20))).ok, false)
})

for (const end of ['drop', 'suspend'] as const)
  test(`who has made an account is logged in to it when its ${end} is told, which ends that`, async (t) => {
    const { accounts, told, store } = await house(t)
    const asked = { ...store.accounts }
    let ending: Promise<unknown> | undefined
    // Both are asked of the disk at once, and answered at once.
    store.accounts.create = (row) => {
      const created = asked.create(row)
      ending = end === 'drop' ? accounts.drop('ann') : accounts.suspend('ann', { by: 'root', reason: 'spam' })
      return created
    }
    const made = await accounts.create(ann)
    told.push(made.ok ? 'logged in' : made.reason)
    await ending
    assert.deepEqual(told.slice(1), ['logged in', end === 'drop' ? 'dropped ann' : 'suspended ann'])
  })

test('a stored hash is brought up to the current format at the next login', async (t) => {
  const { accounts, store } = await house(t)
  accounts.rules = { ...rules, keepsScram: false }
  await accounts.create(ann)
  assert.equal((await store.accounts.get('ann'))?.scram, null)
  accounts.rules = { ...rules, cost: 5 }
  assert.equal((await accounts.check('ann', 'kettle', local)).ok, true)
  // It is renewed in parallel with the login.
  const deadline = Date.now() + 60_000
  while ((await store.accounts.get('ann'))?.scram === null)
    assert(Date.now() < deadline, 'it was not renewed')
  assert.match((await store.accounts.get('ann'))?.password ?? '', /m=32,/)
  assert.equal((await scram(accounts, 'ann', 'kettle')).ok, true)
})

test('nothing is left of a dropped account', async (t) => {
  const { accounts, told } = await house(t)
  await accounts.create(ann)
  const added = await accounts.addToken('ann', 'laptop', null)
  assert(added.ok)
  assert.equal((await accounts.drop('ann')).ok, true)
  assert.equal((await accounts.check('ann', added.token, local)).ok, false)
  assert.equal((await accounts.drop('ann')).ok, false)
  assert.deepEqual(told, ['made Ann', 'dropped ann'])
})

function settled(step: Step) {
  assert(step.kind === 'settled')
  return step.verdict
}

/** The client's half, as specified. */
async function scram(
  accounts: Accounts,
  name: string,
  password: string,
  {
    authzid = '',
    client = local,
    meanwhile,
    last = '',
  }: { authzid?: string; client?: Client; meanwhile?: () => Promise<unknown>; last?: string } = {},
) {
  const exchange = accounts.exchange('SCRAM-SHA-256', client)
  const header = authzid === '' ? 'n,,' : `n,a=${authzid},`
  const bare = `n=${name},r=abc`
  const first = await exchange.step(Buffer.from(header + bare))
  if (first.kind === 'settled') return first.verdict
  const channel = Buffer.from(header).toString('base64')
  const final = finalMessages(password, bare, Buffer.from(first.bytes).toString(), channel)
  const second = await exchange.step(Buffer.from(final.client))
  if (second.kind === 'settled') return second.verdict
  assert.equal(Buffer.from(second.bytes).toString(), final.server)
  await meanwhile?.()
  return settled(await exchange.step(Buffer.from(last)))
}
