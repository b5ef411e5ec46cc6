// People and programs who type anything at all, in an in-memory chat. The same seed types the same.
//   HOOKLINE_ROUNDS=100 HOOKLINE_FUZZ_SEED=7 node --test packages/hookline/test/fuzz.test.ts
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { commands, effects } from '../src/chat/features/index.ts'
import { type Act, describe, someActs } from './fuzz/acts.ts'
import { House } from './fuzz/house.ts'
import { someSettings } from './fuzz/settings.ts'
import { shrink } from './fuzz/shrink.ts'
import { ROUNDS } from './rounds.ts'

const SEED = Number(process.env['HOOKLINE_FUZZ_SEED'] ?? 1)
/** This many lines in one chat; then a new one, so that a failure is quickly reproduced. */
const ROUND = 2_500
const LINES = 4 * ROUND * ROUNDS
const deadline = { timeout: 900_000 }

test(`${LINES} lines break no invariant`, deadline, async (t) => {
  const happened = new Set<string>()
  let told = 0
  for (let round = 0; round * ROUND < LINES; round++) {
    const seed = SEED + round
    const acts = someActs(seed, ROUND)
    const house = await live(seed, acts).catch(async (error: Error) =>
      assert.fail(await report(seed, acts, error)),
    )
    for (const kind of house.happened) happened.add(kind)
    told += house.told
  }
  t.diagnostic(`${told} lines were told to somebody, each read and held against what that client may see`)
  const never = Object.keys(effects).filter((kind) => !happened.has(kind))
  t.diagnostic(never.length === 0 ? 'every kind of event happened' : `never happened: ${never.join(' ')}`)
})

test('a generated round types every existing command', () => {
  const typed = new Set<string>()
  for (let seed = 0; seed < 4; seed++)
    for (const act of someActs(seed, ROUND))
      if (act.kind === 'send')
        for (const word of act.bytes.toString('latin1').split(/[\s]/)) typed.add(word.toUpperCase())
  assert.deepEqual(
    [...commands.keys()].filter((name) => !typed.has(name)),
    [],
  )
})

test(
  'a long run leaves nothing behind: everybody comes and goes, and the heap does not grow',
  deadline,
  (t) => {
    const file = `${import.meta.dirname}/fuzz/leak.ts`
    // Compiled code is in the heap too, at unpredictable times: without compilers, growth is what we keep.
    const flags = ['--expose-gc', '--no-sparkplug', '--no-maglev', '--no-opt']
    const told = execFileSync(process.execPath, [...flags, file], { encoding: 'utf8' })
    const { before, after } = JSON.parse(told) as { before: number; after: number }
    t.diagnostic(`${before} bytes before the last part, ${after} after it`)
    // A leaked session with its outbox and line buffer takes a few KiB, and hundreds come and go.
    assert.ok(after - before < 100_000, `${after - before} bytes more`)
  },
)

test('a failure is reduced to the necessary steps', async () => {
  const story = Array.from({ length: 1_000 }, (_, i) => i)
  const short = await shrink(story, (each) => Promise.resolve([17, 500, 501].every((i) => each.includes(i))))
  assert.deepEqual(short, [17, 500, 501])
})

async function report(seed: number, acts: readonly Act[], error: Error): Promise<string> {
  const fails = (shorter: readonly Act[]) => failureOf(seed, shorter).then((failure) => failure !== undefined)
  const short = await shrink(acts, fails)
  const last = (await failureOf(seed, short)) ?? error
  return [
    error.message,
    `again: HOOKLINE_FUZZ_SEED=${seed} node --test packages/hookline/test/fuzz.test.ts`,
    `it takes ${short.length} of ${acts.length} acts (the number is the connection's):`,
    ...short.map(describe),
    last.stack ?? last.message,
  ].join('\n')
}

function failureOf(seed: number, acts: readonly Act[]): Promise<Error | undefined> {
  return live(seed, acts).then(
    () => undefined,
    (error: Error) => error,
  )
}

async function live(seed: number, acts: readonly Act[]): Promise<House> {
  const house = new House(someSettings(seed), { keeps: true })
  await house.run(acts)
  house.leave()
  return house
}
