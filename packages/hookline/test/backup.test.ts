// `server backup` while chat and deliveries go on, and `server restore`: what was acknowledged before is there after, in a new home.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { performOnFiles } from '../src/cli/files.ts'
import { ArchiveWriter, MANIFEST, readArchive } from '../src/commands/server/backup/archive.ts'
import { packBackup } from '../src/commands/server/backup/pack.ts'
import type { Answer } from '../src/control/failure.ts'
import { loadCommand } from '../src/commands/list.ts'
import { findHome, type Home } from '../src/home/home.ts'
import { takeLock } from '../src/store/lock.ts'
import { hookline, hooklineBy, inShell, startCommand } from './command.ts'
import { cannotMount, mounting } from './mounts.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig, temporaryHome, UNLIMITED } from './rig.ts'
import { rowsOf } from './upgrade/dump.ts'

const BOT =
  'bot: {name: spark-ori-ci, owner: spark-ori}\noutput: {channels: ["#tea"], template: "{body.text}"}\n'

test('a backup under load contains everything from before it, and restores into a new home that starts and serves', async (t) => {
  const home = someHome(t)
  const file = join(home.folder, 'backups', 'first.tar')
  mkdirSync(join(home.folder, 'backups'))
  const before: string[] = []
  const during: string[] = []
  {
    await using server = await startCommand(home)
    using ann = await Person.join(server.ircPort, 'ann', { caps: 'echo-message' })
    ann.type('JOIN #tea')
    for (let i = 0; i < 300; i++) {
      ann.type(`PRIVMSG #tea :said ${i}`)
      await ann.until(new RegExp(` :said ${i}$`))
      if (i % 3 === 0)
        assert.equal((await post(`${server.url}/spark-ori-ci`, { text: `post ${i}` })).status, 200)
      before.push(`said ${i}`, ...(i % 3 === 0 ? [`post ${i}`] : []))
    }
    // Meanwhile people keep speaking and senders keep sending.

    const backup = hookline(home, 'server', 'backup', file)
    let isMade = false
    void backup.then(() => (isMade = true))
    for (let i = 0; !isMade; i++) {
      ann.type(`PRIVMSG #tea :meanwhile ${i}`)
      await ann.until(new RegExp(` :meanwhile ${i}$`))
      assert.equal((await post(`${server.url}/spark-ori-ci`, { text: `meanwhile ${i}` })).status, 200)
      during.push(`meanwhile ${i}`)
    }
    const { code, stderr, stdout } = await backup
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^wrote .*first\.tar \([\d.]+ [KM]iB\)\n$/)
    // The second began when the first was done, and the backup was not.
    assert.ok(during.length > 1, 'nothing happened meanwhile')
  }
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(home.folder, 'backups')), ['first.tar'])

  const other = temporaryHome(t)
  const { code, stderr, stdout } = await hookline(other, 'server', 'restore', file)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^restored .*first\.tar, made 20\S+Z by spark\n$/)
  // Each row is one of the original, and those from before are all there.
  const [original, restored] = [home, other].map(readRows)
  const kept = restored?.['history']?.map(({ text }) => String(text)) ?? []
  assert.deepEqual(kept.slice(0, before.length), before)
  for (const table of ['history', 'deliveries']) {
    const known = new Map(original?.[table]?.map((row) => [row['id'], row]))
    for (const row of restored?.[table] ?? []) assert.deepEqual(row, known.get(row['id']))
  }
  expectSameFiles(home, other)

  await using server = await startCommand(other)
  assert.equal((await post(`${server.url}/spark-ori-ci`, { text: 'after all' })).status, 200)
  const said = await hookline(other, 'history', '#tea', '--limit', '1')
  assert.match(said.stdout, /after all/)
})

