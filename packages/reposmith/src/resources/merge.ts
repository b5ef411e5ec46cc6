// How pull requests are merged.
import { done, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { path } from '../host/path.ts'
import type { Manifest } from '../manifest.ts'
import { differences } from '../plan/diff.ts'
import type { Body, Step } from '../plan/step.ts'
import type { FullName } from './names.ts'
import { resource } from './resource.ts'

type Merge = NonNullable<Manifest['merge']>

/** Key of the manifest → key of the host. */
const KEYS = {
  commit: 'allow_merge_commit',
  squash: 'allow_squash_merge',
  rebase: 'allow_rebase_merge',
  auto: 'allow_auto_merge',
  update_branch: 'allow_update_branch',
  delete_branch: 'delete_branch_on_merge',
} as const satisfies Record<keyof Merge, string>

export const merge = resource<Merge, Body | undefined>('merge', {
  title: 'set how pull requests are merged',
  wanted: ({ merge }) => merge,
  lacks: ({ can, name }) => (can.merge ? undefined : `Reposmith sets no merge settings on ${name}`),
  read: async ({ client, place, exists }) => (exists ? await readSettings(client, place) : done(undefined)),
  steps: (place, wanted, present) => mergeSteps(place, wanted, present),
  async written(client, place) {
    const read = await readSettings(client, place)
    if (!read.ok) return read
    const told = Object.entries(KEYS).flatMap(([ours, theirs]) => {
      const value = read.output[theirs]
      return typeof value === 'boolean' ? [[ours, value] as const] : []
    })
    return done(told.length ? { merge: Object.fromEntries(told) } : {})
  },
})

/** A token that may not change them is not shown them. */
async function readSettings(client: Client, { owner, name }: FullName): Promise<Answer<Body>> {
  const read = await client.send('GET', path('repos', owner, name))
  return read.ok ? done(read.output.data as Body) : read
}

function mergeSteps({ owner, name }: FullName, wanted: Merge, present: Body | undefined): readonly Step[] {
  const body = Object.fromEntries(
    Object.entries(KEYS).flatMap(([ours, theirs]) => {
      const value = wanted[ours as keyof Merge]
      return value === undefined ? [] : [[theirs, value]]
    }),
  )
  if (Object.keys(body).length === 0) return []
  const diff = present && differences(present, body)
  if (diff?.length === 0)
    return [{ kind: 'unchanged', id: 'merge', title: 'pull requests are merged as wanted' }]
  return [
    {
      kind: 'request',
      id: 'merge',
      title: 'set how pull requests are merged',
      op: 'update',
      method: 'PATCH',
      path: path('repos', owner, name),
      body,
      ...(diff ? { diff } : {}),
      asked: true,
    },
  ]
}
