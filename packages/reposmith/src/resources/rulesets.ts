// Rulesets of the repository itself, such as one that protects tags: those that are named are created or set; others are left.
import { isDeepStrictEqual } from 'node:util'
import { done, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { path } from '../host/path.ts'
import type { Manifest, ManifestRuleset } from '../manifest.ts'
import { differences } from '../plan/diff.ts'
import type { Body, Step } from '../plan/step.ts'
import type { FullName } from './names.ts'
import { resource } from './resource.ts'

interface Rule {
  readonly type: string
  readonly parameters?: Body | undefined
}

interface Ruleset {
  readonly id: number
  readonly name: string
  readonly target?: string
  readonly enforcement?: string
  readonly source_type?: string
  readonly conditions?: { readonly ref_name?: RefNames } | null
  readonly rules?: readonly Rule[]
  readonly bypass_actors?: readonly Body[] | null
}

interface RefNames {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

type Rulesets = NonNullable<Manifest['rulesets']>

export const rulesets = resource<Rulesets, readonly Ruleset[]>('rulesets', {
  title: 'set the rulesets',
  wanted: ({ rulesets }) => rulesets,
  lacks: ({ can, name }) => (can.rulesets ? undefined : `${name} has no rulesets`),
  async read({ client, place, exists }, wanted) {
    return exists
      ? await readRulesets(client, place, (name) => wanted.some((each) => each.name === name))
      : done([])
  },
  steps: (place, wanted, present) => wanted.map((each) => rulesetStep(place, each, present)),
  async written(client, place) {
    const read = await readRulesets(client, place, () => true)
    if (!read.ok) return read
    const branchOrTag = read.output.filter(({ target }) => target === 'branch' || target === 'tag')
    const others = read.output.filter((each) => !branchOrTag.includes(each))
    const warnings = others.map(({ name, target }) => ({
      code: 'not_imported',
      message: `the ruleset ${name} is for ${target ?? 'something else'}, which a manifest cannot say`,
    }))
    return done({ ...(branchOrTag.length ? { rulesets: branchOrTag.map(written) } : {}), warnings })
  },
})

/** Those of the repository itself, and not those of its organization. The list lacks their rules. */
async function readRulesets(
  client: Client,
  { owner, name }: FullName,
  isMeant: (name: string) => boolean,
): Promise<Answer<readonly Ruleset[]>> {
  const base = path('repos', owner, name, 'rulesets')
  const listed = await client.list(`${base}?includes_parents=false`)
  if (!listed.ok) return listed
  const found: Ruleset[] = []
  for (const each of listed.output as readonly Ruleset[]) {
    if (!isMeant(each.name)) continue
    const read = await client.send('GET', `${base}/${each.id}?includes_parents=false`)
    if (!read.ok) return read
    found.push(read.output.data as Ruleset)
  }
  return done(found)
}

function rulesetStep(
  { owner, name: repository }: FullName,
  wanted: ManifestRuleset,
  present: readonly Ruleset[],
): Step {
  const { name } = wanted
  const id = `ruleset:${name}`
  const base = path('repos', owner, repository, 'rulesets')
  const is = present.find((each) => each.name === name)
  const body = bodyOf(wanted, is)
  if (!is)
    return {
      kind: 'request',
      id,
      title: `create the ruleset ${name}`,
      op: 'create',
      method: 'POST',
      path: base,
      body,
      proof: { path: `${base}?includes_parents=false`, list: null, match: { name } },
      asked: true,
    }
  const diff = differences(comparable(is), comparable(body as unknown as Ruleset))
  if (diff.length === 0) return { kind: 'unchanged', id, title: `the ruleset ${name} is as wanted` }
  return {
    kind: 'request',
    id,
    title: `change the ruleset ${name}`,
    op: 'update',
    method: 'PUT',
    path: `${base}/${is.id}`,
    body,
    diff,
    asked: true,
  }
}

/** Parameters of a rule that the manifest does not name stay as they are. */
function bodyOf(wanted: ManifestRuleset, is: Ruleset | undefined): Body {
  const { name, target, enforcement, include, exclude = [], bypass } = wanted
  const rules = wanted.rules.map((each): Rule => {
    const { type, parameters } = typeof each === 'string' ? { type: each } : each
    const was = is?.rules?.find((rule) => rule.type === type)?.parameters
    const all = { ...COMPLETE[type], ...was, ...parameters }
    return Object.keys(all).length ? { type, parameters: all } : { type }
  })
  const full = (pattern: string): string =>
    /^(~|refs\/)/.test(pattern) ? pattern : `${PREFIX[target]}${pattern}`
  return {
    name,
    target,
    enforcement,
    conditions: { ref_name: { include: include.map(full), exclude: exclude.map(full) } },
    rules,
    ...(bypass ? { bypass_actors: bypass } : {}),
  }
}

/** Parameters without which the host refuses a rule, each in its weakest form. */
const COMPLETE: Readonly<Record<string, Body>> = {
  pull_request: {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    required_review_thread_resolution: false,
  },
  required_status_checks: { strict_required_status_checks_policy: false },
}

const PREFIX = { branch: 'refs/heads/', tag: 'refs/tags/' } as const

/** In one order, and without what says nothing. */
function comparable({ name, target, enforcement, conditions, rules, bypass_actors: bypass }: Ruleset): Body {
  const { include = [], exclude = [] } = conditions?.ref_name ?? {}
  const byType = (rules ?? []).map(({ type, parameters }) => (parameters ? { type, parameters } : { type }))
  return {
    name,
    target,
    enforcement,
    conditions: { ref_name: { include: include.toSorted(), exclude: exclude.toSorted() } },
    rules: byType.toSorted((a, b) => a.type.localeCompare(b.type)),
    ...(bypass ? { bypass_actors: bypass.map(actor) } : {}),
  }
}

function written({
  name,
  target,
  enforcement,
  conditions,
  rules = [],
  bypass_actors: bypass,
}: Ruleset): Rulesets[number] {
  const kind = target === 'tag' ? 'tag' : 'branch'
  const { include = [], exclude = [] } = conditions?.ref_name ?? {}
  const short = (pattern: string): string => {
    const rest = pattern.startsWith(PREFIX[kind]) ? pattern.slice(PREFIX[kind].length) : pattern
    return /^(~|refs\/|$)/.test(rest) ? pattern : rest
  }
  return {
    name,
    target: kind,
    enforcement: enforcement as 'active',
    include: include.map(short),
    ...(exclude.length ? { exclude: exclude.map(short) } : {}),
    rules: rules.map(({ type, parameters = {} }) =>
      isDeepStrictEqual(parameters, {}) ? type : { type, parameters },
    ),
    ...(bypass?.length ? { bypass: bypass.map(actor) } : {}),
  }
}

function actor({ actor_id: id = null, actor_type: type, bypass_mode: mode = 'always' }: Body) {
  return {
    actor_id: id as number | null,
    actor_type: String(type),
    bypass_mode: mode as 'always',
  }
}
