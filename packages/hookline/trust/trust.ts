// npm run trust: measures what docs/trust.md promises, each figure in a process of its own, and prints a table.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { tableOf } from '../bench/table.ts'
import { refuse } from '../bench/arguments.ts'
import { newFolder } from '../test/folder.ts'
import type { Figure, Measured } from './figure.ts'
import { pageOf, type Row, withRun } from './page.ts'

const HELP = `usage: npm run trust -- [figure…] [--whole] [--busy] [--seed N] [--json] [--write]

Kills, floods, fills disks, turns clocks and sends nonsense, and shows what became of it. Without --whole each figure is
measured in its small size, all of them within ten minutes. Exit code 1: a figure could not be measured, or is missed without a
reason.

  --whole     the sizes of a release: about an hour and a half
  --seed N    repeats a run's random choices
  --busy      for a machine that does other work: a goal that is a time may be missed
  --json      one object for each figure, on a line of its own
  --write     puts the table into docs/trust.md
`
const PAGE = join(import.meta.dirname, '../../../docs/trust.md')

const { values, positionals } = argumentsOf()
const size = values.whole ? 'whole' : 'small'
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const figures = await chosen(positionals)
const rows: Row[] = []
console.error(`seed ${seed}, ${size} sizes`)
// Long ones first, so that the last to end is a short one.
const untimed = figures.filter(({ isTimed }) => !isTimed).toSorted((a, b) => minutesOf(b) - minutesOf(a))
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let next = untimed.shift(); next; next = untimed.shift()) rows.push(await run(next))
  }),
)
for (const each of figures) if (each.isTimed) rows.push(await runTimed(each))
rows.sort((a, b) => figures.findIndex(({ id }) => id === a.id) - figures.findIndex(({ id }) => id === b.id))

if (!values.json)
  console.log(tableOf(rows.map((row) => [row.id, verdictOf(row), row.figure, `(${row.goal})`])))
const bad = rows.filter((row) => !row.isMet && row.excuse === undefined)
const excused = rows.filter((row) => !row.isMet && row.excuse !== undefined)
for (const row of excused) console.log(`${row.id}: ${row.excuse}`)
console.log(
  `trust: ${rows.length - bad.length - excused.length} met, ${excused.length} missed with a reason, ${bad.length} missed`,
)
if (values.write)
  writeFileSync(
    PAGE,
    withRun(readFileSync(PAGE, 'utf8'), pageOf(rows, `${size} sizes, seed ${seed}, ${machine()}`)),
  )
if (bad.length > 0) process.exitCode = 1

function argumentsOf() {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        whole: { type: 'boolean' },
        seed: { type: 'string' },
        busy: { type: 'boolean' },
        json: { type: 'boolean' },
        write: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (parsed.values.help) {
      console.log(HELP)
      process.exit(0)
    }
    return parsed
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), 'see --help')
  }
}

interface Found extends Figure {
  readonly file: string
}

/** In the order of their ids. */
async function chosen(ids: readonly string[]): Promise<Found[]> {
  const files = globSync('[a-z][0-9]*-*.ts', { cwd: import.meta.dirname })
  const all = await Promise.all(
    files.map(async (file) => {
      const { default: each } = (await import(`./${basename(file)}`)) as { default: Figure }
      return { ...each, file }
    }),
  )
  all.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
  const wanted = ids.map((id) => id.toUpperCase())
  const unknown = wanted.find((id) => !all.some((each) => each.id === id))
  if (unknown !== undefined)
    refuse(`there is no figure ${unknown}`, `one of ${all.map(({ id }) => id).join(', ')}`)
  const ofSize = all.filter((each) => each[size] !== undefined)
  return wanted.length === 0 ? ofSize : ofSize.filter(({ id }) => wanted.includes(id))
}

/** What misses by a moment of the machine's own is measured up to three times. */
async function runTimed(each: Found): Promise<Row> {
  let row = await run(each)
  for (let tries = 1; tries < 3 && !row.isMet; tries++) row = await run(each)
  return row.isMet || !values.busy || !row.isSound
    ? row
    : { ...row, excuse: row.excuse ?? 'this machine does other work' }
}

function minutesOf({ wholeMinutes = 10, smallMinutes = 5 }: Figure): number {
  return size === 'whole' ? wholeMinutes : smallMinutes
}

async function run(each: Found): Promise<Row> {
  const { id, promise, goal, file } = each
  const began = performance.now()
  const measured = await measure(each, file).catch((error: Error): Measured => ({
    figure: `not measured: ${error.message}`,
    isMet: false,
  }))
  const row = { id, promise, goal, ...measured, seconds: Math.round((performance.now() - began) / 100) / 10 }
  console.error(`${id} ${verdictOf(row)} after ${row.seconds} s: ${row.figure}`)
  if (values.json) console.log(JSON.stringify(row))
  return row
}

/** In a process and a temporary folder of its own; the process is ended when it takes too long. */
async function measure(each: Figure, file: string): Promise<Measured> {
  using folder = newFolder()
  const child = fork(join(import.meta.dirname, 'measure.ts'), [file, size, String(seed)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, TMPDIR: folder.path },
  })
  let told = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (told = (told + text).slice(-2_000)))
  const timer = setTimeout(() => child.kill('SIGKILL'), minutesOf(each) * 60_000)
  let measured: Measured | undefined
  child.on('message', (message) => (measured = message as Measured))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(timer)
  if (measured) return measured
  throw new Error(
    signal === 'SIGKILL' ? `not within ${minutesOf(each)} minutes` : causeIn(told) || `exit ${code}`,
  )
}

/** Of what Node prints before it exits. */
function causeIn(told: string): string | undefined {
  return (
    told
      .split('\n')
      .findLast((line) => /^\s*\w*(?:Error|error)\b.*:/.test(line))
      ?.trim() ?? told.trim().slice(0, 200)
  )
}

function verdictOf({ isMet, excuse }: Measured): string {
  if (isMet) return 'met'
  return excuse === undefined ? 'MISSED' : 'missed'
}

function machine(): string {
  const model = cpus()[0]?.model ?? 'unknown'
  return `${cpus().length} processors (${model.trim()}), Linux ${release()}, Node ${process.version}`
}
