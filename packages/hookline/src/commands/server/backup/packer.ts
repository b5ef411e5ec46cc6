// The process that makes a backup: packer.ts JSON. The server waits for it, and may kill it at any moment.
import { linkSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { syncFolder } from '../../../home/atomic.ts'
import type { Home } from '../../../home/home.ts'
import { copyDatabase } from '../../../store/copy.ts'
import { type FailureFacts, failureOf } from '../../../store/failure.ts'
import { ArchiveWriter, MANIFEST, type Manifest } from './archive.ts'
import { contentsOf, DATABASE, spelled, unlessGone } from './contents.ts'
import { pathOf } from '../../../failure/thrown.ts'

export interface PackOrder {
  readonly home: Home
  /** Null for the default. */
  readonly dataDir: string | null
  readonly server: string | null
  /** Absolute; must not exist yet. */
  readonly file: string
  /** Empty, on the same disk, and removed by whoever created it. */
  readonly scratch: string
}

/** What the process prints. */
export type Packed = { readonly manifest: Manifest } | { readonly failed: FailureFacts }

const order = JSON.parse(process.argv[2] ?? '') as PackOrder
// Readable by nobody else, whatever the system's default umask.
process.umask(0o077)
process.stdout.write(JSON.stringify(packed(order)))

function packed(which: PackOrder): Packed {
  try {
    return { manifest: pack(which) }
  } catch (error) {
    const failed = failureOf(error)
    return { failed: isOfHome(error, which) ? { ...failed, reason: 'job' } : failed }
  }
}

/** Whether it is about one of the files to back up, and not about the backup itself. */
function isOfHome(error: unknown, { home, scratch }: PackOrder): boolean {
  const path = pathOf(error)
  return path !== undefined && path.startsWith(home.folder + sep) && !path.startsWith(scratch)
}

/** Written to the scratch folder first, so that the backup appears whole. */
function pack({ home, dataDir: named, server, file, scratch }: PackOrder): Manifest {
  const dataDir = named ?? home.data
  const copy = join(scratch, 'hookline.db')
  const schema = copyDatabase(dataDir, copy)
  const manifest: Manifest = {
    format: 1,
    schema: schema ?? null,
    made_at: new Date().toISOString(),
    server,
    data_dir: named,
  }
  const made = join(scratch, 'backup.tar')
  const archive = new ArchiveWriter(made)
  archive.text(MANIFEST, `${JSON.stringify(manifest)}\n`)
  for (const { entry, path } of contentsOf(home, spelled(home, dataDir))) {
    if (entry.type === 'file') unlessGone(() => archive.file(entry.name, path))
    else archive.other(entry)
  }
  if (schema !== undefined) archive.file(DATABASE, copy)
  archive.close()
  // Unlike a rename, this fails if the file exists.
  linkSync(made, file)
  syncFolder(dirname(file))
  return manifest
}
