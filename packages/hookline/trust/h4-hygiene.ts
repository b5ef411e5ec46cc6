// H4: kinds of code that cannot be made safe by care. The linter refuses most of them in every check; here they are counted.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../bench/arguments.ts'
import { figure } from './figure.ts'

const RULES = ['no-eval', 'no-new-func', 'typescript/no-implied-eval', 'typescript/no-floating-promises']
const MORE_RULES = ['typescript/no-misused-promises', 'typescript/prefer-promise-reject-errors']
/** In the sources of both packages, and where it is right. */
const BANNED: readonly (readonly [what: RegExp, except: RegExp])[] = [
  // A shell would read what is a name to us.
  [/\bshell: ?true|\bexecSync\(|[^.\w]exec\((?!')/, /^$/],
  // Whatever goes to people passes through one place that keeps line ends out.
  [/socket\.write\(/, /^packages\/hookline\/src\/(?:wire\/|control\/|webhooks\/|server\/controlsocket\.ts)/],
  [/^[^*]*\bas any\b(?!\.)|@ts-(?:ignore|nocheck)/, /^$/],
]

export default figure({
  id: 'H4',
  promise: 'No evaluated text, no shell, no promise whose failure nobody sees, one way to the wire',
  goal: '0 of each',
  small: {},
  whole: {},
  measure() {
    const files = globSync('packages/*/src/**/*.{ts,mjs}', { cwd: CHECKOUT }).filter(
      (file) => !file.includes('.test.'),
    )
    const found = files.flatMap((file) =>
      readFileSync(join(CHECKOUT, file), 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          BANNED.some(([what, except]) => what.test(line) && !except.test(file)) ? [`${file}:${at + 1}`] : [],
        ),
    )
    const rules = [...RULES, ...MORE_RULES].flatMap((rule) => ['--deny', rule])
    const linter = join(CHECKOUT, 'node_modules/.bin/oxlint')
    const { status, stdout } = spawnSync(
      linter,
      ['--type-aware', ...rules, 'packages/hookline/src', 'packages/reposmith/src'],
      {
        cwd: CHECKOUT,
        encoding: 'utf8',
      },
    )
    const linted = status === 0 ? [] : [stdout.trim().split('\n').at(-1) ?? '']
    return {
      figure:
        `${found.length + linted.length} in ${files.length} files ${[...found, ...linted].slice(0, 3).join(', ')}`.trim(),
      isMet: found.length + linted.length === 0 && files.length > 100,
    }
  },
})
