import { type DisposableTempDir, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder, removed at the end of its block. */
export function newFolder(): DisposableTempDir {
  return mkdtempDisposableSync(join(tmpdir(), 'hookline-'))
}
