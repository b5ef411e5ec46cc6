// `hookline completion`
import { verb } from '../command.ts'

export default verb({
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
})
