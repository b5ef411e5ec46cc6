import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { capturedNames, findCaptured, keepCaptured, pruneCaptured, type Capture } from './captured.ts'
import { causeHeaders } from './causes.ts'

test('a payload is saved exactly as received, readable only by the owner, with its headers beside it', async () => {
  using folder = newFolder()
  const bot = folder.path
  const body = '{ "n": 1.0,\r\n "n": 2 }'
  await keepCaptured(
    bot,
    captureOf('d-00000000000000001', { body: Buffer.from(body), headers: { 'x-github-event': 'push' } }),
  )
  const file = join(bot, 'captured', 'push-d-00000000000000001.json')
  assert.equal(readFileSync(file, 'utf8'), body)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(bot, 'captured')).mode & 0o777, 0o700)
  const expected = {
    name: 'captured/push-d-00000000000000001',
    payload: body,
    headers: { 'x-github-event': 'push' },
    event: undefined,
  }
  assert.deepEqual(findCaptured(bot, 'captured/push-d-00000000000000001'), expected)
  assert.deepEqual(findCaptured(bot, 'captured/push-d-00000000000000001.json'), expected)
  assert.equal(findCaptured(bot, 'captured/../bot'), undefined)
})

test('nothing is saved for a bot whose folder is gone, and no folder is left in its place', async () => {
  using folder = newFolder()
  const bot = join(folder.path, 'gone')
  await assert.rejects(keepCaptured(bot, captureOf('d-00000000000000001', {})), { code: 'ENOENT' })
  assert.ok(!existsSync(bot))
})

test('no event name can produce a path elsewhere or a name that is too long', async () => {
  using folder = newFolder()
  const bot = folder.path
  for (const [index, event] of [
    '../../up',
    '.hidden',
    'a b/c',
    'é'.repeat(500),
    'w'.repeat(500),
    null,
  ].entries())
    await keepCaptured(bot, captureOf(`d-0000000000000000${index}`, { event }))
  const files = readdirSync(join(bot, 'captured'))
  assert.equal(files.length, 12)
  assert.deepEqual(readdirSync(bot), ['captured'])
  for (const file of files) assert.match(file, /^[\w-][\w.-]{0,110}$/)
  assert.equal(capturedNames(bot).length, 6)
})

test('beyond the bound the oldest are removed, but never a renamed file', async () => {
  using folder = newFolder()
  const bot = folder.path
  for (const n of [3, 1, 4, 2])
    await keepCaptured(bot, captureOf(`d-0000000000000000${n}`, { event: n === 1 ? 'zap' : 'push' }))
  assert.deepEqual(
    capturedNames(bot),
    [1, 2, 3, 4].map((n) => `captured/${n === 1 ? 'zap' : 'push'}-d-0000000000000000${n}`),
  )
  renameSync(join(bot, 'captured/zap-d-00000000000000001.json'), join(bot, 'captured/first.json'))
  assert.deepEqual(await pruneCaptured(bot, 2), { kept: 2, removed: 1 })
  assert.deepEqual(capturedNames(bot), [
    'captured/push-d-00000000000000003',
    'captured/push-d-00000000000000004',
    'captured/first',
  ])
  assert.deepEqual(await pruneCaptured(bot, 0), { kept: 0, removed: 2 })
  assert.deepEqual(capturedNames(bot), ['captured/first'])
})

test('the event is shown only if no request header brought it, whatever the file beside it says', async () => {
  using folder = newFolder()
  const bot = folder.path
  await keepCaptured(bot, captureOf('d-00000000000000001', { event: 'join', headers: causeHeaders('event') }))
  assert.equal(findCaptured(bot, 'captured/join-d-00000000000000001')?.event, 'join')
  for (const [index, about] of ['[]', 'null', '{"headers":7,"event":[]}', 'no json', '"x"'].entries()) {
    writeFileSync(join(bot, `captured/mine${index}.json`), '{}')
    writeFileSync(join(bot, `captured/mine${index}.about.json`), about)
    assert.deepEqual(findCaptured(bot, `captured/mine${index}`), {
      name: `captured/mine${index}`,
      payload: '{}',
      headers: {},
      event: undefined,
    })
  }
})

test('a write that the disk refuses leaves nothing behind', () => {
  using folder = newFolder()
  const bot = folder.path
  const script = `
    import { keepCaptured } from ${JSON.stringify(new URL('captured.ts', import.meta.url).href)}
    const rest = { event: 'push', receivedAt: 0, headers: {}, body: Buffer.alloc(100_000) }
    await keepCaptured(${JSON.stringify(bot)}, { id: 'd-00000000000000001', ...rest })`
  // Blocks of 512 or 1,024 bytes, depending on the shell: room for the headers, but not for the payload.
  const small = ['-c', 'ulimit -f 20; exec "$0" --input-type=module -e "$1"', process.execPath, script]
  const { status, stderr } = spawnSync('/bin/sh', small, { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stderr, /EFBIG/)
  assert.deepEqual(readdirSync(join(bot, 'captured')), [])
})

test('nothing is written through a link', async () => {
  using folder = newFolder()
  using elsewhere = newFolder()
  const bot = folder.path
  symlinkSync(elsewhere.path, join(bot, 'captured'))
  await assert.rejects(() => keepCaptured(bot, captureOf('d-00000000000000001', {})), /is a symbolic link/)
  assert.deepEqual(readdirSync(elsewhere.path), [])
})

function captureOf(id: string, rest: Partial<Capture>): Capture {
  return { id, event: 'push', receivedAt: 0, headers: {}, body: Buffer.from('{}'), ...rest }
}
