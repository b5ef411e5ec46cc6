// Notices that files were replaced, as certificates are when they are renewed.
import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** By then both files of a renewed certificate are in place. */
const SETTLE_MS = 500

/** In a folder in which something always changes, as a log, the files are looked at this often. */
const BUSY_MS = 2_000

export interface WatchedFiles {
  /** Whether they have changed since the last look: the system does not tell it of every folder. */
  look(): boolean
  stop(): void
}

/** Calls `onChange` when the contents of a file change. Renewal replaces files, or links to them, so their folders are watched. */
export function watchFiles(files: readonly string[], onChange: () => void): WatchedFiles {
  let known = contentsOf(files)
  let settling: NodeJS.Timeout | undefined
  let since: number | undefined
  const look = (): boolean => {
    const now = contentsOf(files)
    if (now === known) return false
    known = now
    onChange()
    return true
  }
  const settled = (): void => {
    since = undefined
    look()
  }
  const touched = (): void => {
    clearTimeout(settling)
    since ??= performance.now()
    settling = setTimeout(settled, Math.min(SETTLE_MS, since + BUSY_MS - performance.now())).unref()
  }
  const watchers = [...new Set(files.map((file) => dirname(file)))].flatMap((folder) => open(folder, touched))
  return {
    look,
    stop() {
      clearTimeout(settling)
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** Where the system cannot watch, `look` and `hookline server reload` read them again. */
function open(folder: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, onChange)
    return [watcher.on('error', () => watcher.close())]
  } catch {
    return []
  }
}

function contentsOf(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        return readFileSync(file, 'latin1')
      } catch {
        return ''
      }
    })
    .join('\0')
}
