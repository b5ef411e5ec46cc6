// `whoami`: whom the token belongs to, as the host says.
import { done, type Answer } from '../failure.ts'
import type { Context, Outcome } from './context.ts'

export interface User {
  readonly login?: unknown
  readonly id?: unknown
  readonly type?: unknown
  readonly name?: unknown
}

/** The host's own answer. */
export async function whoami(context: Context): Promise<Answer<Outcome<User>>> {
  const connected = await context.connect()
  if (!connected.ok) return connected
  const user = await connected.output.send('GET', '/user')
  return user.ok ? done({ output: user.output.data as User }) : user
}