test('a backup of a stopped server restores with identical rows; with --force also over existing data', async (t) => {
  const home = someHome(t)
  await fill(home)
  const file = join(home.folder, '..', `${String(process.pid)}-stopped.tar`)
  t.after(() => rmSync(file, { force: true }))
  await backUp(home, file)
  const rows = readRows(home)

  const other = someHome(t)
  await fill(other)
  writeFileSync(join(other.folder, 'server.yaml'), 'server: {name: elsewhere}\n')
  const refused = await hookline(other, 'server', 'restore', file)
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /^error: there are already files here: .*server\.yaml.*\nhint: with --force it is moved aside/,
  )
  assert.match(readFileSync(join(other.folder, 'server.yaml'), 'utf8'), /elsewhere/)
  const trash = join(other.folder, 'trash')
  writeFileSync(trash, '')
  const unmoved = await hookline(other, 'server', 'restore', file, '--force')
  assert.match(
    unmoved.stderr,
    /was not restored, and nothing has changed: ENOTDIR: .*\nhint: .* move it away/,
  )
  await fill(other)
  rmSync(trash)

  const restored = await hookline(other, 'server', 'restore', file, '--force', '--json')
  assert.equal(restored.code, 0, restored.stderr)
  const { moved_to: aside } = JSON.parse(restored.stdout) as { moved_to: string }
  assert.match(readFileSync(join(aside, 'server.yaml'), 'utf8'), /elsewhere/)
  assert.ok(existsSync(join(aside, 'data', 'hookline.db')))
  assert.deepEqual(readRows(other), rows)
  expectSameFiles(home, other)
  assert.deepEqual(
    readdirSync(other.folder).filter((name) => name.startsWith('.')),
    [],
  )
})

test('with data_dir the database goes where the settings say, even if that is the default of the first home', async (t) => {
  for (const isDefault of [false, true]) {
    const home = someHome(t)
    const named = isDefault ? home.data : join(temporaryHome(t).folder, 'db')
    writeFileSync(home.config, `data_dir: ${named}\nlogging: {level: error}\n`)
    await fill(home)
    const rows = readRows({ ...home, data: named })
    const file = join(home.folder, 'b.tar')
    await backUp(home, file)
    rmSync(named, { recursive: true })
    const other = temporaryHome(t)
    await restore(other, file)
    assert.ok(!existsSync(other.data))
    assert.deepEqual(readRows({ ...other, data: named }), rows)
  }
})

test('while the settings are invalid no backup is made: they do not say where the database is', async (t) => {
  const home = someHome(t)
  appendFileSync(home.config, '\nloging: {}\n')
  const { code, stderr } = await hookline(home, 'server', 'backup', join(home.folder, 'c.tar'))
  assert.match(
    stderr,
    /^error: no backup was made: the settings are invalid, .*\n {2}.*server\.yaml:\d+:1 loging: unknown key: did you mean logging\?\n/,
  )
  assert.equal(code, 1)
})

test('where the database cannot go, as on another machine, a restore says so and changes nothing', async (t) => {
  for (const isDefault of [false, true]) {
    const home = someHome(t)
    const other = temporaryHome(t)
    const place = isDefault ? other.data : join(temporaryHome(t).folder, 'place')
    writeFileSync(home.config, isDefault ? '' : `data_dir: ${place}/db\nlogging: {level: error}\n`)
    await fill(home)
    const file = join(home.folder, 'b.tar')
    await backUp(home, file)
    rmSync(place, { recursive: true, force: true })
    writeFileSync(place, '')
    const before = readdirSync(other.folder)
    assert.match(
      await refusal(other, file),
      /and nothing has changed: ENOTDIR: .*\nhint: a file is in place of a folder: /,
    )
    rmSync(place)
    symlinkSync('nowhere', place)
    assert.match(
      await refusal(other, file),
      /and nothing has changed: ENOENT: .*\nhint: it was removed, or is a link /,
    )
    assert.deepEqual(readdirSync(other.folder).toSorted(), [...before, 'bots.lock'].toSorted())
  }
})

