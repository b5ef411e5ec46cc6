// Maps operations to their handlers. The socket of a running server and the command line without a server use the same
// map.
import type { Call, Context, LiveContext } from './context.ts'
import { messageOf } from '../thrown.ts'
import { hintForDisk } from './diskfailure.ts'
import { cannot, notRunning, wrong, type Answer } from '../control/failure.ts'
import {
  addToken,
  changePassword,
  createAccount,
  dropAccount,
  listAccounts,
  listTokens,
  restoreAccount,
  revokeToken,
  showAccount,
  suspendAccount,
} from '../control/handlers/accounts.ts'
import { alone } from '../control/handlers/alone.ts'
import { backUp, restore } from '../control/handlers/backup.ts'
import { addBan, listBans, removeBan } from '../control/handlers/bans.ts'
import { createBot, deleteBot, editBot, startBot, stopBot } from '../control/handlers/bots.ts'
import { captureBot } from '../control/handlers/capture.ts'
import { send, watch } from '../control/handlers/chat.ts'
import { listDeliveries, replay } from '../control/handlers/deliveries.ts'
import { makeHash } from '../control/handlers/hash.ts'
import { eraseHistory, history } from '../control/handlers/history.ts'
import { lintBot } from '../control/handlers/lint.ts'
import { showLogs } from '../control/handlers/logs.ts'
import { inspectBot, listBots } from '../control/handlers/look.ts'
import { listPresets, showPreset } from '../control/handlers/presets.ts'
import { retract } from '../control/handlers/retract.ts'
import { rotateSecret } from '../control/handlers/secrets.ts'
import {
  checkServer,
  reloadServer,
  serverStatus,
  stopServer,
  trustClock,
} from '../control/handlers/server.ts'
import { suggestTokens } from '../control/handlers/suggest.ts'
import { testBot } from '../control/handlers/test.ts'
import { validateBots } from '../control/handlers/validate.ts'
import { showDelivery, why } from '../control/handlers/why.ts'
import { checkInput } from './input.ts'
import { findOperation, type Input, type LiveName, type OfflineName, type ServedName } from './list.ts'
import type { Outputs } from '../control/outputs.ts'

export type HandledName = ServedName | OfflineName

export type Handler<Name extends HandledName> = (
  context: Name extends LiveName ? LiveContext : Context,
  input: Input<Name>,
  call: Call,
) => Promise<Answer<Outputs[Name]>> | Answer<Outputs[Name]>

export const handlers: { readonly [Name in HandledName]: Handler<Name> } = {
  'server stop': stopServer,
  'server status': serverStatus,
  'server reload': reloadServer,
  'server trust-clock': trustClock,
  'server check': checkServer,
  'server backup': backUp,
  'server restore': restore,
  'server hash-password': makeHash,
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
  'preset list': listPresets,
  'preset show': showPreset,
  'account create': createAccount,
  'account passwd': changePassword,
  'account list': listAccounts,
  'account show': showAccount,
  'account token': listTokens,
  'account token add': addToken,
  'account token revoke': revokeToken,
  'account suspend': suspendAccount,
  'account restore': restoreAccount,
  'account drop': dropAccount,
  'ban add': addBan,
  'ban remove': removeBan,
  'ban list': listBans,
  send,
  watch,
  history,
  'history erase': eraseHistory,
}

/** Checks the input and runs the operation. Throws only for a bug or a broken machine. */
export async function perform(
  context: Context,
  name: string,
  input: unknown,
  call: Call,
): Promise<Answer<unknown>> {
  const operation = findOperation(name)
  if (!operation || !isHandled(name)) {
    // Our own commands name none that their version does not have.
    return wrong(
      'usage',
      `the server has no operation called ${JSON.stringify(name.slice(0, 64))}`,
      'if hookline was updated while it ran, restart the server; else see: hookline --help',
    )
  }
  if (context.running && operation.where === 'files') {
    return cannot('refused', `${name} works on the files, not through the server`, 'run it directly')
  }
  if (!context.running && operation.where === 'server') return notRunning(context.home.folder)

  const checked = checkInput(operation, input)
  if (!checked.ok) return checked
  // `where` was checked above, and checkInput has checked the input against the description that its type is derived
  // from.
  const handler = handlers[name] as (context: Context, input: object, call: Call) => Promise<Answer<unknown>>
  try {
    return await handler(context, checked.output, call)
  } catch (error) {
    // An operation that knows more has reported it itself.
    const hint = hintForDisk(error)
    if (hint === undefined) throw error
    return cannot('setup', `${name}: ${messageOf(error)}`, hint)
  }
}

function isHandled(name: string): name is HandledName {
  return Object.hasOwn(handlers, name)
}
