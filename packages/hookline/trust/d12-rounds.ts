// D12: what `npm test` does at random a few times for every change, done as often as it takes to meet what is rare.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { CHECKOUT } from '../bench/arguments.ts'
import { figure } from './figure.ts'

const TESTS = [
  'test/durability.test.ts',
  'test/fuzz.test.ts',
  'test/fuzz-restart.test.ts',
  'test/fuzz-sockets.test.ts',
  'test/hostile-handlers.test.ts',
  'test/isolation.test.ts',
  'test/messages.test.ts',
  'src/bots/presetpayloads.test.ts',
  'src/webhooks/mutations.test.ts',
]

export default figure({
  id: 'D12',
  promise:
    'Killed, stopped, restarted and typed at without end, the server keeps what it has acknowledged and tells nobody what is not theirs',
  goal: 'no test fails in 50 kills, 20 stops, 10 homes with 3 restarts each, 110,000 lines and 10,000 changed requests of each sender',
  small: { rounds: 10 },
  whole: { rounds: 40 },
  wholeMinutes: 40,
  async measure({ rounds }, { seed }) {
    const child = spawn(
      process.execPath,
      ['--test', '--test-reporter=tap', ...TESTS.map((each) => `packages/hookline/${each}`)],
      {
        cwd: CHECKOUT,
        env: { ...process.env, HOOKLINE_ROUNDS: String(rounds), HOOKLINE_FUZZ_SEED: String(seed) },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    const [told, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    const failed = [...told.matchAll(/^ *not ok \d+ - (.*)/gm)].map(([, title]) => title)
    const passed = /^# pass (\d+)/m.exec(told)?.[1] ?? '0'
    return {
      figure: `${rounds} rounds: ${passed} tests passed, ${failed.length} failed${failed[0] === undefined ? '' : `: ${failed[0]}`}`,
      isMet: code === 0 && failed.length === 0 && Number(passed) >= TESTS.length,
    }
  },
})
