// `repo bootstrap`: applies manifests, each as one plan. The present state is read first, so a second run continues.
import { resolve } from 'node:path'
import { wrong, type Answer } from '../failure.ts'
import type { Input } from '../table/commands.ts'
import type { Context, Outcome } from './context.ts'
import { readChecked } from './load.ts'
import { overMany, type Many } from './many.ts'
import { carryOut, prepare, type Bootstrapped } from './prepared.ts'
import { savePlans, type SavedPlan } from './saved.ts'

type BootstrapInput = Input<'repo bootstrap'>

export async function bootstrap(
  input: BootstrapInput,
  context: Context,
): Promise<Answer<Outcome<Bootstrapped | Many<Bootstrapped>>>> {
  const { enforce = false, allowPublic = false, ssh = false, open = false, planOut } = input
  const choice = { enforce, allowPublic, ssh }
  if (planOut !== undefined && context.apply)
    return wrong(
      'usage',
      '--plan-out is for a dry-run',
      'leave out --apply, and then: repo apply FILE --apply',
    )
  const saved: SavedPlan[] = []
  const targets = new Map<string, string>()
  const outcome = await overMany(input.file, context, async (file) => {
    const manifest = await readChecked(file, context)
    if (!manifest.ok) return manifest
    const prepared = await prepare(manifest.output, context, choice)
    if (!prepared.ok) return prepared
    const { plan } = prepared.output
    const other = targets.get(plan.target.toLowerCase())
    if (other !== undefined)
      return wrong('conflict', `${other} and ${file} are both for ${plan.target}`, 'leave out one of them')
    targets.set(plan.target.toLowerCase(), file)
    saved.push({ file, manifest: manifest.output, plan })
    return await carryOut(prepared.output, context, { open })
  })
  if (!outcome.ok || outcome.output.failure || planOut === undefined) return outcome
  const written = savePlans(resolve(context.cwd, planOut), { host: context.host.api, ...choice }, saved)
  return written.ok ? outcome : written
}
