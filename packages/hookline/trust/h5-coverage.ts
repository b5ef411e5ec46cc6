// H5: what the tests never run cannot be known to work. All branches of what strangers reach first; a figure for the rest.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { CHECKOUT } from '../bench/arguments.ts'
import { newFolder } from '../test/folder.ts'
import { figure } from './figure.ts'

const SRC = 'packages/hookline/src'
/** The parser, the splitter, templates, and whatever proves who somebody is. */
const WHOLE = [
  'irc/message',
  'irc/split',
  'message/path',
  'message/template',
  'webhooks/auth',
  'senders/scheme',
  'senders/schemes',
  'accounts/login',
  'accounts/passwords',
  'accounts/sasl',
  'accounts/scram',
  'accounts/throttle',
]
/** Arms that only the compiler asks for: an element of an array whose place is known to be there. */
const FOR_THE_COMPILER = /\?\? (?:''|0|NaN|\[\])/

export default figure({
  id: 'H5',
  promise: 'Every branch of the parser, the splitter, the templates and the authentication is run by a test',
  goal: '0 branches of these files missed; 95 % of the lines of all others ',
  whole: { tests: ['src/**/*.test.ts', 'test/**/*.test.ts'] },
  wholeMinutes: 40,
  measure({ tests }) {
    using folder = newFolder()
    const report = join(folder.path, 'lcov')
    spawnSync(
      process.execPath,
      [
        '--test',
        // Most tests wait.
        `--test-concurrency=${2 * availableParallelism()}`,
        '--experimental-test-coverage',
        '--test-reporter=lcov',
        `--test-reporter-destination=${report}`,
        `--test-coverage-include=${SRC}/**/*.ts`,
        '--test-coverage-exclude=**/*.test.ts',
        ...tests.map((each) => `packages/hookline/${each}`),
      ],
      // Code from a cache has no coverage.
      { cwd: CHECKOUT, env: { ...process.env, NODE_COMPILE_CACHE: '' }, stdio: 'ignore' },
    )
    const files = parse(readFileSync(report, 'utf8'))
    const lost = WHOLE.filter((each) => !files.some(({ file }) => file === `${SRC}/${each}.ts`))
    if (lost.length > 0) throw new Error(`no test runs ${lost.join(', ')}: is it somewhere else?`)
    const missed = files
      .filter(({ file }) => WHOLE.some((each) => file === `${SRC}/${each}.ts`))
      .flatMap(({ file, branches }) =>
        branches
          .filter((line) => !FOR_THE_COMPILER.test(lineOf(file, line)))
          .map((line) => `${file}:${line}`),
      )
    const lines = files.reduce((sum, file) => sum + file.lines, 0)
    const run = files.reduce((sum, file) => sum + file.run, 0)
    const percent = (100 * run) / lines
    return {
      figure: `${missed.length} branches missed ${missed.slice(0, 3).join(', ')}; ${percent.toFixed(1)} % of ${lines} lines`,
      isMet: missed.length === 0 && percent >= 95 && files.length >= WHOLE.length,
    }
  },
})

interface Covered {
  readonly file: string
  readonly lines: number
  readonly run: number
  /** Lines with a branch that was never taken. */
  readonly branches: readonly number[]
}

function parse(lcov: string): readonly Covered[] {
  return lcov.split('end_of_record\n').flatMap((record) => {
    const file = /^SF:(.*)$/m.exec(record)?.[1]
    if (file === undefined) return []
    const branches = [...record.matchAll(/^BRDA:(\d+),\d+,\d+,0$/gm)].map(([, line]) => Number(line))
    return [{ file, branches, lines: countOf('LF', record), run: countOf('LH', record) }]
  })
}

function countOf(what: string, record: string): number {
  return Number(new RegExp(`^${what}:(\\d+)$`, 'm').exec(record)?.[1])
}

function lineOf(file: string, line: number): string {
  return readFileSync(join(CHECKOUT, file), 'utf8').split('\n')[line - 1] ?? ''
}
