// Prompts on the terminal for what `bot create` lacks. Questions go to stderr.
import { isCancel, password, text, updateSettings, type TextOptions } from '@clack/prompts'
import { done, wrong, type Answer } from '../control/failure.ts'
import type { LooseInput } from '../commands/input.ts'

// Ctrl-D cancels: it ends standard input, after which no question could be answered.
updateSettings({ aliases: { '\u0004': 'cancel' } })

/** Name and owner must be given; channels and template are asked for too, and may be left empty. A preset has templates. */
export async function askForBot(typed: LooseInput): Promise<Answer<LooseInput>> {
  const input: Record<string, unknown> = { ...typed }
  for (const { name, message, ...options } of QUESTIONS) {
    if (input[name] !== undefined || (name === 'template' && input['preset'] !== undefined)) continue
    const answer = await text({ message, output: process.stderr, ...options })
    if (isCancel(answer))
      return wrong('usage', 'nothing was created', 'run it again when you know what it should be')
    if (answer) input[name] = name === 'channels' ? answer.split(/[\s,]+/).filter(Boolean) : answer
  }
  return done(input)
}

/** Asked twice, as nobody sees what they type. */
export async function askForPassword(): Promise<Answer<string>> {
  const first = await password({ message: 'Password', output: process.stderr })
  const again = isCancel(first)
    ? first
    : await password({ message: 'Repeat the password', output: process.stderr })
  if (isCancel(first) || isCancel(again))
    return wrong('usage', 'nothing was changed', 'run it again when you know what it should be')
  if (first === again) return done(first)
  return wrong('usage', 'the two passwords differ', 'nothing was changed: try again')
}

function needed(value: string | undefined): string | undefined {
  return value ? undefined : 'required'
}

const QUESTIONS: readonly (TextOptions & { readonly name: string })[] = [
  { name: 'name', message: 'Short name of the bot', placeholder: 'ghci', validate: needed },
  {
    name: 'owner',
    message: 'Owner, prefixed with the server name',
    placeholder: 'spark-ori',
    validate: needed,
  },
  { name: 'channels', message: 'Channels to post to', placeholder: '#builds, #ops' },
  { name: 'template', message: 'Message (empty: the whole payload)', placeholder: '{body.text}' },
]
