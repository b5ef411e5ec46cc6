import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { copyFile, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { StoreFailure } from './failure.ts'
import { packed } from './packing.ts'
import { delivery, message, newStores, outcome, row } from '../../test/rigs/store.ts'

test('messages are read back in order, and each id is kept once', async () => {
  await using home = newStores()
  const store = await home.open()
  for (let i = 0; i < 700; i++) store.remember(row({ id: `m${i}`, text: `line ${i}` }))
  store.remember(row({ id: 'm3', text: 'again' }))
  store.remember(row({ id: 'other', conversation: '#other' }))
  const rows = await store.history('#tea', 1000)
  assert.equal(rows.length, 700)
  assert.deepEqual(rows[3], row({ id: 'm3', text: 'line 3' }))
  assert.deepEqual(
    (await store.history('#tea', 2)).map(({ id }) => id),
    ['m698', 'm699'],
  )
})

test('history around a time begins next to it, with retracted messages and without those for a rank', async () => {
  await using home = newStores()
  const store = await home.open()
  for (let time = 1; time <= 6; time++) store.remember(row({ id: `m${time}`, time }))
  store.remember(row({ id: 'ops', time: 7, rank: '@' }))
  await store.redact('m4', { by: 'ann', time: 9, reason: null })
  const ids = async (beside: { before: number } | { after: number }) =>
    (await store.history('#tea', 2, beside)).map(({ id }) => id)
  assert.deepEqual(await ids({ before: 5 }), ['m3', 'm4'])
  assert.deepEqual(await ids({ after: 3 }), ['m4', 'm5'])
  assert.deepEqual(await ids({ after: 6 }), [])
  assert.deepEqual(await ids({ before: 1 }), [])
})

test('a promise resolves only once another connection can read the row', async () => {
  await using home = newStores()
  const store = await home.open()
  using reader = new DatabaseSync(home.file, { readOnly: true })
  const status = reader.prepare('SELECT status FROM deliveries WHERE id = ?')
  for (let i = 0; i < 20; i++) {
    await store.deliveries.begin(delivery({ id: `d-${i}` }))
    assert.equal(status.get(`d-${i}`)?.['status'], 'pending')
    await store.deliveries.finish([{ id: `d-${i}`, outcome: outcome() }])
    assert.equal(status.get(`d-${i}`)?.['status'], 'posted')
  }
  await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const id = `r-${i}`
      await store.deliveries.record(
        delivery({ id }),
        outcome({ history: [row({ id: `h-${i}`, delivery: id })] }),
      )
      assert.equal(status.get(id)?.['status'], 'posted')
      assert.equal(
        reader.prepare('SELECT delivery FROM history WHERE id = ?').get(`h-${i}`)?.['delivery'],
        id,
      )
    }),
  )
})

test('close writes everything queued, and only the owner can read the files', async () => {
  await using home = newStores()
  const store = await home.open()
  for (let i = 0; i < 1_500; i++) store.remember(row({ id: `m${i}` }))
  for (const name of await readdir(home.path)) {
    assert.equal((await stat(join(home.path, name))).mode & 0o077, 0, name)
  }
  assert.equal((await stat(home.path)).mode & 0o777, 0o700)
  await store.close()
  assert.equal(home.query('SELECT count(*) AS n FROM history')['n'], 1_500)
  assert.deepEqual((await readdir(home.path)).sort(), ['hookline.db', 'lock'])
  await assert.rejects(store.history('#tea', 1), { reason: 'closed' })
})

