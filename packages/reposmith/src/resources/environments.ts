// The environments of a manifest, with the page of the index for each; and those of a repository, as a manifest names them.
import { done } from '../failure.ts'
import type { Client } from '../host/client.ts'
import type { Host } from '../host/host.ts'
import { path } from '../host/path.ts'
import type { Manifest, ManifestEnvironment, WrittenManifest } from '../manifest.ts'
import {
  environmentSteps,
  goneReviewers,
  readEnvironment,
  type Environment,
  type PresentEnvironment,
  type WantedEnvironment,
} from './environment.ts'
import type { FullName } from './names.ts'
import { environmentAndIndex, publisherOf, publisherStep } from './publisher.ts'
import { resource } from './resource.ts'
import { findReviewers } from './reviewers.ts'
import type { Warning } from './warning.ts'

type Environments = NonNullable<Manifest['environments']>

interface Read {
  readonly named: ManifestEnvironment
  readonly wanted: WantedEnvironment
  readonly present: PresentEnvironment | undefined
}

export const environments = resource<Environments, readonly Read[]>('environments', {
  title: 'set the environments',
  wanted: ({ environments }) => environments,
  // Each is a step of its own, which says so.
  lacks: () => undefined,
  async read({ client, host, place, exists }, wanted) {
    const all: Read[] = []
    for (const named of wanted) {
      const asks = host.can.environments
      const reviewers = asks ? await findReviewers(client, named.reviewers ?? []) : done([])
      if (!reviewers.ok) return reviewers
      const environment = wantedEnvironment(named, place)
      const asked = named.reviewers ? { ...environment, reviewers: reviewers.output } : environment
      const present = asks && exists ? await readEnvironment(client, asked) : done(undefined)
      if (!present.ok) return present
      all.push({ named, wanted: asked, present: present.output })
    }
    return done(all)
  },
  steps: (_place, _wanted, all, { host, enforce }) =>
    all.flatMap(({ named, wanted, present }) => [
      ...environmentSteps(wanted, present, host, { reset: false, exact: enforce }),
      publisherStep(publisherOf(named, wanted)),
    ]),
  warnings: (_wanted, all) => all.flatMap(({ wanted, present }) => goneReviewers(wanted, present)),
  written: writtenEnvironments,
})

/** Of its reviewers only the host knows the ids. */
function wantedEnvironment(named: ManifestEnvironment, { owner, name }: FullName): WantedEnvironment {
  const { branches, tags } = named
  return {
    owner,
    repository: name,
    name: environmentAndIndex(named).environment,
    branches: branches && [...new Set(branches)],
    tags: tags && [...new Set(tags)],
    protectedBranches: named.protected_branches,
    preventSelfReview: named.prevent_self_review,
    adminsBypass: named.admins_bypass,
    waitMinutes: named.wait_minutes,
  }
}

type WrittenEnvironment = NonNullable<WrittenManifest['environments']>[number]

async function writtenEnvironments(client: Client, place: FullName, { can }: Host) {
  if (!can.environments) return done({})
  const base = path('repos', place.owner, place.name, 'environments')
  const listed = await client.list(base, 'environments')
  if (!listed.ok) return listed
  const all: WrittenEnvironment[] = []
  const warnings: Warning[] = []
  for (const { name = '' } of listed.output as readonly Environment[]) {
    const where = { owner: place.owner, repository: place.name, name }
    const read = await readEnvironment(client, where)
    if (!read.ok) return read
    if (!read.output) continue
    all.push(written(name, read.output, place.owner))
    warnings.push(...goneReviewers(where, read.output))
  }
  return done({ ...(all.length ? { environments: all } : {}), warnings })
}

function written(name: string, { is, policies }: PresentEnvironment, owner: string): WrittenEnvironment {
  const of = (kind: string): string[] => policies.filter(({ type }) => type === kind).map((each) => each.name)
  const rules = is.protection_rules ?? []
  const review = rules.find(({ type }) => type === 'required_reviewers')
  const reviewers = (review?.reviewers ?? []).flatMap(({ type, reviewer }) => {
    if (!reviewer) return []
    return type === 'Team' ? [`${owner}/${reviewer.slug ?? ''}`] : [reviewer.login ?? '']
  })
  const minutes = rules.find(({ type }) => type === 'wait_timer')?.wait_timer
  return {
    name,
    ...(policies.length ? { branches: of('branch'), tags: of('tag') } : {}),
    ...(is.deployment_branch_policy?.protected_branches ? { protected_branches: true } : {}),
    ...(reviewers.length ? { reviewers } : {}),
    ...(reviewers.length && review?.prevent_self_review ? { prevent_self_review: true } : {}),
    ...(is.can_admins_bypass === false ? { admins_bypass: false } : {}),
    ...(minutes ? { wait_minutes: minutes } : {}),
  }
}
