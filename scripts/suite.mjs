// `npm test`: every test of this house. Most of a small file's time is spent on starting Node and loading what it imports, so several
// files share a process; and most tests wait, so there are more processes than processors.
//   npm test [-- options of node --test]
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'node_modules/.cache/suite')

/** Processes that the small files share: those that talk to a server from outside, and those beside the sources. */
const OUTSIDE = 12
const INSIDE = 4
/** Each has a process of its own, and these begin first: what begins last ends last. */
const LONG = [
  'transcripts',
  'conversations',
  'hostile-handlers',
  'server-start',
  'backup',
  'handlers',
  'damage',
]

const all = globSync('packages/*/{src,test,bench}/**/*.test.ts', { cwd: root }).toSorted()
const long = LONG.map((name) => all.find((file) => basename(file) === `${name}.test.ts`) ?? name)
const others = all.filter((file) => !long.includes(file))
const alone = others.filter(hasHooks)
const sharing = others.filter((file) => !alone.includes(file))
const isInside = (file) => file.includes('/src/')
const shares = [
  ...dealt(
    sharing.filter((file) => !isInside(file)),
    OUTSIDE,
  ),
  ...dealt(sharing.filter(isInside), INSIDE),
]

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const entries = [...long.map((file) => [file]), ...shares, ...alone.map((file) => [file])].map(entryOf)
const sources = `--import=${new URL('sources.mjs', import.meta.url).href}`
const atOnce = `--test-concurrency=${3 * availableParallelism()}`
const { status } = spawnSync(
  process.execPath,
  [sources, '--test', '--test-timeout=600000', atOnce, ...process.argv.slice(2), ...entries],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1

/** Hooks outside a suite would be those of all files in the process. */
function hasHooks(file) {
  return /^(before|after)(Each)?\(/m.test(readFileSync(join(root, file), 'utf8'))
}

/** A file that imports these. Node's runner begins them in the order of their names. */
function entryOf(files, index) {
  const entry = join(folder, `${String(index).padStart(3, '0')}.test.mjs`)
  const lines = files.map((file) => `import '${pathToFileURL(join(root, file)).href}'\n`)
  writeFileSync(entry, lines.join(''))
  return entry
}

function dealt(files, hands) {
  return Array.from({ length: hands }, (_, place) => files.filter((_, index) => index % hands === place))
}
