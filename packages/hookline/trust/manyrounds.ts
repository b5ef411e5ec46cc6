// Tests that do something at random, or in many ways, do it a few times in `npm test`; here as often as it takes to meet what is rare.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { CHECKOUT } from '../bench/arguments.ts'
import type { Measured } from './figure.ts'

/** `tests` are patterns of files of the package; each round is what `npm test` does. Throws if one is of no file. */
export async function manyRounds(tests: readonly string[], rounds: number, seed: number): Promise<Measured> {
  const files = tests.map((each) => `packages/hookline/${each}`)
  const gone = files.find((each) => globSync(each, { cwd: CHECKOUT }).length === 0)
  if (gone !== undefined) throw new Error(`there is no ${gone}`)
  const options = ['--test', '--test-concurrency=2', '--test-reporter=tap']
  const child = spawn(process.execPath, [...options, ...files], {
    cwd: CHECKOUT,
    env: { ...process.env, HOOKLINE_ROUNDS: String(rounds), HOOKLINE_FUZZ_SEED: String(seed) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [told, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const failed = [...told.matchAll(/^ *not ok \d+ - (.*)/gm)].map(([, title]) => title)
  const passed = Number(/^# pass (\d+)/m.exec(told)?.[1] ?? 0)
  const first = failed[0] === undefined ? '' : `, first: ${failed[0]}`
  return {
    figure: `${rounds} rounds: ${passed} tests passed, ${failed.length} failed${first}`,
    isMet: code === 0 && failed.length === 0 && passed >= tests.length,
  }
}
