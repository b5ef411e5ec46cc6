// Operations about hookline itself. They need neither network nor server.
import type { Command } from '../../commands/command.ts'

export const aboutOperations = [
  {
    name: 'learn',
    summary: 'Teach yourself hookline: a page to read or to give to an agent',
    details: 'What hookline is, a five-minute start, every command in one line, and the common rules.',
    arguments: [],
    options: [],
    changes: false,
    where: 'here',
    examples: [{ run: 'hookline learn', shows: 'the page, as Markdown' }],
    exits: {},
  },
  {
    name: 'explain',
    summary: 'Explain a command or a topic, as Markdown',
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
  },
  {
    name: 'completion',
    summary: 'Print the shell completion script',
    details: `In your shell's startup file:

    source <(hookline completion bash)          # ~/.bashrc
    source <(hookline completion zsh)           # ~/.zshrc
    hookline completion fish | source           # ~/.config/fish/config.fish
    hookline completion powershell | Out-String | Invoke-Expression`,
    arguments: [
      {
        name: 'shell',
        description: 'the shell',
        required: true,
        choices: ['bash', 'zsh', 'fish', 'powershell'],
      },
    ],
    options: [],
    changes: false,
    where: 'here',
    examples: [
      { run: 'source <(hookline completion bash)', shows: 'Tab completes commands, options and bot names' },
    ],
    exits: { 1: 'unsupported shell' },
  },
] as const satisfies readonly Command[]
