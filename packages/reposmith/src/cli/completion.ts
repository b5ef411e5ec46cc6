// Shell completion of commands, options and their values. The script runs `reposmith complete -- …` at each Tab.
import { RootCommand, script, type Complete } from '@bomb.sh/tab'
import { flagOf, type Command, type Field } from '../table/command.ts'
import { commands, groups } from '../table/commands.ts'
import { explainable } from './explain.ts'

/** The candidates at the cursor, in the form that the script reads. */
export function complete(args: readonly string[]): string {
  const completions = new RootCommand()
  // Where an option's value and an argument could both stand, the one asked last decides.
  let asked: Field | undefined
  const valuesFor = (field: Field) => (add: Complete) => {
    asked = field
    for (const value of valuesOf(field)) add(value, '')
  }
  for (const [group, about] of Object.entries(groups)) completions.command(group, about)
  for (const command of commands) addTo(completions, command, valuesFor)
  const lines = printed(() => completions.parse([...args]))
  return (asked?.completes === 'files' ? lines.with(-1, OFFER_FILES) : lines).join('\n')
}

function addTo(
  completions: RootCommand,
  { name, summary, arguments: args, options }: Command,
  valuesFor: (field: Field) => (add: Complete) => void,
): void {
  const command = completions.command(name, summary)
  for (const argument of args) command.argument(argument.name, valuesFor(argument), argument.rest === true)
  for (const option of options) {
    const flag = flagOf(option).slice(2)
    if (option.value) command.option(flag, option.description, valuesFor(option), option.short)
    else command.option(flag, option.description)
  }
  command.option('json', 'results and errors as JSON')
  command.option('help', 'how to use it')
}

/** The directive by which the library's scripts complete file names. The library's own last line, `:4`, forbids that. */
const OFFER_FILES = ':0'

function valuesOf({ choices, completes }: Field): readonly string[] {
  if (choices) return choices
  return completes === 'explained' ? [...new Set(explainable().flatMap((name) => name.split(' ')))] : []
}

/**
 * The library's bash script executes `$(…)` from the typed line, needs the package bash-completion, and complains when
 * loaded twice, so bash has its own.
 */
const BASH = `# bash completion for reposmith
__reposmith_complete() {
    local line value
    COMPREPLY=()
    while IFS= read -r line; do
        value=\${line%%$'\\t'*}
        if [[ $line == ${OFFER_FILES} ]]; then compopt -o default 2>/dev/null; fi
        if [[ $line != :* && $value == "\${COMP_WORDS[COMP_CWORD]}"* ]]; then COMPREPLY+=("$value"); fi
    done < <(reposmith complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F __reposmith_complete reposmith`

/** The completion script for a shell; it finds `reposmith` through PATH. */
export function scriptFor(shell: string): string {
  if (shell === 'bash') return BASH
  const text = printed(() => script(shell, 'reposmith', 'reposmith')).join('\n')
  return shell === 'zsh' ? text.replace(/^compdef /m, `${LOAD_COMPDEF}\n$&`) : text
}

/** zsh has no compdef until compinit has run. */
const LOAD_COMPDEF = '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }'

/** The library prints to the console: captured here. */
function printed(write: () => void): readonly string[] {
  const log = console.log
  const lines: string[] = []
  console.log = (text: string) => void lines.push(text)
  try {
    write()
  } finally {
    console.log = log
  }
  return lines
}
