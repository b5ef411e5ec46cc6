// D12: killed, stopped and started again, over and over, by what `npm test` does a few times for every change.
import { figure } from './figure.ts'
import { manyRounds } from './manyrounds.ts'

const TESTS = ['test/durability.test.ts', 'test/fuzz-restart.test.ts', 'test/messages.test.ts']

export default figure({
  id: 'D12',
  promise:
    'However often it is killed or stopped, the server keeps what it has acknowledged, in its order and its threads',
  goal: 'no test fails in 70 kills and 20 stops under load, and in 10 homes with 3 restarts each',
  small: { rounds: 10 },
  smallMinutes: 10,
  whole: { rounds: 40 },
  wholeMinutes: 30,
  measure: ({ rounds }, { seed }) => manyRounds(TESTS, rounds, seed),
})