test('a repeated delivery is a duplicate once it has an outcome or is running, and a retry after it failed', async () => {
  await using home = newStores()
  const { deliveries } = await home.open()
  const same = { key: 'k1' }
  assert.deepEqual(await deliveries.begin(delivery({ id: 'd-1', ...same })), { kind: 'new' })
  const again = await deliveries.begin(delivery({ id: 'd-2', ...same }))
  assert.equal(again.kind === 'duplicate' && again.row.status, 'pending')
  await deliveries.finish([
    { id: 'd-1', outcome: outcome({ status: 'failed', error: 'it broke', text: null }) },
  ])
  assert.deepEqual(await deliveries.record(delivery({ id: 'd-3', ...same }), outcome()), {
    kind: 'retry',
    id: 'd-1',
  })
  assert.equal((await deliveries.get('d-1'))?.status, 'pending')
  assert.equal((await deliveries.get('d-1'))?.attempts, 2)
  assert.equal(await deliveries.get('d-3'), undefined)
  await deliveries.finish([{ id: 'd-1', outcome: outcome({ text: 'hello', channels: ['#tea'] }) }])
  const dup = await deliveries.record(delivery({ id: 'd-4', ...same }), outcome())
  assert.equal(dup.kind === 'duplicate' && dup.row.text, 'hello')
  for (const other of [{ bot: 'other' }, { body: Buffer.from('{"n":2}') }, { key: 'k2' }]) {
    const id = `d-${JSON.stringify(other)}`
    assert.deepEqual(await deliveries.begin(delivery({ id, ...same, ...other })), { kind: 'new' })
  }
})

test('a delivery from before packs is recognised: in other bytes, by their hash, or as received', async () => {
  await using home = newStores()
  const store = await home.open()
  const body = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, n) => ({ run: n }))))
  const same = { key: 'k', body }
  await store.deliveries.begin(delivery({ id: 'other', key: 'k', body: Buffer.from('{}') }))
  await store.deliveries.begin(delivery({ id: 'd-1', ...same }))
  await store.close()
  const stored = (change: string, ...values: (string | Uint8Array)[]) => {
    using db = new DatabaseSync(home.file)
    db.prepare(`UPDATE deliveries SET ${change} WHERE id = 'd-1'`).run(...values)
  }
  const isKnown = async () => {
    const again = await home.open()
    const { kind } = await again.deliveries.begin(delivery({ id: 'd-2', ...same }))
    await again.close()
    return kind === 'duplicate'
  }
  const otherBytes = brotliCompressSync(body)
  stored("pack = NULL, body = ?, body_coding = 'br', body_hash = ?", otherBytes, 'of other bytes')
  assert.ok(await isKnown())
  stored('body = NULL, body_hash = ?', hash('sha256', body, 'hex'))
  assert.ok(await isKnown())
  stored('body_hash = ?', hash('sha256', packed(body).bytes, 'base64url').slice(0, 22))
  assert.ok(await isKnown())
  stored('body_hash = ?', 'of other bytes')
  assert.ok(!(await isKnown()))
})

test('a body comes back byte for byte, and is compressed where possible', async () => {
  await using home = newStores()
  const { deliveries } = await home.open()
  const text = JSON.stringify(Array.from({ length: 500 }, (_, n) => ({ run: n, state: 'grün' })))
  const bodies = { small: Buffer.from('{"a":1}'), large: Buffer.from(text), noise: randomBytes(20_000) }
  for (const [id, body] of Object.entries(bodies)) {
    await deliveries.begin(delivery({ id, body: Buffer.from(body) }))
    assert.deepEqual(Buffer.from((await deliveries.get(id))?.body ?? []), body)
  }
  const stored = (id: string) =>
    home.query(`
      SELECT coding, length(bytes) AS bytes FROM delivery_packs
      WHERE id = (SELECT pack FROM deliveries WHERE id = '${id}')`)
  assert.deepEqual({ ...stored('small') }, { coding: null, bytes: 7 })
  assert.deepEqual({ ...stored('noise') }, { coding: null, bytes: 20_000 })
  const { coding, bytes } = stored('large')
  assert.equal(coding, 'br')
  assert.ok(Number(bytes) < text.length / 5, `${String(bytes)} of ${text.length} bytes`)
})