test('a database folder may be anywhere in the home, or hold foreign files: a backup has the database once, and restores over it', async (t) => {
  const shared = temporaryHome(t).folder
  writeFileSync(join(shared, 'letter.txt'), 'dear ann')
  for (const folder of ['deep/down', '.', shared]) {
    const home = someHome(t)
    const data = resolve(home.folder, folder)
    writeFileSync(home.config, `data_dir: ${data}/\nlogging: {level: error}\n`)
    for (const rotated of ['1', '2.gz']) writeFileSync(`${home.logFile}.${rotated}`, 'an older log')
    await fill(home)
    const rows = readRows({ ...home, data })
    const file = join(home.folder, 'b.tar')
    await backUp(home, file)
    const inside = spawnSync('tar', ['-tf', file], { encoding: 'utf8' }).stdout.split('\n')
    assert.deepEqual(
      inside.filter((name) => /hookline\.db|lock|\.log/.test(name)),
      ['data/hookline.db'],
    )
    await restore(home, file, { force: true })
    assert.deepEqual(readRows({ ...home, data }), rows)
  }
  assert.equal(readFileSync(join(shared, 'letter.txt'), 'utf8'), 'dear ann')
})

test('a database in a home that is reached through a link is in a backup once, and restored over', async (t) => {
  const home = someHome(t)
  const link = join(temporaryHome(t).folder, 'link')
  symlinkSync(home.folder, link)
  const linked = findHome({ HOOKLINE_HOME: link })
  const data = join(home.folder, 'deep')
  writeFileSync(home.config, `data_dir: ${data}\nlogging: {level: error}\n`)
  await fill(linked)
  const rows = readRows({ ...home, data })
  const file = join(home.folder, 'b.tar')
  await backUp(linked, file)
  const inside = spawnSync('tar', ['-tf', file], { encoding: 'utf8' }).stdout.split('\n')
  assert.deepEqual(
    inside.filter((name) => /hookline\.db|lock/.test(name)),
    ['data/hookline.db'],
  )
  await restore(linked, file, { force: true })
  assert.deepEqual(readRows({ ...home, data }), rows)
})

test('a disk that has become read-only can be backed up', { skip: cannotMount }, async (t) => {
  const home = someHome(t)
  await fill(home)
  const file = join(temporaryHome(t).folder, 'b.tar')
  const readOnly =
    'mount --bind "$HOOKLINE_HOME" "$HOOKLINE_HOME" && mount -o remount,ro,bind "$HOOKLINE_HOME"'
  const by = mounting(`${readOnly} && exec "$@"`)
  const { code, stderr } = await hooklineBy(by, home, 'server', 'backup', file)
  assert.equal(code, 0, stderr)
  const other = temporaryHome(t)
  await restore(other, file)
  assert.deepEqual(readRows(other), readRows(home))
})

test('a restore that finds no room, or no file, does not blame the backup', async (t) => {
  const home = someHome(t)
  const backup = join(temporaryHome(t).folder, 'good.tar')
  await backUp(home, backup)
  const target = temporaryHome(t)
  // No file may have more than 512 bytes, as on a disk that is almost full.
  const small = inShell('ulimit -f 1; NODE_DISABLE_COMPILE_CACHE=1 exec "$@"')
  const full = await hooklineBy(small, target, 'server', 'restore', backup)
  assert.match(full.stderr, /nothing has changed: EFBIG: .*\nhint: check that the disk has room /)
  assert.match(
    await refusal(target, target.folder),
    /nothing has changed: EISDIR: .*\nhint: name a file that you may read, /,
  )
  assert.deepEqual([full.code, readdirSync(target.folder)], [2, ['bots', 'bots.lock']])
})

test('no backup replaces a file, and a failed one leaves nothing behind', async (t) => {
  const home = someHome(t)
  const file = join(home.folder, 'mine.txt')
  writeFileSync(file, 'mine')
  const refused = await hookline(home, 'server', 'backup', file)
  assert.deepEqual([refused.code, readFileSync(file, 'utf8')], [1, 'mine'])
  assert.match(refused.stderr, /already exists\nhint: name a file that does not exist yet/)
  const nowhere = await hookline(home, 'server', 'backup', join(home.folder, 'no', 'such', 'folder.tar'))
  assert.equal(nowhere.code, 2)
  assert.match(nowhere.stderr, /^error: no backup was made: .*\nhint: /)
  const endless = await hookline(home, 'server', 'backup', join(home.folder, 'b'.repeat(300)))
  assert.equal(endless.code, 2)
  assert.match(endless.stderr, /^error: server backup: ENAMETOOLONG: .*\nhint: use a shorter name\n/)

  // A damaged database is not backed up.
  mkdirSync(home.data)
  writeFileSync(join(home.data, 'hookline.db'), 'this is no database, and has been none for a long time')
  const damaged = await hookline(home, 'server', 'backup', join(home.folder, 'b.tar'))
  assert.equal(damaged.code, 2)
  assert.match(damaged.stderr, /no backup was made: file is not a database\nhint: restore a backup: /)
  assert.deepEqual(readdirSync(home.folder).toSorted(), [
    'bots',
    'data',
    'mine.txt',
    'secret.key',
    'server.yaml',
  ])
})

