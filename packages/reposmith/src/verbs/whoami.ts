// `whoami`: whom the token belongs to, according to the host.
import { done, type Answer } from '../failure.ts'
import { readUser, type User } from '../resources/user.ts'
import type { Context, Outcome } from './context.ts'

/** The host's own answer. */
export async function whoami(context: Context): Promise<Answer<Outcome<User>>> {
  const connected = await context.connect()
  if (!connected.ok) return connected
  const user = await readUser(connected.output)
  return user.ok ? done({ output: user.output }) : user
}
