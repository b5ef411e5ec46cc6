// WEBIRC: a trusted web gateway says whom it speaks for. https://ircv3.net/specs/extensions/webirc
import { addressBits, asParam, networkText } from '../../irc/address.ts'
import type { Chat } from '../chat.ts'
import type { Command, Turn } from '../command.ts'
import type { Session } from '../session.ts'
import type { WebGateway } from '../settings.ts'
import { CLOSED } from './pass.ts'
import { turnAwayIfBanned } from './serverban.ts'

export const WEBIRC: Command<WebGateway | keyof typeof CLOSED | undefined> = {
  name: 'WEBIRC',
  minParams: 4,
  when: 'unregistered',
  help: 'WEBIRC <password> <gateway> <hostname> <address> [:<options>]: first line of a trusted web gateway, with the address of its user',
  prepare(turn, { params: [password = ''] }) {
    const there = isFirst(turn) ? gatewaysAt(turn.chat, turn.session) : []
    return there.length > 0 ? proven(turn, there, password) : undefined
  },
  run(turn, { params: [, , , ip = '', options = ''] }, gateway) {
    const { chat, session } = turn
    const bits = addressBits(ip)
    if (gateway === 'busy' || gateway === 'late') return chat.close(session, CLOSED[gateway])
    // "Servers SHOULD send an ERROR and close" rather than show the gateway's own address for everybody behind it.
    if (gateway === undefined || bits === undefined)
      return chat.close(session, 'WEBIRC refused: unknown gateway, wrong password or invalid address')

    const address = networkText(bits)
    const refusal = session.wire.move?.(address)
    if (refusal !== undefined) return chat.close(session, refusal)
    const isSecure = session.isSecure && options.split(' ').some((option) => /^secure(=|$)/.test(option))
    session.moveTo({ address, host: chat.world.cloak?.(address) ?? asParam(address), isSecure })
    turnAwayIfBanned(chat, session)
  },
}

/** "MUST be sent before any other command": what was sent before would be somebody else's. */
function isFirst({ session }: Turn): boolean {
  return session.introduction.line === 1
}

function gatewaysAt({ settings: { gateways = [] } }: Chat, { address }: Session): WebGateway[] {
  const bits = addressBits(address)
  return gateways.filter(({ networks }) => networks.some((network) => bits?.startsWith(network)))
}

async function proven(
  { chat, session: { address } }: Turn,
  gateways: readonly WebGateway[],
  password: string,
): Promise<WebGateway | keyof typeof CLOSED | undefined> {
  for (const gateway of gateways) {
    const guess = { at: 'WEBIRC', kind: 'shared', address, password } as const
    const outcome = await chat.world.passwords.compare({ ...guess, hash: gateway.passwordHash })
    if (outcome === 'right') return gateway
    if (outcome !== 'wrong') return outcome
  }
  return undefined
}