test('of two simultaneous backups to one file the first is whole, and the other is refused because it exists', async (t) => {
  const home = someHome(t)
  await fill(home)
  const file = join(home.folder, 'b.tar')
  const both = await Promise.all([1, 2].map(() => hookline(home, 'server', 'backup', file)))
  assert.equal(both.filter(({ code }) => code === 0).length, 1)
  assert.match(both.map(({ stderr }) => stderr).join(''), /^error: \S+ already exists\nhint: name a file/)
})

test('what a killed backup left beside it is removed by the next one, and what another is making is not', async (t) => {
  const home = someHome(t)
  const [left, busy] = ['monday.tar.partial-aBc123', 'tuesday.tar.partial-xYz789'].map((name) => {
    const scratch = join(home.folder, name)
    mkdirSync(scratch)
    for (const file of ['hookline.db', 'lock']) writeFileSync(join(scratch, file), '')
    return scratch
  }) as [string, string]
  const lock = takeLock(join(busy, 'lock'), 0)
  assert.ok(lock)
  await backUp(home, join(home.folder, 'wednesday.tar'))
  assert.deepEqual([left, busy].map(existsSync), [false, true])
  lock.release()
})

test(
  "another user's scratch folder is left alone: its lock may be a link to any file of ours",
  { skip: process.getuid?.() !== 0 && 'needs root, to make a folder of another user' },
  async (t) => {
    const home = someHome(t)
    const [scratch, ours] = [join(home.folder, 'b.tar.partial-aBc123'), join(home.folder, 'ours.txt')]
    writeFileSync(ours, '')
    chmodSync(ours, 0o644)
    mkdirSync(scratch)
    symlinkSync(ours, join(scratch, 'lock'))
    chownSync(scratch, 12_345, 12_345)
    await backUp(home, join(home.folder, 'c.tar'))
    assert.equal(statSync(ours).mode & 0o777, 0o644)
    assert.ok(existsSync(scratch))
  },
)

test('a backup whose caller goes away is aborted, and leaves nothing behind', async (t) => {
  const home = someHome(t)
  await fill(home)
  const gone = new AbortController()
  const order = { home, dataDir: null, server: null, file: join(home.folder, 'b.tar') }
  const made = packBackup(order, gone.signal)
  gone.abort()
  await assert.rejects(made, { name: 'AbortError' })
  assert.deepEqual(
    readdirSync(home.folder).filter((name) => name.startsWith('b.tar')),
    [],
  )
})

test('a file that vanishes while a backup is made is left out of it', async (t) => {
  const home = someHome(t)
  const [large, passing] = [join(home.folder, 'a-large'), join(home.folder, 'b-passing')]
  writeFileSync(large, '')
  truncateSync(large, 256 * 1024 * 1024)
  writeFileSync(passing, '')
  const file = join(home.folder, 'b.tar')
  const order = { home, dataDir: null, server: null, file }
  const made = packBackup(order, t.signal)
  const [scratch = ''] = readdirSync(home.folder).filter((name) => name.startsWith('b.tar'))
  // Once a content is written, everything has been listed.
  const written = () =>
    statSync(join(home.folder, scratch, 'backup.tar'), { throwIfNoEntry: false })?.size ?? 0
  while (written() < 1024 * 1024) await setImmediate()
  rmSync(passing)
  await made
  const entries: string[] = []
  for (const { entry, content } of readArchive(file)) {
    for (const _ of content);
    entries.push(entry.name)
  }
  assert.ok(entries.includes('a-large') && !entries.includes('b-passing'), entries.join())
})

