// D4: the power goes. What a disk then holds is what was synced, and of the rest whatever it likes: such disks are built from the recorded
// system calls of a server under load, one for each of many moments, and opened.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Chance } from '../test/fuzz/chance.ts'
import { newFolder } from '../test/folder.ts'
import { cannotTrace } from '../test/strace.ts'
import { recordCalls } from '../test/syncorder.ts'
import { figure } from './figure.ts'

const FILES = ['hookline.db', 'hookline.db-wal'] as const
type File = (typeof FILES)[number]

export default figure({
  id: 'D4',
  promise: 'After a power cut the database opens whole, and has everything that was acknowledged',
  goal: '200 cut disks: all open, 0 damaged, 0 acknowledged deliveries missing',
  small: { images: 20, posts: 160 },
  whole: { images: 200, posts: 1_000 },
  async measure({ images, posts }, { seed }) {
    if (cannotTrace) return { figure: `not shown: ${cannotTrace}`, isMet: true }
    const chance = new Chance(seed)
    const { trace, markers } = await recordCalls(posts, ['-xx'])
    const calls = parse(trace)
    const answers = calls.flatMap(({ kind }, at) => (kind === 'answered' ? [at] : []))
    let damaged = 0
    let missing = 0
    using folder = newFolder()
    for (let each = 0; each < images; each++) {
      const cut = answers[Math.floor(((each + 1) * answers.length) / images) - 1] ?? calls.length
      const told = markers.filter((marker) =>
        calls.slice(0, cut + 1).some((call) => call.kind === 'answered' && call.text.includes(marker)),
      )
      const image = join(folder.path, `${each}`)
      build(image, calls.slice(0, cut + 1), chance)
      try {
        using database = new DatabaseSync(join(image, 'hookline.db'))
        if (database.prepare('PRAGMA integrity_check').get()?.['integrity_check'] !== 'ok') damaged++
        const texts = new Set(
          database
            .prepare('SELECT text FROM history')
            .all()
            .map((row) => row['text']),
        )
        missing += told.filter((marker) => !texts.has(marker)).length
      } catch {
        damaged++
      }
      rmSync(image, { recursive: true })
    }
    return {
      figure: `${images} cut disks, ${damaged} damaged, ${missing} acknowledged deliveries missing`,
      isMet: damaged + missing === 0,
    }
  },
})

type Call =
  | { readonly kind: 'write'; readonly file: File; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: File; readonly size: number }
  | { readonly kind: 'sync'; readonly file: File }
  | { readonly kind: 'answered'; readonly text: string }

/** What was synced is there; of later writes each may be, whole or cut off, in whatever order the disk took them. */
function build(folder: string, calls: readonly Call[], chance: Chance): void {
  mkdirSync(folder)
  for (const file of FILES) {
    const ofFile = calls.filter((call) => call.kind !== 'answered' && call.file === file)
    const synced = ofFile.findLastIndex(({ kind }) => kind === 'sync')
    let content = Buffer.alloc(0)
    for (const [nth, call] of ofFile.entries()) {
      if (call.kind === 'truncate') content = resized(content, call.size)
      if (call.kind !== 'write' || (nth > synced && chance.isHit(50))) continue
      const kept = nth > synced && chance.isHit(50) ? chance.below(call.bytes.length + 1) : call.bytes.length
      if (content.length < call.at + kept) content = resized(content, call.at + kept)
      call.bytes.copy(content, call.at, 0, kept)
    }
    writeFileSync(join(folder, file), content)
  }
}

function resized(content: Buffer, size: number): Buffer<ArrayBuffer> {
  const next = Buffer.alloc(size)
  content.copy(next, 0, 0, size)
  return next
}

/** Calls in the order in which they returned: what had not returned may not be counted on. */
function parse(file: string): readonly Call[] {
  const open = new Map<string, string>()
  return readFileSync(file, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, pid = '', rest = ''] = /^(\d+) +(.*)$/s.exec(line) ?? []
      if (rest.endsWith('<unfinished ...>')) {
        open.set(pid, rest.slice(0, -'<unfinished ...>'.length))
        return []
      }
      const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest)?.[1]
      const text = resumed === undefined ? rest : (open.get(pid) ?? '') + resumed
      open.delete(pid)
      return callIn(text) ?? []
    })
}

function callIn(traced: string): Call | undefined {
  // Paths are in hex as well.
  const text = traced.replace(/<((?:\\x[0-9a-f]{2})+)>/, (_, hex: string) => `<${bytesOf(hex).toString()}>`)
  const [, name, file, rest = ''] =
    /^(pwrite64|fsync|fdatasync|ftruncate)\(\d+<[^>]*\/(hookline\.db(?:-wal)?)>(.*)$/s.exec(text) ?? []
  if (file === 'hookline.db' || file === 'hookline.db-wal') {
    if (name === 'fsync' || name === 'fdatasync')
      return rest.endsWith(' = 0') ? { kind: 'sync', file } : undefined
    if (name === 'ftruncate') return { kind: 'truncate', file, size: Number(/^, (\d+)/.exec(rest)?.[1]) }
    const [, hex = '', at] = /^, "((?:\\x[0-9a-f]{2})*)", \d+, (\d+) ?\) += \d+$/.exec(rest) ?? []
    if (at === undefined) throw new Error(`not understood: ${rest.slice(0, 60)} … ${rest.slice(-60)}`)
    return { kind: 'write', file, at: Number(at), bytes: bytesOf(hex) }
  }
  if (!/^(?:write|writev|sendto|sendmsg)\(\d+<(?:socket|TCP)/.test(text)) return undefined
  const said = bytesOf(text.match(/\\x[0-9a-f]{2}/g)?.join('') ?? '').toString('latin1')
  return said.includes('HTTP/1.1 200') ? { kind: 'answered', text: said } : undefined
}

/** Of `\\x41\\x42`. */
function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex')
}
