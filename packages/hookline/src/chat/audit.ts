// What server operators do, and failed attempts to become one, for whoever runs the server.
import type { UserTurn } from './command.ts'
import type { OperatorAct } from './world.ts'

export function audit(
  { chat, session, user }: UserTurn,
  act: Pick<OperatorAct, 'command' | 'about' | 'isLate'> & { readonly isRefused?: boolean },
): void {
  const { nick, oper } = user
  chat.world.audit?.({ nick, address: session.address, oper: oper?.name, isRefused: false, ...act })
  const { command, about, isRefused } = act
  const did = `${nick} ${isRefused ? 'failed at' : 'used'} ${command}${about === undefined ? '' : ` ${about}`}`
  for (const other of chat.state.users.values()) {
    if (other !== user && other.modes.has('s'))
      chat.toUser(other, chat.line({ command: 'NOTICE', params: [other.nick, did], at: chat.world.now() }))
  }
}
