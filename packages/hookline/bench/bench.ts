// npm run bench: how fast this checkout is on this machine, in less than a minute.
import { chosen, CHECKOUT, readArguments } from './arguments.ts'
import { FIGURES } from './measurements.ts'
import { tableOf } from './table.ts'

const HELP = `usage: npm run bench -- [name…] [--json]

Measures this checkout against itself alone: servers of its own, on free ports of this machine.

  --json    one object for each measurement, on a line of its own
`
const { names, json } = readArguments(HELP)

const rows: string[][] = []
for (const [name, { run }] of chosen(names)) {
  try {
    const figures = await run(CHECKOUT)
    if (json) console.log(JSON.stringify({ name, ...figures }))
    else rows.push([name, ...Object.entries(figures).map(told)])
  } catch (error) {
    console.error(`error: ${name}: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
if (rows.length > 0) console.log(tableOf(rows))

function told([key, value]: [string, number]): string {
  const { label = key, digits = 2 } = FIGURES[key] ?? {}
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${label}`
}
