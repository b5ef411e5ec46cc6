// Whom the token belongs to.
import { done, failed, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { unsaid } from '../host/foreign.ts'

export interface User {
  readonly login: string
  readonly id?: unknown
  readonly type?: unknown
  readonly name?: unknown
}

/** The token's login. */
export async function ownLogin(client: Client): Promise<Answer<string>> {
  const user = await readUser(client)
  return user.ok ? done(user.output.login) : user
}

export async function readUser(client: Client): Promise<Answer<User>> {
  const read = await client.send('GET', '/user')
  if (!read.ok) return read
  const user = read.output.data as Partial<User>
  return typeof user.login === 'string' && user.login !== ''
    ? done(user as User)
    : failed(unsaid('/user', 'whose the token is'))
}
