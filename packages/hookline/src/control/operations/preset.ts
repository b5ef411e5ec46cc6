// `hookline preset …`: the templates that come with the server.
import type { Operation } from '../operation.ts'

export const presetOperations = [
  {
    name: 'preset list',
    summary: 'List the services that there are templates for',
    details:
      'A bot takes one with `bot create --preset NAME`, or with `output.preset` in its bot.yaml. Templates of its own win, event by event.',
    arguments: [],
    options: [],
    changes: false,
    where: 'files',
    examples: [{ run: 'hookline preset list', shows: 'names, and what each is for' }],
    exits: { 2: 'the home folder cannot be used' },
  },
  {
    name: 'preset show',
    summary: 'Show the templates of a preset',
    details:
      'How the service proves itself, which events it sends, and what is said of each. A template that does not suit you: copy it to `output.templates` of the bot.',
    arguments: [{ name: 'name', description: 'name of the preset: slack', required: true }],
    options: [],
    changes: false,
    where: 'files',
    examples: [{ run: 'hookline preset show slack', shows: 'its templates by event' }],
    exits: { 1: 'there is no preset of that name', 2: 'the home folder cannot be used' },
  },
] as const satisfies readonly Operation[]
