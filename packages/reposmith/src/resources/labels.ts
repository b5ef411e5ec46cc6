// Labels: those that are named are created or set; others are left.
import { done, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { path } from '../host/path.ts'
import type { ManifestLabel } from '../manifest.ts'
import { differences } from '../plan/diff.ts'
import type { Step } from '../plan/step.ts'
import type { FullName } from './names.ts'
import { resource } from './resource.ts'

interface Label {
  readonly name: string
  readonly color?: string
  readonly description?: string | null
}

export const labels = resource<readonly ManifestLabel[], readonly Label[]>('labels', {
  title: 'set the labels',
  wanted: ({ labels }) => labels,
  lacks: ({ can, name }) => (can.labels ? undefined : `Reposmith sets no labels on ${name}`),
  read: async ({ client, place, exists }) => (exists ? await readLabels(client, place) : done([])),
  steps: (place, wanted, present) => wanted.map((label) => labelStep(place, label, present)),
  async written(client, place) {
    const read = await readLabels(client, place)
    if (!read.ok) return read
    const all = read.output.map(({ name, color, description }) => ({
      name,
      ...(color ? { color } : {}),
      ...(description ? { description } : {}),
    }))
    return done(all.length ? { labels: all } : {})
  },
})

async function readLabels(client: Client, { owner, name }: FullName): Promise<Answer<readonly Label[]>> {
  const listed = await client.list(path('repos', owner, name, 'labels'))
  return listed.ok ? done(listed.output as readonly Label[]) : listed
}

function labelStep(
  { owner, name: repository }: FullName,
  label: ManifestLabel,
  present: readonly Label[],
): Step {
  const { name, color, description } = label
  const id = `label:${name}`
  // The host ignores case here.
  const is = present.find((each) => each.name.toLowerCase() === name.toLowerCase())
  const base = path('repos', owner, repository, 'labels')
  const about = {
    ...(color === undefined ? {} : { color: color.replace('#', '').toLowerCase() }),
    ...(description === undefined ? {} : { description }),
  }
  if (!is)
    return {
      kind: 'request',
      id,
      title: `create the label ${name}`,
      op: 'create',
      method: 'POST',
      path: base,
      body: { name, ...about },
      proof: { path: `${base}/${encodeURIComponent(name)}`, match: { name }, ignoresCase: true },
      asked: true,
    }
  const diff = [
    ...differences({ description: is.description ?? '', color: is.color?.toLowerCase() }, about),
    ...(is.name === name ? [] : [{ at: '/name', from: is.name, to: name }]),
  ]
  if (diff.length === 0) return { kind: 'unchanged', id, title: `the label ${name} is as wanted` }
  return {
    kind: 'request',
    id,
    title: `change the label ${name}`,
    op: 'update',
    method: 'PATCH',
    path: `${base}/${encodeURIComponent(is.name)}`,
    body: { ...(is.name === name ? {} : { new_name: name }), ...about },
    diff,
    asked: true,
  }
}
