// `repo drift`: where repositories differ from their manifests. Only what a manifest names is compared.
import { done, type Answer } from '../failure.ts'
import type { Step } from '../plan/step.ts'
import { quote } from '../plan/text.ts'
import type { Input } from '../table/commands.ts'
import type { Context, Outcome } from './context.ts'
import { load, readChecked, stepsOf, warningsOf, type Loaded } from './load.ts'
import { overMany, type Many } from './many.ts'
import type { Warning } from '../resources/warning.ts'

export interface Drifted {
  readonly success: true
  readonly in_sync: boolean
  readonly target: string
  readonly drift: readonly Drift[]
  /** The command that repairs the drift, if it repairs any. */
  readonly remediation?: string
  readonly warnings?: readonly Warning[]
}

interface Drift {
  /** `actions/allowed_actions` */
  readonly at: string
  readonly from: unknown
  readonly to: unknown
}

type DriftInput = Input<'repo drift'>

export async function drift(
  input: DriftInput,
  context: Context,
): Promise<Answer<Outcome<Drifted | Many<Drifted>>>> {
  return await overMany(input.file, context, async (file) => await driftOne(file, input, context))
}

async function driftOne(
  file: string,
  input: DriftInput,
  context: Context,
): Promise<Answer<Outcome<Drifted>>> {
  const manifest = await readChecked(file, context)
  if (!manifest.ok) return manifest
  const loaded = await load(manifest.output, context)
  if (!loaded.ok) return loaded
  const output = compare(loaded.output, file, context)
  return done({ output, ...(output.in_sync || input.exitZero ? {} : { exit: DIFFERS }) })
}

/** Apart from all that went wrong. */
const DIFFERS = 5

/** The steps that would enforce the manifest are where the repository differs. */
function compare(loaded: Loaded, file: string, context: Context): Drifted {
  const { repository, target } = loaded
  const all = stepsOf(loaded, context, { enforce: true, allowPublic: true, isForDrift: true })
  const some = stepsOf(loaded, context, { enforce: false, allowPublic: false, isForDrift: true })
  const former = repository.state === 'absent' ? repository.formerOf : undefined
  const found =
    repository.state === 'there'
      ? all.flatMap(driftOf)
      : [{ at: 'repository', from: former ?? null, to: target }]
  const command = `reposmith repo bootstrap -f ${quote(file)}${context.hostFlags}`
  const needs = some.flatMap(driftOf).length < all.flatMap(driftOf).length
  const isPublished = all.some(publishes)
  const flags = `${needs ? ' --enforce' : ''}${needs && isPublished ? ' --allow-public' : ''} --apply`
  // Bootstrap refuses what the host lacks, and for a renamed repository creates no other one.
  const isRefused = loaded.problem !== undefined || all.some(isBlocked)
  const mends = found.length > 0 && former === undefined && !isRefused
  const warnings = warningsOf(loaded, context, { enforce: true, allowPublic: true })
  return {
    success: true,
    in_sync: found.length === 0,
    target,
    drift: found,
    ...(mends ? { remediation: command + flags } : {}),
    ...(warnings.length && repository.state === 'there' ? { warnings } : {}),
  }
}

function isBlocked(step: Step): boolean {
  return step.kind === 'blocked' && step.asked
}

function publishes(step: Step): boolean {
  return step.kind === 'request' && step.id === 'settings' && step.body?.['visibility'] === 'public'
}

/** The differences that a step would change. */
function driftOf(step: Step): readonly Drift[] {
  if (step.kind === 'blocked' && step.asked) return [{ at: step.id, from: step.reason, to: step.title }]
  if (step.kind !== 'request') return []
  // What is a setting of the repository to the host is the repository's own in a manifest.
  const id = step.id === 'settings' ? 'repository' : step.id
  if (!step.diff?.length) return [{ at: id, from: null, to: step.sealed ? 'set' : step.body }]
  return step.diff.map(({ at, from, to }) => ({ at: `${id}${at}`, from, to }))
}
