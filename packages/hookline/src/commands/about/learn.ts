// `hookline learn`
import { verb } from '../command.ts'

export default verb({
  details: 'What hookline is, a five-minute start, every command in one line, and the common rules.',
  arguments: [],
  options: [],
  changes: false,
  where: 'here',
  examples: [{ run: 'hookline learn', shows: 'the page, as Markdown' }],
  exits: {},
})