test('a file whose name cannot be written into a backup is named, and no backup is made', async (t) => {
  const home = someHome(t)
  writeFileSync(Buffer.concat([Buffer.from(`${home.bots}/caf`), Buffer.of(0xe9)]), '')
  const { code, stderr } = await hookline(home, 'server', 'backup', join(home.folder, 'b.tar'))
  assert.match(
    stderr,
    /^error: no backup was made: the name of .*\/bots\/caf\ufffd is not UTF-8: rename it\nhint: when that is mended, /,
  )
  assert.equal(code, 2)
})

// Root without the right to read what belongs to others.
const AS_OTHERS = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search']
const canBeAsOthers = spawnSync('setpriv', [...AS_OTHERS.slice(1), 'true']).status === 0

test(
  'a file of the home that may not be read is named, and the hint is not about the backup',
  { skip: !canBeAsOthers && 'needs root and setpriv' },
  async (t) => {
    const home = someHome(t)
    const key = join(home.folder, 'secret.key')
    chmodSync(key, 0o600)
    chownSync(key, 12_345, 12_345)
    const file = join(home.folder, 'b.tar')
    const { code, stderr } = await hooklineBy(AS_OTHERS, home, 'server', 'backup', file)
    assert.match(stderr, /^error: no backup was made: EACCES: .*\/secret\.key'\nhint: when that is mended, /)
    assert.equal(code, 2)
  },
)

test('anything but a complete backup is refused, and the home stays as it is', async (t) => {
  const home = someHome(t)
  await fill(home)
  const folder = temporaryHome(t).folder
  const good = join(folder, 'good.tar')
  await backUp(home, good)
  const bytes = readFileSync(good)
  const bad = join(folder, 'bad.tar')
  const flipped = Buffer.from(bytes)
  const at = flipped.indexOf('post 1')
  flipped.write('POST 1', at)
  const cases: readonly (readonly [string, Buffer, RegExp])[] = [
    ['empty', Buffer.alloc(0), /it ends too early/],
    ['cut', bytes.subarray(0, bytes.length - 20_000), /it ends too early/],
    [
      'cut at an entry, and ended',
      Buffer.concat([bytes.subarray(0, 1024), Buffer.alloc(1024)]),
      /no checksums at its end/,
    ],
    ['one text changed', flipped, /it is damaged: its checksums do not match/],
    ['something else', Buffer.alloc(10_240, 'x'), /damaged, or no/],
    ['another tar', tarOf(folder, 'elsewhere.txt'), /it is not a hookline backup/],
    ['out of the folder', tarOf(folder, '../evil.txt'), /a name in it points outside the home folder/],
  ]
  for (const [what, content, reason] of cases) {
    writeFileSync(bad, content)
    const target = temporaryHome(t)
    const said = await refusal(target, bad)
    assert.match(said, reason, what)
    assert.match(said, /nothing has changed/)
    assert.deepEqual(readdirSync(target.folder), ['bots', 'bots.lock'], what)
  }
  assert.ok(!existsSync(join(folder, '..', 'evil.txt')))
})

test('a bots folder and a server.yaml that are links are in a backup, with all that they lead to', async (t) => {
  const home = someHome(t)
  const before = filesOf(home)
  const elsewhere = join(temporaryHome(t).folder, 'checkout')
  mkdirSync(elsewhere)
  for (const name of ['bots', 'server.yaml']) {
    renameSync(join(home.folder, name), join(elsewhere, name))
    symlinkSync(join(elsewhere, name), join(home.folder, name))
  }
  const file = join(home.folder, 'b.tar')
  await backUp(home, file)

  // As on another machine, where it leads nowhere.
  rmSync(elsewhere, { recursive: true })
  const other = temporaryHome(t)
  await restore(other, file)
  assert.deepEqual(filesOf(other), before)
})

test('nothing in a backup is written through a link that it contains', async (t) => {
  for (const through of ['file', 'folder', 'link'] as const) {
    const { folder } = temporaryHome(t)
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere)
    const bad = join(folder, 'bad.tar')
    const facts = { mode: 0o700, size: 0, modifiedAt: 0 }
    const archive = new ArchiveWriter(bad)
    archive.text(MANIFEST, '{"format":1,"schema":null,"made_at":"","server":null,"data_dir":null}')
    archive.other({ ...facts, name: 'out', type: 'link', target: elsewhere })
    if (through === 'file') archive.text('out/there', 'x')
    else archive.other({ ...facts, name: 'out/there', type: through, target: '/' })
    archive.close()
    const target = temporaryHome(t)
    assert.match(await refusal(target, bad), /nothing has changed/, through)
    assert.deepEqual(readdirSync(elsewhere), [], through)
    assert.deepEqual(readdirSync(target.folder), ['bots', 'bots.lock'], through)
  }
})

