// Commands that are still sorted by kind. Each moves to a file of its own.
import type { Call, Context, LiveContext } from './context.ts'
import type { Answer } from '../control/failure.ts'
import type { Outputs } from '../control/outputs.ts'
import { type HandledName, type Input, type LiveName } from './oldlist.ts'
import { alone } from './bot/running/alone.ts'
import { createBot, deleteBot, editBot, startBot, stopBot } from './bot/create.ts'
import { captureBot } from './bot/capture.ts'
import { listDeliveries, replay } from './delivery/replay.ts'
import { lintBot } from './bot/lint.ts'
import { showLogs } from './delivery/logs.ts'
import { inspectBot, listBots } from './bot/inspect.ts'
import { retract } from './delivery/retract.ts'
import { rotateSecret } from './bot/rotatesecret.ts'
import { suggestTokens } from './bot/suggest.ts'
import { testBot } from './bot/test.ts'
import { validateBots } from './bot/validate.ts'
import { showDelivery, why } from './delivery/why.ts'

export type Handler<Name extends HandledName> = (
  context: Name extends LiveName ? LiveContext : Context,
  input: Input<Name>,
  call: Call,
) => Promise<Answer<Outputs[Name]>> | Answer<Outputs[Name]>

export const handlers: { readonly [Name in HandledName]: Handler<Name> } = {
  'bot create': createBot,
  'bot start': startBot,
  'bot stop': stopBot,
  'bot list': listBots,
  'bot inspect': inspectBot,
  'bot edit': editBot,
  'bot rotate-secret': alone(rotateSecret),
  'bot delete': alone(deleteBot),
  'bot validate': validateBots,
  'bot test': testBot,
  'bot capture': captureBot,
  'bot suggest': suggestTokens,
  'bot lint': lintBot,
  'bot logs': showLogs,
  'bot deliveries': listDeliveries,
  'bot deliveries show': showDelivery,
  'bot replay': replay,
  'bot retract': retract,
  'bot why': why,
}
