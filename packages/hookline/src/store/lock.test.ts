import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { takeLock } from './lock.ts'

test('one process holds the lock until it releases it', () => {
  using folder = newFolder()
  const file = join(folder.path, 'lock')
  const first = takeLock(file, 0)
  assert.ok(first)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(takeLock(file, 0), undefined)
  assert.equal(takeLock(file, 20), undefined, 'who waits does not wait for ever')
  first.release()
  const next = takeLock(file, 0)
  assert.ok(next)
  next.release()
})

test('a file with something in it is no lock, and stays', () => {
  using folder = newFolder()
  const file = join(folder.path, 'lock')
  writeFileSync(file, 'mine, and no lock at all')
  assert.throws(() => takeLock(file, 0), {
    reason: 'obstructed',
    message: `${file} is no lock of hookline, which is an empty file`,
  })
  assert.equal(readFileSync(file, 'utf8'), 'mine, and no lock at all')
})

test('a killed process no longer holds it', async () => {
  using folder = newFolder()
  const file = join(folder.path, 'lock')
  const script = `
    const { takeLock } = await import(process.argv[1])
    globalThis.lock = takeLock(process.argv[2], 0)
    process.stdout.write('has it')
    process.stdin.resume()`
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, new URL('lock.ts', import.meta.url).href, file],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  await once(child.stdout, 'data')
  assert.equal(takeLock(file, 0), undefined)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = takeLock(file, 0)
  assert.ok(lock)
  lock.release()
})
