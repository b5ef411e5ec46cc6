// `hookline preset …`: the templates that come with the server.
import type { Command } from '../../commands/command.ts'

export const presetOperations = [
  {
    name: 'preset list',
    summary: 'List the services with built-in templates',
    details:
      'A bot uses one with `bot create --preset NAME`, or `output.preset` in its bot.yaml. Its own templates take precedence, per event.',
    arguments: [],
    options: [],
    changes: false,
    where: 'files',
    examples: [{ run: 'hookline preset list', shows: 'names, and the purpose of each' }],
    exits: { 2: 'the home folder cannot be used' },
  },
  {
    name: 'preset show',
    summary: 'Show the templates of a preset',
    details:
      'How the service authenticates, which events it sends, and the template for each. To change a template, copy it to `output.templates` of the bot.',
    arguments: [{ name: 'name', description: 'name of the preset: slack', required: true }],
    options: [],
    changes: false,
    where: 'files',
    examples: [{ run: 'hookline preset show slack', shows: 'its templates by event' }],
    exits: { 1: 'no such preset', 2: 'the home folder cannot be used' },
  },
] as const satisfies readonly Command[]
