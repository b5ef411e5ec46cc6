// Runs a command on the files, with the settings of a server that is not running.
import { readdirSync } from 'node:fs'
import type { KnownSettings } from '../commands/context.ts'
import { unusable } from '../commands/diskfailure.ts'
import { type Answer } from '../control/failure.ts'
import { perform } from '../commands/perform.ts'
import type { LooseInput } from '../commands/input.ts'
import type { Command } from '../commands/command.ts'
import { expectOwn, type Home } from '../home/home.ts'
import { hostAndPort } from '../net/listening.ts'
import { isCode } from '../failure/thrown.ts'

/** Like the server, except for what needs one. */
export async function performOnFiles(
  home: Home,
  command: Command,
  input: LooseInput,
): Promise<Answer<unknown>> {
  try {
    readdirSync(home.folder)
    // `bot test` writes as well, but must run on any checkout in CI.
    if (command.changes && command.where === 'either') expectOwn(home.folder)
  } catch (error) {
    // A missing home is created when something is stored in it.
    if (!isCode(error, 'ENOENT')) return unusable(home.folder, error)
  }
  const context = {
    home,
    running: undefined,
    known: command.ignoresSettings ? NOTHING_KNOWN : await knownOf(home),
  }
  return await perform(command, context, input, {
    emit: () => undefined,
    signal: new AbortController().signal,
  })
}

const NOTHING_KNOWN: KnownSettings = { serverName: undefined, webhook: undefined }

/** `serverName` only if somebody chose one. */
async function knownOf(home: Home): Promise<KnownSettings> {
  const { loadConfig } = await import('../config/config.ts')
  const { formatProblem } = await import('../yaml/yamlfile.ts')
  const loaded = loadConfig({ home, flags: {}, env: process.env })
  if (!loaded.ok) {
    const problems = loaded.problems.map(formatProblem)
    return { serverName: undefined, webhook: undefined, problems }
  }
  const { server, webhooks, handlers, dataDir } = loaded.config
  return {
    dataDir,
    serverName: process.env['HOOKLINE_NAME'] || server.name,
    webhook: webhooks.enabled ? `http://${hostAndPort(webhooks.host, webhooks.port)}` : undefined,
    handlers: { callMs: handlers.timeout_ms, isolation: handlers.isolation },
  }
}