test('of two equal deliveries in one batch the first is new, the second a duplicate whose outcome is not written', async () => {
  await using home = newStores()
  const store = await home.open()
  const same = { key: 'k' }
  const record = (id: string) =>
    store.deliveries.record(delivery({ id, ...same }), outcome({ history: [row({ id })] }))
  const kinds = await Promise.all(['a', 'b', 'c'].map(record))
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['new', 'duplicate', 'duplicate'],
  )
  assert.deepEqual(
    (await store.history('#tea', 9)).map(({ id }) => id),
    ['a'],
  )
})

test('deliveries are listed newest last, by bot and by failure; those without an outcome are pending', async () => {
  await using home = newStores()
  const { deliveries } = await home.open()
  for (const [id, bot, status] of [
    ['d-1', 'a', 'posted'],
    ['d-2', 'b', 'failed'],
    ['d-3', 'a', 'failed'],
    ['d-4', 'a', 'skipped'],
  ] as const) {
    await deliveries.record(delivery({ id, bot }), outcome({ status, channels: ['#x', '#y'] }))
  }
  await deliveries.begin(delivery({ id: 'd-5', bot: 'a', body: Buffer.from('{"a":1}') }))
  const ids = async (query: { bot?: string; failed?: boolean; limit: number }) =>
    (await deliveries.list(query)).map(({ id }) => id)
  assert.deepEqual(await ids({ limit: 3 }), ['d-3', 'd-4', 'd-5'])
  assert.deepEqual(await ids({ bot: 'b', limit: 3 }), ['d-2'])
  assert.deepEqual(await ids({ failed: true, limit: 9 }), ['d-2', 'd-3'])
  assert.deepEqual(await ids({ bot: 'a', failed: true, limit: 9 }), ['d-3'])
  assert.deepEqual(
    (await deliveries.pending()).map(({ id, bot }) => [id, bot]),
    [['d-5', 'a']],
  )
  const read = await deliveries.get('d-5')
  assert.equal(Buffer.from(read?.body ?? []).toString(), '{"a":1}')
  assert.deepEqual((await deliveries.get('d-1'))?.channels, ['#x', '#y'])
  assert.equal((await deliveries.reopen('d-1'))?.status, 'pending')
  assert.equal(await deliveries.reopen('nothing'), undefined)
})

test('beyond 100 kept messages for a nick the oldest are dropped, and counted until the nick is told', async () => {
  await using home = newStores()
  const { kept } = await home.open()
  await kept.add(Array.from({ length: 103 }, (_, i) => message({ id: `k${i}` })))
  await kept.add([message({ id: 'other', nick: 'bob' })])
  const { messages, dropped } = await kept.of('amy')
  assert.equal(messages.length, 100)
  assert.deepEqual(messages[0], message({ id: 'k3' }))
  assert.equal(dropped, 3)
  await kept.done('amy', ['k3', 'k4'], 2)
  assert.equal((await kept.of('amy')).dropped, 1)
  // k0 was dropped, but had been delivered meanwhile.
  await kept.done('amy', ['k0'])
  assert.equal((await kept.of('amy')).dropped, 0)
  assert.equal((await kept.of('amy')).messages.length, 98)
  assert.equal((await kept.of('bob')).messages.length, 1)
})

test('bot.state survives a restart', async () => {
  await using home = newStores()
  const first = await home.open()
  assert.equal(await first.botState.load('a'), undefined)
  await first.botState.save('a', '{"n":1}')
  await first.botState.save('a', '{"n":2}')
  await first.close()
  const second = await home.open()
  assert.equal(await second.botState.load('a'), '{"n":2}')
})

