// Secrets of Actions: a manifest has their names and the variables of the environment with their values, which are sealed when sent.
import { cannot, done, failed, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { unsaid } from '../host/foreign.ts'
import { path } from '../host/path.ts'
import type { Body, RequestStep, Step } from '../plan/step.ts'
import type { FullName } from './names.ts'
import { resource } from './resource.ts'

type Sources = Readonly<Record<string, string>>

/** No host shows the value: one that is there is left as it is. */
export const secrets = resource<Sources, readonly string[]>('secrets', {
  title: 'set the secrets',
  wanted: ({ secrets }) => secrets,
  lacks: ({ can, name }) => (can.secrets ? undefined : `Reposmith sets no secrets on ${name}`),
  read: async ({ client, place, exists }) => (exists ? await readNames(client, place) : done([])),
  steps: (place, wanted, present, { env }) =>
    Object.entries(wanted).map(([name, variable]) =>
      present.includes(name)
        ? { kind: 'unchanged', id: `secret:${name}`, title: `the secret ${name} is there` }
        : secretStep(place, name, variable, env),
    ),
  async written(client, place) {
    const read = await readNames(client, place)
    if (!read.ok) return read
    return done(
      read.output.length ? { secrets: Object.fromEntries(read.output.map((name) => [name, name])) } : {},
    )
  },
})

async function readNames(client: Client, { owner, name }: FullName): Promise<Answer<readonly string[]>> {
  const listed = await client.list(path('repos', owner, name, 'actions', 'secrets'), 'secrets')
  return listed.ok ? done((listed.output as readonly { name: string }[]).map((each) => each.name)) : listed
}

function secretStep(
  { owner, name: repository }: FullName,
  name: string,
  variable: string,
  env: NodeJS.ProcessEnv | undefined,
): Step {
  const id = `secret:${name}`
  const title = `set the secret ${name} to what ${variable} holds`
  if (env && !env[variable])
    return { kind: 'blocked', id, title, reason: `${variable} is not set in the environment`, asked: true }
  const base = path('repos', owner, repository, 'actions', 'secrets')
  return {
    kind: 'request',
    id,
    title,
    op: 'create',
    method: 'PUT',
    path: `${base}/${name}`,
    body: { encrypted_value: `{${variable}, sealed}`, key_id: '{key_id}' },
    sealed: { variable, key: `${base}/public-key` },
    asked: true,
  }
}

/** The body to send: what is to be sealed, sealed with the repository's key. */
export async function sealedBody(
  { body, sealed }: RequestStep,
  client: Client,
  env: NodeJS.ProcessEnv,
): Promise<Answer<Body | undefined>> {
  if (!sealed) return done(body ?? undefined)
  const value = env[sealed.variable]
  if (!value) return cannot('setup', `${sealed.variable} is not set in the environment`, 'set it')
  const read = await client.send('GET', sealed.key)
  if (!read.ok) return read
  const { key, key_id: id } = read.output.data as { readonly key?: unknown; readonly key_id?: unknown }
  if (typeof key !== 'string') return failed(unsaid(sealed.key, 'with which key secrets are sealed'))
  const { default: sodium } = await import('libsodium-wrappers')
  await sodium.ready
  const box = sodium.crypto_box_seal(Buffer.from(value, 'utf8'), Buffer.from(key, 'base64'))
  return done({ encrypted_value: Buffer.from(box).toString('base64'), key_id: id })
}
