// Variables of Actions: those that are named are created or set; others are left.
import { done, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { path } from '../host/path.ts'
import type { Step } from '../plan/step.ts'
import type { FullName } from './names.ts'
import { resource } from './resource.ts'

type Values = Readonly<Record<string, string>>

export const variables = resource<Values, Values>('variables', {
  title: 'set the variables',
  wanted: ({ variables }) => variables,
  lacks: ({ can, name }) => (can.variables ? undefined : `Reposmith sets no variables on ${name}`),
  read: async ({ client, place, exists }) => (exists ? await readVariables(client, place) : done({})),
  steps: (place, wanted, present) =>
    Object.entries(wanted).map(([name, value]) => variableStep(place, name, value, present[name])),
  async written(client, place) {
    const read = await readVariables(client, place)
    if (!read.ok) return read
    return done(Object.keys(read.output).length ? { variables: read.output } : {})
  },
})

async function readVariables(client: Client, { owner, name }: FullName): Promise<Answer<Values>> {
  const listed = await client.list(path('repos', owner, name, 'actions', 'variables'), 'variables')
  if (!listed.ok) return listed
  const all = listed.output as readonly { readonly name: string; readonly value: string }[]
  return done(Object.fromEntries(all.map((each) => [each.name, each.value])))
}

function variableStep(
  { owner, name: repository }: FullName,
  name: string,
  value: string,
  is: string | undefined,
): Step {
  const id = `variable:${name}`
  const base = path('repos', owner, repository, 'actions', 'variables')
  if (is === value) return { kind: 'unchanged', id, title: `the variable ${name} is as wanted` }
  const common = { kind: 'request', id, body: { name, value }, asked: true } as const
  return is === undefined
    ? {
        ...common,
        title: `create the variable ${name}`,
        op: 'create',
        method: 'POST',
        path: base,
        proof: { path: `${base}/${name}`, match: { name } },
      }
    : {
        ...common,
        title: `change the variable ${name}`,
        op: 'update',
        method: 'PATCH',
        path: `${base}/${name}`,
        diff: [{ at: '/value', from: is, to: value }],
      }
}
