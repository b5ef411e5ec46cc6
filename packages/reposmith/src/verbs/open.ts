// `--open`: the page of each step that is left to a person, in their browser.
import type { Step } from '../plan/step.ts'
import { findTool } from '../scaffold/tools.ts'
import type { Warning } from '../resources/warning.ts'
import type { Context } from './context.ts'

/** Opens each page once; warns if nothing here can. */
export async function openPages(
  steps: readonly Step[],
  { env, cwd, execute }: Context,
): Promise<readonly Warning[]> {
  const urls = [...new Set(steps.flatMap((step) => (step.kind === 'manual' ? step.url : [])))]
  const opener = [env['BROWSER'], 'xdg-open', 'open'].flatMap(
    (name) => (name && findTool(name, env, cwd)) || [],
  )[0]
  if (opener === undefined && urls.length > 0)
    return [{ code: 'not_opened', message: 'no browser was found: set BROWSER, or open the page yourself' }]
  for (const url of urls) {
    const ran = await execute({
      kind: 'run',
      id: 'open',
      title: `open ${url}`,
      op: 'run',
      argv: [opener ?? '', url],
      cwd,
    })
    if (!ran.ok) return [{ code: 'not_opened', message: `${url} was not opened: ${ran.error.message}` }]
  }
  return []
}
