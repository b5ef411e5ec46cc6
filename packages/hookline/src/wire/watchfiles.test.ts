import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import { watchFiles } from './watchfiles.ts'

test('a file that changed is noticed though something beside it changes all the time, as a log does', async (t) => {
  const folder = temporaryFolder(t)
  const [cert, log] = [join(folder, 'cert.pem'), join(folder, 'a.log')]
  writeFileSync(cert, 'old')
  const { promise: changed, resolve } = Promise.withResolvers<void>()
  const watched = watchFiles([cert], resolve)
  const logging = setInterval(() => writeFileSync(log, '.', { flag: 'a' }), 50)
  try {
    writeFileSync(cert, 'new')
    const late = AbortSignal.timeout(60_000)
    late.addEventListener('abort', () => clearInterval(logging))
    await changed
    assert.ok(!late.aborted, 'noticed only once the log was silent')
  } finally {
    clearInterval(logging)
    watched.stop()
  }
})
