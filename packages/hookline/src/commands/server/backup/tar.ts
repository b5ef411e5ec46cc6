// Tar headers, readable by `tar -tf` and every other program.
// https://www.gnu.org/software/tar/manual/html_node/Standard.html

export interface TarEntry {
  /** Relative, with `/` as separator. */
  readonly name: string
  readonly type: 'file' | 'folder' | 'link'
  /** Permissions. */
  readonly mode: number
  /** Of a file's content, in bytes. */
  readonly size: number
  /** In ms. */
  readonly modifiedAt: number
  /** Target of a link. */
  readonly target?: string
}

export const BLOCK = 512
/** A longer name gets an entry of its own before this one, as in GNU tar. */
const NAME_BYTES = 100
const LONG_NAME = '././@LongLink'
const TYPES = { file: '0', link: '2', folder: '5' } as const

/** Everything before the content. */
export function encodeHeader(of: TarEntry): Buffer {
  // A folder's name ends in a slash, as programs expect.
  const entry = of.type === 'folder' ? { ...of, name: `${of.name}/` } : of
  const blocks: Buffer[] = []
  for (const [text, type] of [
    [entry.target ?? '', 'K'],
    [entry.name, 'L'],
  ] as const) {
    const bytes = Buffer.from(`${text}\0`)
    if (bytes.length > NAME_BYTES) {
      const long = { name: LONG_NAME, mode: 0, size: bytes.length, modifiedAt: 0 }
      blocks.push(block(long, type), bytes, padding(bytes.length))
    }
  }
  return Buffer.concat([...blocks, block(entry, TYPES[entry.type])])
}

/** Fills up the last block of a content. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

/** The end of a tar file: two zero blocks. */
export const END = Buffer.alloc(2 * BLOCK)

function block(entry: Omit<TarEntry, 'type'>, type: string): Buffer {
  const head = Buffer.alloc(BLOCK)
  head.write(shortened(entry.name), 0)
  octal(head, 100, 8, entry.mode)
  octal(head, 108, 8, 0)
  octal(head, 116, 8, 0)
  writeSize(head, entry.size)
  // The field has no sign: a file from before 1970 is as old as can be.
  octal(head, 136, 12, Math.max(0, Math.floor(entry.modifiedAt / 1000)))
  head.write(type, 156)
  head.write(shortened(entry.target ?? ''), 157)
  head.write('ustar\x0000', 257, 'latin1')
  octal(head, 148, 7, checksum(head))
  head.write(' ', 155)
  return head
}

/** At most 99 bytes and their NUL; whole characters, since some programs show it. */
function shortened(text: string): string {
  let short = text
  while (Buffer.byteLength(short) >= NAME_BYTES) short = short.slice(0, -1)
  return short
}

function octal(head: Buffer, at: number, length: number, value: number): void {
  head.write(
    value
      .toString(8)
      .padStart(length - 1, '0')
      .slice(1 - length),
    at,
    'latin1',
  )
}

/** 8 GiB and more do not fit in eleven octal digits: the size is then binary, marked by a first byte of 0x80. */
function writeSize(head: Buffer, size: number): void {
  if (size < 8 ** 11) return octal(head, 124, 12, size)
  head.writeUInt8(0x80, 124)
  head.writeBigUInt64BE(BigInt(size), 128)
}

/** Sum of all bytes, with the checksum field itself as spaces. */
function checksum(head: Buffer): number {
  let sum = 8 * 32
  for (const [i, byte] of head.entries()) if (i < 148 || i >= 156) sum += byte
  return sum
}

/**
 * Decodes one block. A `long` type holds a name for the entry after it; undefined at the end of the archive; throws for
 * anything but a header.
 */
export function decodeHeader(
  head: Buffer,
): (TarEntry | { readonly long: 'name' | 'target'; readonly size: number }) | undefined {
  if (head.every((byte) => byte === 0)) return undefined
  if (isCompressed(head)) throw new Compressed('it is compressed')
  if (readOctal(head, 148, 8) !== checksum(head)) throw new Error('it is damaged, or not a tar file')
  const size = head.readUInt8(124) === 0x80 ? Number(head.readBigUInt64BE(128)) : readOctal(head, 124, 12)
  const code = head.toString('latin1', 156, 157)
  if (code === 'L' || code === 'K') return { long: code === 'L' ? 'name' : 'target', size }
  const found = Object.entries(TYPES).find(([, each]) => each === code)
  if (found === undefined)
    throw new Error(`it holds an entry of the unsupported type ${JSON.stringify(code)}`)
  const type = found[0] as TarEntry['type']
  const [name, mode] = [bareName(readText(head, 0, 100)), readOctal(head, 100, 8)]
  const entry = { name, type, mode, size, modifiedAt: readOctal(head, 136, 12) * 1000 }
  return type === 'link' ? { ...entry, target: readText(head, 157, 100) } : entry
}

/** The backup has been compressed. */
export class Compressed extends Error {}

/** Magic bytes of gzip, bzip2, xz and zstd. A file name may begin with them too, but a tar header says `ustar`. */
function isCompressed(head: Buffer): boolean {
  const begins = /^(?:1f8b08|425a68|fd377a58|28b52ffd)/.test(head.toString('hex', 0, 4))
  return begins && head.toString('latin1', 257, 262) !== 'ustar'
}

/** Without a folder's trailing slash. */
export function bareName(name: string): string {
  return name.endsWith('/') ? name.slice(0, -1) : name
}

/** Up to the first NUL. */
export function readText(bytes: Buffer, at: number, length: number): string {
  const end = bytes.indexOf(0, at)
  return bytes.toString('utf8', at, end === -1 ? at + length : Math.min(end, at + length))
}

function readOctal(head: Buffer, at: number, length: number): number {
  const text = readText(head, at, length).trim()
  if (!/^[0-7]*$/.test(text)) throw new Error('it is damaged, or not a tar file')
  return Number.parseInt(text || '0', 8)
}
