// npm run bench: how fast this checkout is on this machine, in less than a minute; and what is asked for by name beside that.
import { chosen, CHECKOUT, readArguments } from './arguments.ts'
import { FIGURES, isTooMuch } from './figures.ts'
import { tableOf } from './table.ts'

const HELP = `usage: npm run bench -- [name or group…] [--json]

Measures this checkout against itself alone: servers of its own, on free ports of this machine. What belongs to a group
takes minutes, and is measured when it or its group is named. Exit code 1: something failed, or a figure is above its bound.

  --json    one object for each measurement, on a line of its own
`
const { names, json } = readArguments(HELP)

const rows: string[][] = []
for (const [name, { run }] of chosen(names)) {
  try {
    const figures = await run(CHECKOUT)
    if (Object.entries(figures).some(([key, value]) => isTooMuch(key, value))) process.exitCode = 1
    if (json) console.log(JSON.stringify({ name, ...figures }))
    else rows.push([name, ...Object.entries(figures).map(told)])
  } catch (error) {
    console.error(`error: ${name}: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
if (rows.length > 0) console.log(tableOf(rows))

function told([key, value]: [string, number]): string {
  const { label = key, digits = 2, atMost } = FIGURES[key] ?? {}
  const number = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const bound = atMost === undefined ? '' : ` (${isTooMuch(key, value) ? 'MORE THAN' : 'at most'} ${atMost})`
  return `${number} ${label}${bound}`
}