test('what an earlier backup was unpacked to, and files older than 1970, do no harm to the next one', async (t) => {
  const home = someHome(t)
  const [first, second] = [join(home.folder, 'first.tar'), join(home.folder, 'second.tar')]
  await backUp(home, first)
  assert.equal(spawnSync('tar', ['-xf', first, '-C', home.folder]).status, 0)
  utimesSync(join(home.folder, 'secret.key'), -1_000, -1_000)
  await backUp(home, second)
  const other = temporaryHome(t)
  await restore(other, second)
  assert.deepEqual(readdirSync(other.folder).toSorted(), ['bots', 'bots.lock', 'secret.key', 'server.yaml'])
  expectSameFiles(home, other)
})

test('a running server is not restored over', async (t) => {
  const home = someHome(t)
  const file = join(home.folder, 'b.tar')
  await backUp(home, file)
  await using server = await startCommand(home)
  assert.ok(server.ircPort > 0)
  const { code, stderr } = await hookline(home, 'server', 'restore', file, '--force')
  assert.equal(code, 2)
  assert.match(stderr, /a server is running in .*\nhint: stop it first: hookline server stop/)
})

test('after a restore was killed midway, no server starts and no backup is made until it is run again', async (t) => {
  const home = someHome(t)
  const file = join(home.folder, 'b.tar')
  await backUp(home, file)
  const start = async (): Promise<void> => {
    await using server = await startCommand(home)
    await server.stop()
  }
  // What it leaves behind: part of what it unpacked.
  mkdirSync(join(home.folder, '.restore-1', 'bots'), { recursive: true })
  await assert.rejects(
    start,
    /did not start: .*"code":2,.*a restore was interrupted, or is still running: .*\.restore-1 exists.*server restore FILE --force/,
  )
  const halfway = await hookline(home, 'server', 'backup', join(home.folder, 'halfway.tar'))
  assert.match(halfway.stderr, /^error: a restore was interrupted, .*\nhint: run it again: /)
  assert.equal(halfway.code, 2)
  await restore(home, file, { force: true })
  await start()
})

test('a backup with two entries of one name is refused, and the hint is about the backup', async (t) => {
  const home = temporaryHome(t)
  const file = join(home.folder, 'forged.tar')
  const forged = new ArchiveWriter(file)
  forged.text(MANIFEST, JSON.stringify({ format: 1, schema: null, server: null, data_dir: null }))
  forged.text('note', 'one')
  forged.text('note', 'another')
  forged.close()
  assert.match(await refusal(home, file), /and nothing has changed: EEXIST: .*\nhint: use another backup, /)
})

test('after a restore failed midway, no server starts until it is run again', async (t) => {
  const home = someHome(t)
  await fill(home)
  const file = join(home.folder, 'b.tar')
  await backUp(home, file)
  const other = temporaryHome(t)
  // No backup that hookline makes has a trash folder, and this one cannot take the place of another.
  const forged = new ArchiveWriter(join(home.folder, 'forged.tar'))
  forged.text(MANIFEST, JSON.stringify({ format: 1, schema: null, server: null, data_dir: null }))
  forged.text('trash/new', '')
  forged.close()
  mkdirSync(join(other.folder, 'trash', 'old'), { recursive: true })
  const failed = await hookline(other, 'server', 'restore', join(home.folder, 'forged.tar'))
  assert.match(
    failed.stderr,
    /^error: the restore stopped in the middle: ENOTEMPTY: .*\nhint: run it again with --force/,
  )
  rmSync(join(other.folder, 'trash'), { recursive: true })
  writeFileSync(join(other.folder, 'note'), '')
  const damaged = join(home.folder, 'c.tar')
  writeFileSync(damaged, 'no backup')
  for (const incomplete of [{ file }, { file: damaged, force: true }]) {
    assert.equal((await perform(other, 'server restore', incomplete)).ok, false)
    await assert.rejects(startCommand(other), /did not start: .*a restore was interrupted/)
  }
  await restore(other, file, { force: true })
  await using server = await startCommand(other)
  assert.ok(server.ircPort > 0)
})