test('a full disk refuses deliveries, keeps chat lines waiting in order, and recovers by itself', async () => {
  await using home = newStores()
  const log = memoryLog()
  const store = await home.open({ maxPages: 100, retryMs: 20, log })
  const big = randomBytes(15_000).toString('base64')
  let failure: unknown
  let filled = 0
  while (failure === undefined && filled < 100) {
    failure = await store.deliveries.begin(delivery({ id: `d-${filled++}`, body: Buffer.from(big) })).then(
      () => undefined,
      (error: unknown) => error,
    )
  }
  assert.ok(failure instanceof StoreFailure)
  assert.equal(failure.reason, 'full')
  const lines = Array.from({ length: 5 }, (_, i) => `m${i}`)
  for (const id of lines) store.remember(row({ id, text: big }))
  await assert.rejects(store.deliveries.begin(delivery({ id: 'late' })), { reason: 'full' })
  assert.deepEqual(await store.history('#tea', 99), [])
  assert.equal(await store.deliveries.get('late'), undefined)
  assert.equal(log.lines.filter(({ level }) => level === 'error').length, 1, 'once a minute')

  const recovered = log.next('the store works again')
  home.change('DELETE FROM delivery_packs')
  store.remember(row({ id: 'last', text: 'small' }))
  await recovered
  assert.deepEqual(
    (await store.history('#tea', 99)).map(({ id }) => id),
    [...lines, 'last'],
  )
  assert.deepEqual(await store.deliveries.begin(delivery({ id: 'after' })), { kind: 'new' })
})

test('beyond its bound the queue drops chat lines, logs it, and refuses deliveries as busy', async () => {
  await using home = newStores()
  const log = memoryLog()
  const store = await home.open({ maxJobs: 10, log })
  for (let i = 0; i < 15; i++) store.remember(row({ id: `m${i}` }))
  assert.equal(store.queued, 10)
  await assert.rejects(store.deliveries.begin(delivery({ id: 'd' })), { reason: 'busy' })
  assert.match(JSON.stringify(log.lines), /too many writes are waiting/)
  await store.close()
  assert.equal(home.query('SELECT count(*) AS n FROM history')['n'], 10)
})

test('a job that cannot be stored fails alone', async () => {
  await using home = newStores()
  const store = await home.open()
  const bad = { ...delivery({ id: 'bad' }), receivedAt: 'yesterday' as unknown as number }
  const [first, second, third] = await Promise.allSettled([
    store.deliveries.begin(delivery({ id: 'a' })),
    store.deliveries.begin(bad),
    store.deliveries.begin(delivery({ id: 'b' })),
  ])
  assert.equal(first?.status, 'fulfilled')
  assert.equal(second?.status === 'rejected' && (second.reason as StoreFailure).reason, 'job')
  assert.equal(third?.status, 'fulfilled')
})

test('a line that cannot be stored does not affect those around it', async () => {
  await using home = newStores()
  const log = memoryLog()
  const store = await home.open({ log })
  const ids = Array.from({ length: 70 }, (_, i) => `m${i}`)
  for (const id of ids) store.remember(row({ id, time: id === 'm40' ? ('noon' as unknown as number) : 1 }))
  const kept = await store.history('#tea', 99)
  assert.deepEqual(
    kept.map(({ id }) => id),
    ids.filter((id) => id !== 'm40'),
  )
  assert.match(JSON.stringify(log.lines), /a line could not be kept in the history/)
})

test('renaming a channel takes along the messages before it, and no later ones', async () => {
  await using home = newStores()
  const store = await home.open()
  for (let i = 0; i < 40; i++) store.remember(row({ id: `before-${i}` }))
  for (let i = 0; i < 40; i++)
    void store.deliveries.record(
      delivery({ id: `d-${i}` }),
      outcome({ history: [row({ id: `posted-${i}` })] }),
    )
  store.rename({ from: '#tea', to: '#milk', name: '#Milk' })
  store.remember(row({ id: 'after' }))
  assert.equal((await store.history('#milk', 99)).length, 80)
  assert.deepEqual(
    (await store.history('#tea', 99)).map(({ id }) => id),
    ['after'],
  )
})

