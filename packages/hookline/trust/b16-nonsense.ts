// B16: typed, posted and answered at random and with malice, by what `npm test` does a few times for every change.
import { figure } from './figure.ts'
import { manyRounds } from './manyrounds.ts'

const TESTS = [
  'src/**/presetpayloads.test.ts',
  'src/**/mutations.test.ts',
  'test/fuzz.test.ts',
  'test/fuzz-sockets.test.ts',
  'test/hostile-handlers.test.ts',
  'test/isolation.test.ts',
]

export default figure({
  id: 'B16',
  promise:
    'Whatever people type, senders post and handlers do, nobody is told what is not theirs, and nothing gets out or in',
  goal: 'no test fails with 110,000 lines, 10,000 changed requests of each sender, and each attack and way out by handlers of both kinds',
  small: { rounds: 10 },
  smallMinutes: 10,
  whole: { rounds: 40 },
  wholeMinutes: 30,
  measure: ({ rounds }, { seed }) => manyRounds(TESTS, rounds, seed),
})