/** A few rows in the database. */
async function fill(home: Home): Promise<void> {
  await using rig = await startRig({ home, config: readFileSync(home.config, 'utf8') })
  for (let i = 0; i < 3; i++)
    assert.equal((await post(`${rig.url}/spark-ori-ci`, { text: `post ${i}` })).status, 200)
}

async function backUp(home: Home, file: string): Promise<void> {
  const answer = await perform(home, 'server backup', { file })
  assert.ok(answer.ok, JSON.stringify(answer))
}

async function restore(home: Home, file: string, { force = false } = {}): Promise<void> {
  const answer = await perform(home, 'server restore', { file, force })
  assert.ok(answer.ok, JSON.stringify(answer))
}

/** Why that is no backup for this home: `what was wrong: what to do`. */
async function refusal(home: Home, file: string): Promise<string> {
  const answer = await perform(home, 'server restore', { file })
  assert.ok(!answer.ok)
  assert.equal(answer.error.code, 2)
  return `${answer.error.message}\nhint: ${answer.error.remediation}`
}

/** What the command does, without a process of its own. */
async function perform(home: Home, name: string, input: object): Promise<Answer<unknown>> {
  return performOnFiles(home, (await loadCommand(name)) ?? assert.fail(name), { ...input })
}

function someHome(t: TestContext): Home {
  const home = temporaryHome(t)
  const bot = join(home.bots, 'spark-ori-ci')
  mkdirSync(join(bot, 'fixtures', 'a'.repeat(80), 'b'.repeat(80)), { recursive: true })
  writeFileSync(join(bot, 'bot.yaml'), BOT)
  writeFileSync(join(bot, 'fixtures', 'a'.repeat(80), 'b'.repeat(80), '☕.json'), '{}')
  writeFileSync(join(bot, 'run.sh'), '#!/bin/sh\n')
  chmodSync(join(bot, 'run.sh'), 0o700)
  utimesSync(join(bot, 'run.sh'), 1_000, 1_000)
  symlinkSync('run.sh', join(bot, 'link'))
  writeFileSync(join(bot, 'empty'), '')
  writeFileSync(home.config, UNLIMITED)
  writeFileSync(join(home.folder, 'secret.key'), 'x'.repeat(2_000))
  return home
}

function readRows(home: Home): ReturnType<typeof rowsOf> {
  using db = new DatabaseSync(join(home.data, 'hookline.db'))
  return rowsOf(db)
}

function expectSameFiles(home: Home, other: Home): void {
  assert.deepEqual(filesOf(other), filesOf(home))
}

/** What lies there: its kind, what its owner may do with it, when it was changed, and what is in it. */
function filesOf({ folder }: Home): readonly string[] {
  return [
    'server.yaml',
    'secret.key',
    ...readdirSync(join(folder, 'bots'), { recursive: true }).map((name) => `bots/${String(name)}`),
  ]
    .toSorted()
    .map((name) => {
      const path = join(folder, name)
      const stat = lstatSync(path)
      if (stat.isSymbolicLink()) return `${name} → ${readlinkSync(path)}`
      const mode = (stat.mode & 0o700).toString(8)
      if (stat.isDirectory()) return `${name}/ ${mode}`
      const seconds = Math.max(0, Math.floor(stat.mtimeMs / 1000))
      return `${name} ${mode} ${seconds} ${readFileSync(path, 'latin1')}`
    })
}

/** A tar file with one entry, made by another program. */
function tarOf(folder: string, name: string): Buffer {
  const inside = join(folder, 'inside')
  mkdirSync(inside, { recursive: true })
  const path = join(inside, name)
  writeFileSync(path, 'x')
  const { stdout } = spawnSync('tar', ['-c', '-P', '--format=gnu', '-C', inside, '-f', '-', name])
  rmSync(path)
  return stdout
}
