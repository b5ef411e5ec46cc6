// Commands that are still sorted by kind. Each moves to a file of its own.
import { brokenInside } from '../control/failure.ts'
import { shapeOf } from '../control/outputs/shapes.ts'
import type { Command, Verb } from './command.ts'
import { oldCommands } from './oldlist.ts'

/** A command of the old kind, as a verb. */
export async function old(name: string): Promise<{ readonly default: Verb }> {
  const { show } = await import('../cli/show.ts')
  const found: Command | undefined = oldCommands.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no command ${name}`)
  const { name: _, summary: __, ...facts } = found
  const output = shapeOf(name)
  const run: Verb['run'] = (context, input, call, needed) => {
    const { handlers } = needed as { readonly handlers: Readonly<Record<string, NonNullable<Verb['run']>>> }
    return handlers[name]?.(context, input, call, undefined) ?? brokenInside(name)
  }
  return {
    default: {
      ...facts,
      ...(output === undefined ? {} : { output }),
      ...(facts.where === 'here' ? {} : { run }),
      needs: () => import('./oldhandlers.ts'),
      show: (printed) => show(found, printed),
    },
  }
}
