// Opens the database while the rest of the server is still being loaded: that takes longer, on another processor.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Home } from '../home/home.ts'
import { StartFailure } from '../failure/startfailure.ts'
import { type Opening, startWorker } from '../store/writer.ts'

/** Rejects as `openStore` does. Whoever does not use it, calls `abandon`. */
export interface BegunOpening {
  readonly folder: string
  readonly opening: Promise<Opening>
  abandon(): Promise<void>
}

/** Throws if it would leave behind the one that is there. `open` has it opened in a thread. */
export function beginOpening(
  { dataDir }: Pick<Config, 'dataDir'>,
  home: Home,
  maxPages?: number,
  open: typeof startWorker = startWorker,
): BegunOpening {
  const folder = dataDir ?? home.data
  // Else accounts, bans and history would seem to be gone.
  if (isDatabaseIn(home.data) && !isDatabaseIn(folder))
    throw new StartFailure(
      'database left behind',
      `data_dir is ${folder}, where no database is, but there is one in ${home.data}`,
    )
  const opening = open(folder, maxPages)
  // Handled by whoever awaits it, later.
  opening.catch(() => {})
  return {
    folder,
    opening,
    abandon: () => opening.then(({ worker }) => worker.terminate()).then(ignore, ignore),
  }
}

/** Or what belongs to one. Also if it cannot be looked at: the store says why. */
function isDatabaseIn(folder: string): boolean {
  return ['hookline.db', 'hookline.db-wal'].some((name) => isThere(join(folder, name)))
}

function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

function ignore(): void {}
