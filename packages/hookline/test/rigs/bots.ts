// Shared setup of the bot tests: a home folder, a bot.yaml, and what is made of it.
import assert from 'node:assert/strict'
import { newFolder } from '../folder.ts'
import { ensureHome, findHome, type Home } from '../../src/home/home.ts'
import { type BotSettings, parseBotFile } from '../../src/bots/file/botfile.ts'
import { parsePayload, type Payload } from '../../src/message/payload.ts'
import type { Bot } from '../../src/bots/roster.ts'
import type { UserKey } from '../../src/chat/state.ts'

/** Removed when the test ends. */
export function newHome(): Home & Disposable {
  const folder = newFolder()
  const home = findHome({ HOOKLINE_HOME: folder.path })
  ensureHome(home)
  return { ...home, [Symbol.dispose]: () => folder.remove() }
}

export function reason(result: { ok: true } | { ok: false; reason: string }): string {
  return result.ok ? 'not refused' : result.reason
}

/** Of this JSON, or of the JSON of this object. */
export function payloadOf(body: string | object): Payload {
  const parsed = parsePayload(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
  return parsed.ok ? parsed.payload : assert.fail(parsed.detail)
}

export const seedFile = `# our CI
bot:
  name: spark-ori-ghci          # also the nick
  owner: spark-ori
  description: CI results
  created: 2026-04-03
trigger:
  type: webhook
output:
  channels: ["#builds"]
  dm_owner: true
  mention: spark-claude
  template: |
    {body.workflow}: {body.conclusion}
  fallback: json
`

/** The minimal bot.yaml. */
export const required = 'bot: {name: spark-ori-ghci, owner: spark-ori}\n'

/** What a bot.yaml without `trigger` means. */
export const bareTrigger: BotSettings['trigger'] = {
  type: 'webhook',
  reaction: undefined,
  schedule: undefined,
  expect: undefined,
  auth: undefined,
  event: undefined,
  filter: undefined,
  rate: undefined,
  allowFrom: undefined,
  expiresAt: undefined,
  batch: false,
  reply: undefined,
}

/** What a bot.yaml without `output` means. */
export const bareOutput: BotSettings['output'] = {
  channels: [],
  dmOwner: false,
  mention: undefined,
  template: undefined,
  templates: {},
  engine: 'tokens',
  preset: undefined,
  fallback: 'json',
  burst: undefined,
  coalesceMs: undefined,
  routes: [],
  here: false,
  thread: undefined,
}

export function settingsIn(text: string, name = 'spark-ori-ghci'): BotSettings {
  const read = parseBotFile(text, 'bot.yaml', name)
  return read.ok ? read.settings : assert.fail(read.problems.join('\n'))
}

/** Active, in no chat, with nothing in its folder. */
export function botIn(text: string, name: string): Bot {
  const state = { status: 'active', problems: [], warnings: [], handler: undefined } as const
  return { name, folder: '', settings: settingsIn(text, name), ...state, user: 'nobody' as UserKey }
}

export function problemsIn(text: string, name = 'spark-ori-ghci'): readonly string[] {
  const read = parseBotFile(text, 'bot.yaml', name)
  return read.ok ? [] : read.problems
}
