// Shell completion of commands, options and bot names. The script runs `hookline complete -- …` at each Tab.
import { readdirSync } from 'node:fs'
import completions, { script, type Complete } from '@bomb.sh/tab'
import { type Argument, type Command, flagOf, type Option } from '../commands/command.ts'
import { groups, loadCommands } from '../commands/list.ts'
import { findHome } from '../home/home.ts'
import { explainable } from './explain.ts'
import { print } from '../commands/terminal.ts'

/** Prints the completion script for a shell; the script finds `hookline` through PATH. */
export function printScript(shell: string, json: boolean): void {
  const text = scriptFor(shell)
  print(json ? JSON.stringify({ shell, script: text }) : text)
}

/** Prints the candidates at the cursor, in the form that the script reads. */
export async function complete(args: readonly string[]): Promise<void> {
  // Where an option's value and an argument could both stand, the one asked last decides.
  let asked: Field | undefined
  const valuesFor = (field: Field) => (add: Complete) => {
    asked = field
    for (const value of valuesOf(field)) add(value, '')
  }
  for (const [group, about] of Object.entries(groups)) completions.command(group, about)
  for (const command of await loadCommands()) addTo(command, valuesFor)
  const lines = printed(() => completions.parse([...args]))
  print((asked?.completes === 'files' ? lines.with(-1, OFFER_FILES) : lines).join('\n'))
}

type Field = Argument | Option

function addTo(command: Command, valuesFor: (field: Field) => (add: Complete) => void): void {
  const added = completions.command(command.name, command.summary)
  for (const argument of command.arguments) {
    added.argument(argument.name, valuesFor(argument), argument.rest === true)
  }
  for (const option of command.options) {
    const flag = flagOf(option).slice(2)
    if (option.value) added.option(flag, option.description, valuesFor(option))
    else added.option(flag, option.description)
    if (option.clearable) added.option(`no-${flag}`, `undoes --${flag}`)
  }
  added.option('json', 'results and errors as JSON')
  added.option('help', 'how to use it')
}

/** The directive by which the library's scripts complete file names. The library's own last line, `:4`, forbids that. */
const OFFER_FILES = ':0'

function valuesOf(field: Field): readonly string[] {
  if (field.choices) return field.choices
  if (field.completes === 'bots') return botNames()
  return field.completes === 'explained' ? [...new Set(explainable().flatMap((name) => name.split(' ')))] : []
}

/** From the folder, so that no server is needed. */
function botNames(): readonly string[] {
  try {
    return readdirSync(findHome().bots, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
  } catch {
    return []
  }
}

/**
 * The library's bash script executes `$(…)` from the typed line, needs the package bash-completion, and complains when
 * loaded twice, so bash has its own.
 */
const BASH = `# bash completion for hookline
__hookline_complete() {
    local line value
    COMPREPLY=()
    while IFS= read -r line; do
        value=\${line%%$'\\t'*}
        if [[ $line == ${OFFER_FILES} ]]; then compopt -o default 2>/dev/null; fi
        if [[ $line != :* && $value == "\${COMP_WORDS[COMP_CWORD]}"* ]]; then COMPREPLY+=("$value"); fi
    done < <(hookline complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F __hookline_complete hookline`

function scriptFor(shell: string): string {
  if (shell === 'bash') return BASH
  const text = printed(() => script(shell, 'hookline', 'hookline')).join('\n')
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
