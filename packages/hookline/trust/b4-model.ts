// B4: sequences of commands against a model of the chat. A member who is still in a channel after it is gone would hear what is not theirs.
import { someActs } from '../test/fuzz/acts.ts'
import { House } from '../test/fuzz/house.ts'
import { someSettings } from '../test/fuzz/settings.ts'
import { figure } from './figure.ts'

export default figure({
  id: 'B4',
  promise:
    'Whatever several clients type, members, nicks and modes agree with what each was told, and nobody is left behind',
  goal: '5,000 sequences of commands: 0 broken invariants, 0 members left behind',
  small: { sequences: 50, acts: 100 },
  whole: { sequences: 5_000, acts: 100 },
  wholeMinutes: 30,
  async measure({ sequences, acts }, { seed }) {
    let told = 0
    const broken: string[] = []
    for (let round = 0; round < sequences; round++) {
      // The invariants are checked after each act, each line against what its reader may see, and at the end that all is empty.
      try {
        const house = new House(someSettings(seed + round), { keeps: true })
        await house.run(someActs(seed + round, acts))
        house.leave()
        told += house.told
      } catch (error) {
        broken.push(
          `seed ${seed + round}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
        )
      }
    }
    const example = broken[0] === undefined ? '' : `, such as ${broken[0]}`
    return {
      figure: `${sequences} sequences of ${acts} acts, ${told} lines told: ${broken.length} broken${example}`,
      isMet: broken.length === 0 && told > 0,
    }
  },
})
