// Does an operation here, on the files, with what the settings say of a server that does not run.
import { readdirSync } from 'node:fs'
import type { Known } from '../control/desk.ts'
import { unusable, type Answer } from '../control/failure.ts'
import { perform } from '../control/handlers.ts'
import type { LooseInput } from '../control/input.ts'
import type { Operation } from '../control/operation.ts'
import { expectOwn, type Home } from '../home.ts'
import { at } from '../listening.ts'

/** As the server would, less what needs one. */
export async function performOnFiles(
  home: Home,
  operation: Operation,
  input: LooseInput,
): Promise<Answer<unknown>> {
  try {
    readdirSync(home.folder)
    // `bot test` writes too, and runs on whatever checkout a CI job has.
    if (operation.changes && operation.where === 'either') expectOwn(home.folder)
  } catch (error) {
    // One that does not exist yet is made when something goes into it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return unusable(home.folder, error)
  }
  const desk = { home, running: undefined, known: await knownOf(home) }
  return await perform(desk, operation.name, input, {
    emit: () => undefined,
    signal: new AbortController().signal,
  })
}

/** The server's name only where somebody chose one. Settings that do not read say nothing here: `server start` tells. */
async function knownOf(home: Home): Promise<Known> {
  const { loadConfig } = await import('../config.ts')
  const loaded = loadConfig({ home, flags: {}, env: process.env })
  if (!loaded.ok) return { serverName: undefined, webhook: undefined, dataDir: home.data }
  const { server, webhooks, handlers, dataDir } = loaded.config
  return {
    dataDir,
    serverName: process.env['HOOKLINE_NAME'] || server.name,
    webhook: webhooks.enabled ? `http://${at(webhooks.host, webhooks.port)}` : undefined,
    handlers: { callMs: handlers.timeout_ms, isolation: handlers.isolation },
  }
}
