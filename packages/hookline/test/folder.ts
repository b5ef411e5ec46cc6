// Folders of a test's own.
import { type DisposableTempDir, mkdtempDisposableSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** Removed at the end of its block. */
export function newFolder(): DisposableTempDir {
  return mkdtempDisposableSync(join(tmpdir(), 'hookline-'))
}

/** Removed with its test, if it is given one. */
export function temporaryFolder(t?: TestContext): string {
  const { path } = newFolder()
  t?.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
