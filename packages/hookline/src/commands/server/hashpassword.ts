// `server hash-password`: makes the password hash for server.yaml.
import { DEFAULT_COST, hashPassword } from '../../accounts/passwords.ts'
import { SHORTEST_PASSWORD } from '../../accounts/rules.ts'
import { newSecret } from '../../bots/secret.ts'
import { cannot, done, wrong, type Answer } from '../../control/failure.ts'
import type { PasswordHash } from '../../control/outputs/server.ts'
import type { Context } from '../context.ts'
import type { Input } from '../oldlist.ts'

export async function makeHash(
  _: Context,
  { password, generate = false }: Input<'server hash-password'>,
): Promise<Answer<PasswordHash>> {
  if (generate && password !== undefined)
    return wrong('usage', '--generate and --password exclude each other', 'leave one of them out')
  const given = generate ? newSecret() : password
  if (!given) return wrong('usage', 'no password was given', 'add --generate or --password -')
  if (given.length < SHORTEST_PASSWORD)
    return wrong(
      'refused',
      `a password must have at least ${SHORTEST_PASSWORD} characters`,
      'choose a longer one, or have one made: --generate',
    )
  const hash = await hashPassword(given, DEFAULT_COST)
  if (hash === undefined)
    return cannot('setup', 'the server is hashing too many passwords right now', 'run it again')
  return done({ password_hash: hash, password: generate ? given : null })
}
