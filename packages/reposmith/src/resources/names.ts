// Which names and texts the host accepts, checked before any request.
import { done, wrong, type Answer } from '../failure.ts'

/** Reports the first that the host would refuse. */
export function checkNames(names: {
  readonly repository?: string
  readonly description?: string | undefined
  readonly owner?: string | undefined
  readonly environment?: string
  readonly topics?: readonly string[]
  readonly template?: string | undefined
  readonly workflow?: string
}): Answer<undefined> {
  const { repository, description, owner, environment, topics = [], template, workflow } = names
  if (repository !== undefined && !isRepository(repository))
    return unfit(repository, 'cannot be the name of a repository', nameAdvice(repository))
  if (description !== undefined && CONTROL.test(description))
    return wrong(
      'usage',
      'the description has a line break or another control character',
      'write it in one line',
    )
  if (owner !== undefined && !isOwner(owner))
    return unfit(
      owner,
      'cannot own a repository',
      'use only letters, digits, - _ and ., and begin with a letter or digit',
    )
  if (environment !== undefined && !isEnvironment(environment))
    return unfit(environment, 'cannot be the name of an environment', 'choose another')
  const topic = topics.find((each) => !/^[a-z\d][a-z\d-]{0,49}$/.test(each))
  if (topic !== undefined)
    return unfit(
      topic,
      'cannot be a topic',
      'use only lowercase letters, digits and -, at most 50, and begin with a letter or digit',
    )
  if (template !== undefined && splitName(template) === undefined)
    return unfit(template, 'is not a template repository', 'write it as owner/name')
  // An index compares the bare file name.
  if (workflow !== undefined && !/^[^/\\]+\.ya?ml$/.test(workflow))
    return unfit(
      workflow,
      'is not the file name of a workflow',
      'write it without its folder, as publish.yml',
    )
  return done(undefined)
}

/** `"My Widget" cannot be a topic` */
export function unfit(value: string, why: string, remedy: string) {
  return wrong('usage', `${JSON.stringify(value)} ${why}`, remedy)
}

export interface FullName {
  readonly owner: string
  readonly name: string
}

/** `octo/widget` → both parts; undefined for anything else. */
export function splitName(text: string): FullName | undefined {
  const [owner = '', name = '', ...more] = text.split('/')
  return more.length === 0 && isOwner(owner) && isRepository(name) ? { owner, name } : undefined
}

export interface Place {
  /** Without it, the token's own account. */
  readonly owner: string | undefined
  readonly repository: string
}

/** `octo/widget`, or `widget` and perhaps `--owner octo`. */
export function placeFrom(typed: string, owner: string | undefined, flag: 'owner' | 'org'): Answer<Place> {
  if (!typed.includes('/')) return done({ owner, repository: typed })
  const full = splitName(typed)
  if (!full)
    return unfit(
      typed,
      'cannot be the name of a repository',
      nameAdvice(typed, `write it as owner/name, or the name alone and --${flag}`),
    )
  // The host ignores case here.
  if (owner !== undefined && owner.toLowerCase() !== full.owner.toLowerCase())
    return wrong('usage', `${typed} names another owner than --${flag}`, 'give the owner once')
  return done({ owner: full.owner, repository: full.name })
}

/** Advice about an invalid `name`; `withSlash` is that for a name with its owner. */
function nameAdvice(
  name: string,
  withSlash = 'give the name alone; an organization is named with --org, or with org: in repo.yaml',
): string {
  if (/\.git$/i.test(name)) return 'leave out .git: it is only part of the URL'
  if (name.includes('/')) return withSlash
  return 'use only letters, digits, - _ and ., at most 100'
}

/** A name with `.git` at its end is taken from a clone URL. */
function isRepository(name: string): boolean {
  return /^[\w.-]{1,100}$/.test(name) && !/^\.{1,2}$|\.git$/i.test(name)
}

const CONTROL = /\p{Cc}/u

/** Half a surrogate pair has no place in a URL. */
function isEnvironment(name: string): boolean {
  return !/^\.{0,2}$/.test(name) && name.length <= 255 && !CONTROL.test(name) && name.isWellFormed()
}

function isOwner(owner: string): boolean {
  return /^[a-z\d][\w.-]{0,99}$/i.test(owner)
}
