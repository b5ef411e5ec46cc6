// A backup is a tar file: a manifest, the files of a home folder, the database, and at the end the checksums.
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { bareName, BLOCK, decodeHeader, encodeHeader, END, padding, readText, type TarEntry } from './tar.ts'

/** The first entry: what the backup is. */
export interface Manifest {
  readonly format: 1
  /** Schema version of the database; null if there was none. */
  readonly schema: number | null
  readonly made_at: string
  readonly server: string | null
  /** The database's folder, if `data_dir` names one; null for the default in the home folder. */
  readonly data_dir: string | null
}

export const MANIFEST = 'hookline-backup.json'
/** In the format of `sha256sum -c`. */
export const SUMS = 'hookline-backup.sha256'
const CHUNK = 1024 * 1024
/** No manifest or checksum list is larger. */
const MOST_TEXT = 64 * CHUNK

/** Writes entries one after another. Synchronous: for a process that does nothing else. */
export class ArchiveWriter {
  readonly #file: number
  #sums = ''

  /** Fails if the file exists. */
  constructor(path: string) {
    this.#file = openSync(path, 'wx', 0o600)
  }

  text(name: string, text: string): void {
    const bytes = Buffer.from(text)
    this.#begin({ name, type: 'file', mode: 0o600, size: bytes.length, modifiedAt: Date.now() })
    this.#write(bytes)
    this.#end(bytes.length)
    this.#note(name, createHash('sha256').update(bytes))
  }

  other(entry: TarEntry): void {
    this.#begin(entry)
  }

  /** At its present size: whatever is appended meanwhile is left out. */
  file(name: string, path: string): void {
    const source = openSync(path, 'r')
    try {
      const { size, mode, mtimeMs } = fstatSync(source)
      this.#begin({ name, type: 'file', mode: mode & 0o777, size, modifiedAt: mtimeMs })
      const hash = createHash('sha256')
      const chunk = Buffer.alloc(Math.min(size, CHUNK))
      for (let left = size; left > 0;) {
        const read = readSync(source, chunk, 0, Math.min(left, CHUNK), null)
        if (read === 0) throw new Error(`${path} became shorter while it was read`)
        hash.update(chunk.subarray(0, read))
        this.#write(chunk.subarray(0, read))
        left -= read
      }
      this.#end(size)
      this.#note(name, hash)
    } finally {
      closeSync(source)
    }
  }

  /** Synced to disk on return. */
  close(): void {
    this.text(SUMS, this.#sums)
    this.#write(END)
    fsyncSync(this.#file)
    closeSync(this.#file)
  }

  #begin(entry: TarEntry): void {
    this.#write(encodeHeader(entry))
  }

  #end(size: number): void {
    this.#write(padding(size))
  }

  #note(name: string, hash: Hash): void {
    this.#sums += `${hash.digest('hex')}  ${name}\n`
  }

  #write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at)
  }
}

/** An entry's content, read lazily. */
type Content = Iterable<Buffer>

/**
 * Yields each entry with its content, which must be read to the end. Throws, at the latest after the last entry, for a
 * truncated file, a name outside the folder, or content that does not match its checksum.
 */
export function* readArchive(path: string): Generator<{ entry: TarEntry; content: Content }> {
  const file = openSync(path, 'r')
  const found = new Map<string, string>()
  let sums: string | undefined
  try {
    for (;;) {
      const entry = nextEntry(file)
      if (entry === undefined) break
      if (entry.name === SUMS) {
        sums = readWhole(file, entry.size).toString('utf8')
        continue
      }
      if (!isInside(entry.name))
        throw new Error(`a name in it points outside the home folder: ${JSON.stringify(entry.name)}`)
      const hash = createHash('sha256')
      yield { entry, content: contentOf(file, entry.size, hash) }
      if (entry.type === 'file') found.set(entry.name, hash.digest('hex'))
    }
    if (sums === undefined) throw new Error('it has no checksums at its end: the backup is incomplete')
    const written = [...found].map(([name, sum]) => `${sum}  ${name}\n`).join('')
    if (written !== sums) throw new Error('it is damaged: its checksums do not match')
  } finally {
    closeSync(file)
  }
}

function nextEntry(file: number): TarEntry | undefined {
  const long: { name?: string; target?: string } = {}
  for (;;) {
    const header = decodeHeader(read(file, BLOCK))
    if (header === undefined || !('long' in header))
      return header && { ...header, ...long, name: bareName(long.name ?? header.name) }
    const bytes = readWhole(file, header.size)
    long[header.long] = readText(bytes, 0, bytes.length)
  }
}

function* contentOf(file: number, size: number, hash: Hash): Content {
  for (let left = size; left > 0; left -= CHUNK) {
    const chunk = read(file, Math.min(left, CHUNK))
    hash.update(chunk)
    yield chunk
  }
  read(file, padding(size).length)
}

function readWhole(file: number, size: number): Buffer {
  if (size > MOST_TEXT) throw new Error('it is damaged, or not a hookline backup')
  const bytes = read(file, size)
  read(file, padding(size).length)
  return bytes
}

function read(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size;) {
    const count = readSync(file, bytes, at, size - at, null)
    if (count === 0) throw new Error('it ends too early')
    at += count
  }
  return bytes
}

function isInside(name: string): boolean {
  return !name.includes('\0') && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
