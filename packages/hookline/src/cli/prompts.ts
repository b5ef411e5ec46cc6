// Asks on the terminal for what `bot create` needs and was not given. Questions go to stderr.
import { group, isCancel, password, text, type TextOptions } from '@clack/prompts'
import { done, wrong, type Answer } from '../control/failure.ts'
import type { LooseInput } from '../control/input.ts'

/** Name and owner must be given; channels and template are asked for too, and may be left empty. */
export async function askForBot(typed: LooseInput): Promise<Answer<LooseInput>> {
  let cancelled = false
  const answers = await group(
    {
      name: () =>
        given(typed['name']) ?? question('Short name of the bot', { placeholder: 'ghci', validate: needed }),
      owner: () =>
        given(typed['owner']) ??
        question('Owner, with the server in front', { placeholder: 'spark-ori', validate: needed }),
      channels: () =>
        given(typed['channels']) ?? question('Channels to post to', { placeholder: '#builds, #ops' }),
      template: () =>
        given(typed['template']) ??
        question('Message (empty: the whole payload)', { placeholder: '{body.text}' }),
    },
    {
      onCancel: () => {
        cancelled = true
      },
    },
  )
  if (cancelled) return wrong('usage', 'nothing was created', 'run it again when you know what it should be')
  const { name, owner, channels, template } = answers
  return done({
    ...typed,
    name,
    owner,
    ...(isEmpty(channels)
      ? {}
      : {
          channels: Array.isArray(channels)
            ? channels
            : String(channels)
                .split(/[\s,]+/)
                .filter(Boolean),
        }),
    ...(isEmpty(template) ? {} : { template }),
  })
}

/** Twice, since nobody sees what they type. */
export async function askForPassword(): Promise<Answer<string>> {
  const first = await password({ message: 'Password', output: process.stderr })
  const again = isCancel(first) ? first : await password({ message: 'Once more', output: process.stderr })
  if (isCancel(first) || isCancel(again))
    return wrong('usage', 'nothing was changed', 'run it again when you know what it should be')
  if (first === again) return done(first)
  return wrong('usage', 'the two are not the same', 'nothing was changed: run it again')
}

function question(message: string, options: Omit<TextOptions, 'message'>): Promise<string | symbol> {
  return text({ message, output: process.stderr, ...options })
}

function given(value: unknown): Promise<unknown> | undefined {
  return value === undefined ? undefined : Promise.resolve(value)
}

function needed(value: string | undefined): string | undefined {
  return value ? undefined : 'it needs one'
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === ''
}
