// People and teams who approve a release. They are given as login or org/team; the host wants their ids.
import { done, wrong, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { path } from '../host/path.ts'
import { SCOPES } from '../host/token.ts'
import { REVIEWERS_MAX } from '../table/env.ts'
import { unfit } from './names.ts'

export interface Reviewer {
  readonly type: 'User' | 'Team'
  /** A placeholder in braces until the host is asked. */
  readonly id: number | string
}

export function checkReviewers(names: readonly string[]): Answer<undefined> {
  if (names.length > REVIEWERS_MAX)
    return wrong(
      'usage',
      `an environment may have at most ${REVIEWERS_MAX} reviewers`,
      'name a team instead, as org/team',
    )
  const odd = names.find((name) => !/^[a-z\d][\w.-]*(\/[a-z\d][\w.-]*)?$/i.test(name))
  return odd === undefined
    ? done(undefined)
    : unfit(odd, 'is not a valid reviewer', 'write a login, or a team as org/team')
}

/** Placeholders for a dry-run, which does not ask the host. */
export function unknownReviewers(names: readonly string[]): readonly Reviewer[] {
  return names.map((name) => ({ type: name.includes('/') ? 'Team' : 'User', id: `{id of ${name}}` }))
}

export async function findReviewers(
  client: Client,
  names: readonly string[],
): Promise<Answer<readonly Reviewer[]>> {
  const found: Reviewer[] = []
  for (const name of names) {
    const [org = '', team] = name.split('/')
    const read = await client.read(
      team === undefined ? path('users', name) : path('orgs', org, 'teams', team),
    )
    if (!read.ok) return read
    const { id, type } = (read.output ?? {}) as { readonly id?: number; readonly type?: string }
    if (id === undefined) return team === undefined ? noUser(name) : noTeam(name)
    if (team === undefined && type === 'Organization')
      return wrong(
        'invalid',
        `${name} is an organization, and cannot review`,
        `name one of its teams, as ${name}/team`,
      )
    found.push({ type: team === undefined ? 'User' : 'Team', id })
  }
  return done(found)
}

function noUser(name: string) {
  return wrong('not_found', `there is no reviewer ${name}`, 'check the login, or name a team as org/team')
}

/** The host answers 404 also to a token that may not see its teams. */
function noTeam(name: string) {
  return wrong(
    'not_found',
    `there is no reviewer ${name}, or the token may not see it`,
    `check the team as org/team; to see it, a token needs the scope ${SCOPES.organizations.join()}`,
  )
}