test('a folder has one server, and the error names its pid', async () => {
  await using home = newStores()
  const first = await home.open()
  await assert.rejects(home.open(), new RegExp(`pid ${process.pid}\\): it may be stopping`))
  // Looking must not have broken the lock, for this process or another.
  await assert.rejects(home.open(), { reason: 'taken' })
  assert.throws(
    () => execFileSync(process.execPath, ['-e', `${lockIt}`, home.path], { stdio: 'pipe' }),
    /database is locked/,
  )
  await first.close()
  await (await home.open()).close()
})

test('a newer schema is refused', async () => {
  await using home = newStores()
  await (await home.open()).close()
  home.change('PRAGMA user_version = 99')
  await assert.rejects(home.open(), { reason: 'newer', message: /written by a newer hookline \(schema 99/ })
  assert.equal(home.query('PRAGMA user_version')['user_version'], 99)
})

test('a damaged file is noticed, however the store was closed, and stays as it was found', async () => {
  await using home = newStores()
  const store = await home.open()
  for (let i = 0; i < 2_000; i++) store.remember(row({ id: `m${i}`, text: 'x'.repeat(200) }))
  await store.close()
  const file = await open(home.file, 'r+')
  await file.write(Buffer.alloc(4096 * 4, 7), 0, 4096 * 4, 4096 * 40)
  await file.close()
  const before = await readFile(home.file)
  await assert.rejects(home.open(), {
    reason: 'damaged',
    message: /hookline\.db is damaged \(Tree \d+ page \d+: /,
  })
  await writeFile(join(home.path, 'lock.pid'), '1\n')
  await assert.rejects(home.open(), { reason: 'damaged' })
  assert.ok(before.equals(await readFile(home.file)))
})

test('while the file is moved away, nothing more is accepted that would be lost with it', async () => {
  await using home = newStores()
  const store = await home.open({ retryMs: 10 })
  await store.deliveries.begin(delivery({ id: 'd-first' }))
  for (const name of ['hookline.db', 'hookline.db-wal']) {
    const [file, aside] = [join(home.path, name), join(home.path, 'aside')]
    await rename(file, aside)
    if (name === 'hookline.db') await copyFile(aside, file)
    const refused: unknown = await store.deliveries.begin(delivery({ id: name })).catch((error) => error)
    assert.ok(refused instanceof StoreFailure)
    assert.equal(refused.reason, 'broken')
    assert.match(
      refused.message,
      /hookline\.db, or its -wal, was moved or replaced while the server had it open/,
    )
    store.remember(row({ id: `said ${name}` }))
    await rename(aside, file)
    assert.deepEqual(await store.deliveries.begin(delivery({ id: name })), { kind: 'new' })
  }
  assert.deepEqual(
    (await store.history('#tea', 9)).map(({ id }) => id),
    ['said hookline.db', 'said hookline.db-wal'],
  )
})

const lockIt = `
  const { DatabaseSync } = require('node:sqlite')
  new DatabaseSync(require('node:path').join(process.argv[1], 'lock'), { timeout: 0 }).exec('BEGIN EXCLUSIVE')`

function memoryLog() {
  const lines: { level: string; data: object; text: string }[] = []
  const waiting = new Map<string, () => void>()
  const write = (level: string) => (data: object, text: string) => {
    lines.push({ level, data, text })
    waiting.get(text)?.()
  }
  return {
    lines,
    next: (text: string) => new Promise<void>((resolve) => waiting.set(text, resolve)),
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  }
}

test('a delivery never ends before it came, though the clock was set back meanwhile', async () => {
  await using home = newStores()
  const store = await home.open()
  await store.deliveries.record(delivery({ id: 'd1', receivedAt: 9_000 }), outcome({ finishedAt: 2_000 }))
  await store.deliveries.begin(delivery({ id: 'd2', receivedAt: 9_000 }))
  assert.equal((await store.deliveries.get('d2'))?.finishedAt, null)
  await store.deliveries.finish([{ id: 'd2', outcome: outcome({ finishedAt: 2_000 }) }])
  const ended = (await store.deliveries.list({ limit: 9 })).map(({ finishedAt }) => finishedAt)
  assert.deepEqual(ended, [9_000, 9_000])
})
