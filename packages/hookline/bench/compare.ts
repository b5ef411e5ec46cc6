// npm run bench:compare: this checkout and another commit, in turns on the same machine, measured by this checkout's bench.
import { CHECKOUT, chosen, NAMES, readArguments, refuse } from './arguments.ts'
import { FIGURES } from './figures.ts'
import { ratiosOf, type Round } from './ratios.ts'
import { tableOf } from './table.ts'
import { baseOf, commitOf, openWorktree } from './worktree.ts'

const HELP = `usage: npm run bench:compare -- [commit] [name…] [--rounds 3] [--json]

Runs this checkout and another commit in turns, and prints how this one stands to it: min, median and max of the
ratios within each round, with a verdict where three rounds or more agree on it. Without a commit: the last one
where there are changes that are not committed, else where this branch left main, else the one before.

  --rounds N    how often each is measured
  --json        one object for each figure, on a line of its own
`
const { names, json, rounds } = readArguments(HELP)
const [first] = names
const named = first !== undefined && !NAMES.has(first) ? first : undefined
const measurements = chosen(named === undefined ? names : names.slice(1))
const commit = commitToCompare()
using other = openWorktree(CHECKOUT, commit)

const results = new Map<string, Round[]>()
for (let round = 1; round <= rounds; round++) {
  for (const [name, { run }] of measurements) {
    console.error(`${name}, round ${round} of ${rounds}`)
    try {
      // Whoever comes second finds the machine otherwise: by turns, so that it does not count.
      const measured =
        round % 2 === 1
          ? { mine: await run(CHECKOUT), theirs: await run(other.folder) }
          : { theirs: await run(other.folder), mine: await run(CHECKOUT) }
      results.set(name, [...(results.get(name) ?? []), measured])
    } catch (error) {
      console.error(`error: ${name}: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
}

const rows = [[`to ${commit.slice(0, 9)}`, '', 'min', 'median', 'max', '']]
for (const [name, all] of results) {
  for (const ratio of ratiosOf(all)) {
    const { key, min, median, max, verdict } = ratio
    if (json) console.log(JSON.stringify({ name, commit, figure: key, min, median, max, verdict }))
    const numbers = [min, median, max].map((each) => each.toFixed(2))
    rows.push([name, FIGURES[key]?.label ?? key, ...numbers, verdict === 'even' ? '' : verdict])
  }
}
if (!json) console.log(tableOf(rows))

function commitToCompare(): string {
  try {
    return named === undefined ? baseOf(CHECKOUT) : commitOf(CHECKOUT, named)
  } catch {
    return refuse(
      `there is no commit ${named ?? 'to compare with'}`,
      `name one that git log shows, or one of ${[...NAMES].join(', ')}`,
    )
  }
}
