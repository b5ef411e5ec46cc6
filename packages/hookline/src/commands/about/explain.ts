// `hookline explain`
import { verb } from '../command.ts'

export default verb({
  details: 'Without a path it lists what can be explained.',
  arguments: [
    {
      name: 'path',
      description: 'a command or a topic: bot create, template',
      rest: true,
      completes: 'explained',
    },
  ],
  options: [],
  changes: false,
  where: 'here',
  examples: [
    { run: 'hookline explain bot create', shows: 'arguments, options, examples and exit codes' },
    { run: 'hookline explain template', shows: 'how templates work' },
  ],
  exits: { 1: 'no such command or topic' },
})
