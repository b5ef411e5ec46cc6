// A manifest with the present state of the repository and the environments that it names.
import { resolve } from 'node:path'
import { done, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import { readManifest, type Manifest, type ManifestEnvironment } from '../manifest.ts'
import type { Step } from '../plan/step.ts'
import {
  environmentSteps,
  readEnvironment,
  type PresentEnvironment,
  type WantedEnvironment,
} from '../resources/environment.ts'
import { readPresent, withOwner, type Present } from '../resources/present.ts'
import { publisherOf, publisherStep } from '../resources/publisher.ts'
import type { WantedRepository } from '../resources/repository.ts'
import { findReviewers } from '../resources/reviewers.ts'
import { checkManifest, wantedEnvironment, wantedPermissions, wantedRepository } from '../resources/wanted.ts'
import type { Context } from './context.ts'

export interface Loaded {
  readonly manifest: Manifest
  readonly client: Client
  readonly wanted: WantedRepository
  readonly present: Present
}

/** Reads the manifest, and the present state of its repository; `onlyNamed`: without permissions that it does not name. */
export async function loadManifest(
  file: string,
  context: Context,
  { onlyNamed = false } = {},
): Promise<Answer<Loaded>> {
  const manifest = await readManifest(file === '-' ? file : resolve(context.cwd, file))
  if (!manifest.ok) return manifest
  const checked = checkManifest(manifest.output)
  if (!checked.ok) return checked
  const client = await context.connect()
  if (!client.ok) return client
  const wanted = await withOwner(wantedRepository(manifest.output), client.output)
  if (!wanted.ok) return wanted
  const permissions = wantedPermissions(manifest.output)
  const isRead = !onlyNamed || permissions.asked.actions || permissions.asked.workflowToken
  const read = await readPresent(client.output, wanted.output, isRead ? permissions : undefined, context.host)
  if (!read.ok) return read
  return done({
    manifest: manifest.output,
    client: client.output,
    wanted: wanted.output,
    present: read.output,
  })
}

export interface ManifestedEnvironment {
  readonly named: ManifestEnvironment
  readonly wanted: WantedEnvironment
  readonly present: PresentEnvironment | undefined
  readonly steps: readonly Step[]
}

/** Every environment with its steps; if the repository does not exist yet, all are created. */
export async function environmentsOf(
  loaded: Loaded,
  { host }: Context,
): Promise<Answer<readonly ManifestedEnvironment[]>> {
  const { manifest, client, wanted } = loaded
  const { repository } = loaded.present
  const asks = host.can.environments
  const environments: ManifestedEnvironment[] = []
  for (const environment of manifest.environments ?? []) {
    const reviewers = asks ? await findReviewers(client, environment.reviewers ?? []) : done([])
    if (!reviewers.ok) return reviewers
    const asked = wantedEnvironment(environment, wanted, reviewers.output)
    const exists = asks && repository.state === 'there'
    const present = exists ? await readEnvironment(client, asked) : done(undefined)
    if (!present.ok) return present
    environments.push({
      named: environment,
      wanted: asked,
      present: present.output,
      steps: [
        ...environmentSteps(asked, present.output, host),
        publisherStep(publisherOf(environment, asked)),
      ],
    })
  }
  return done(environments)
}
