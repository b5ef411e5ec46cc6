// Commands about reposmith itself, and `whoami`.
import type { Command } from './command.ts'
import { HOST_EXITS, HOST_OPTIONS } from './shared.ts'

export const aboutCommands = [
  {
    name: 'learn',
    summary: 'Learn reposmith in one page, as a person or an agent',
    details: 'Needs neither network nor token. With `--json`, the same facts as data.',
    arguments: [],
    options: [],
    changes: false,
    endpoints: [],
    examples: [{ run: 'reposmith learn', shows: 'the page' }],
    exits: {},
  },
  {
    name: 'explain',
    summary: 'Explain a command or topic, as Markdown',
    details: 'Needs neither network nor token. Without a path it lists what can be explained.',
    arguments: [
      {
        name: 'path',
        description: 'a command or topic: repo create',
        rest: true,
        completes: 'explained',
      },
    ],
    options: [],
    changes: false,
    endpoints: [],
    examples: [{ run: 'reposmith explain repo create', shows: 'all about creating a repository' }],
    exits: { 1: 'no such name; the nearest is suggested' },
  },
  {
    name: 'whoami',
    summary: 'Show whom the token belongs to',
    details: "Verifies the token with `GET /user`. With `--json`, the host's raw response.",
    arguments: [],
    options: HOST_OPTIONS,
    changes: false,
    endpoints: ['GET /user'],
    examples: [{ run: 'reposmith whoami', shows: 'login, id, type and name' }],
    exits: { 1: 'an argument is wrong', ...HOST_EXITS },
  },
  {
    name: 'completion',
    summary: 'Print the shell completion script',
    details: `In your shell's startup file:

    source <(reposmith completion bash)          # ~/.bashrc
    source <(reposmith completion zsh)           # ~/.zshrc
    reposmith completion fish | source           # ~/.config/fish/config.fish
    reposmith completion powershell | Out-String | Invoke-Expression`,
    arguments: [
      {
        name: 'shell',
        description: 'which shell',
        required: true,
        choices: ['bash', 'zsh', 'fish', 'powershell'],
      },
    ],
    options: [],
    changes: false,
    endpoints: [],
    examples: [{ run: 'reposmith completion bash', shows: 'the script for bash' }],
    exits: { 1: 'unsupported shell' },
  },
] as const satisfies readonly Command[]
