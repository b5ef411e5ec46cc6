// Ruff by its defaults, in WebAssembly: what `ruff check` and `ruff format --check` would say.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Ruff {
  readonly Workspace: {
    new (options: object, encoding: number): Workspace
    defaultSettings: () => object
    version: () => string
  }
}

interface Workspace {
  readonly check: (source: string) => readonly { readonly code: string | null; readonly message: string }[]
  readonly format: (source: string) => string
}

const MODULE = join(import.meta.dirname, 'node_modules/@astral-sh/ruff-wasm-nodejs/ruff_wasm.js')

/** Why it is not there; false if it is. */
export const noRuff = existsSync(MODULE) ? false : 'npm run setup -- --interop installs ruff'

const UTF16 = 1

/** What is wrong with a file; nothing if it is clean. */
export async function ruffSays(source: string): Promise<readonly string[]> {
  const { default: ruff } = (await import(pathToFileURL(MODULE).href)) as { readonly default: Ruff }
  const workspace = new ruff.Workspace(ruff.Workspace.defaultSettings(), UTF16)
  const problems = workspace.check(source).map(({ code, message }) => `${code}: ${message}`)
  return [...problems, ...(workspace.format(source) === source ? [] : ['would be formatted'])]
}
