// What server operators do, and who failed to become one: whoever runs a server wants to know it afterwards.
import type { UserTurn } from './command.ts'

export interface OperatorAct {
  readonly nick: string
  readonly address: string
  /** The name in `opers`; undefined for who is no operator. */
  readonly oper: string | undefined
  /** `KILL`, `NickServ SUSPEND`. */
  readonly command: string
  /** A command's first two parameters, of a service's verb the first: none of them is a secret. */
  readonly about: string | undefined
  readonly isRefused: boolean
}

export function audit(
  { chat, session, user }: UserTurn,
  act: Pick<OperatorAct, 'command' | 'about'> & { readonly isRefused?: boolean },
): void {
  const { nick, oper } = user
  chat.world.audit?.({ nick, address: session.address, oper: oper?.name, isRefused: false, ...act })
}
