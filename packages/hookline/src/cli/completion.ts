// Tab in the shell: commands, options and names of bots. The script asks `hookline complete -- …` each time.
import { readdirSync } from 'node:fs'
import completions, { script, type Complete } from '@bomb.sh/tab'
import type { Argument, Operation, Option } from '../control/operation.ts'
import { flagOf } from '../control/operation.ts'
import { groups, operations } from '../control/operations.ts'
import { findHome } from '../home.ts'
import { print } from './terminal.ts'

/** Prints the script for a shell; what it runs is found through PATH as `hookline`. */
export function printScript(shell: string, json: boolean): void {
  const text = scriptFor(shell)
  print(json ? JSON.stringify({ shell, script: text }) : text)
}

/** What could stand at the cursor, as the script reads it. */
export function complete(args: readonly string[]): void {
  for (const [group, about] of Object.entries(groups)) completions.command(group, about)
  for (const operation of operations) addTo(operation)
  completions.parse([...args])
}

function addTo(operation: Operation): void {
  const command = completions.command(operation.name, operation.summary)
  for (const argument of operation.arguments) {
    command.argument(argument.name, (add) => offer(add, valuesOf(argument)), argument.rest === true)
  }
  for (const option of operation.options) {
    if (option.value)
      command.option(flagOf(option).slice(2), option.description, (add) => offer(add, valuesOf(option)))
    else command.option(flagOf(option).slice(2), option.description)
  }
  command.option('json', 'results and errors as JSON')
  command.option('help', 'how to use it')
}

function offer(add: Complete, values: readonly string[]): void {
  for (const value of values) add(value, '')
}

function valuesOf(field: Argument | Option): readonly string[] {
  if (field.choices) return field.choices
  if (!('completes' in field)) return []
  return field.completes === 'bots'
    ? botNames()
    : [...new Set(operations.flatMap(({ name }) => name.split(' ')))]
}

/** From the folder: a server need not run for that. */
function botNames(): readonly string[] {
  try {
    return readdirSync(findHome().bots, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  } catch {
    return []
  }
}

/**
 * Bash's is our own: the library's runs what stands in `$(…)` on the line that is typed, wants the package bash-completion, and
 * complains where it is loaded twice.
 */
const BASH = `# bash completion for hookline
__hookline_complete() {
    local line value
    COMPREPLY=()
    while IFS= read -r line; do
        value=\${line%%$'\\t'*}
        if [[ $line != :* && $value == "\${COMP_WORDS[COMP_CWORD]}"* ]]; then COMPREPLY+=("$value"); fi
    done < <(hookline complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F __hookline_complete hookline`

/** The library can only print it. */
function scriptFor(shell: string): string {
  if (shell === 'bash') return BASH
  const write = console.log
  const lines: string[] = []
  console.log = (text: string) => void lines.push(text)
  try {
    script(shell, 'hookline', 'hookline')
  } finally {
    console.log = write
  }
  return lines.join('\n')
}
