// NickServ TOKEN and CERT: ways to log in besides the password.
import { formatDay, formatMinute } from '../../../irc/time.ts'
import type { Changed, Shown } from '../../accounts.ts'
import { parseDuration } from '../../duration.ts'
import type { ServiceTurn, Verb } from '../../service.ts'

export const TOKEN: Verb<Changed<{ token?: string; account?: Shown }> | undefined> = {
  name: 'TOKEN',
  usage: 'TOKEN [LIST | ADD <label> [<time>] | DEL <label>]',
  help: 'manages tokens, which work in place of your password: give each program its own, so that you can revoke it',
  minWords: 0,
  maxWords: 3,
  needsAccount: true,
  refusesTokens: isChange,
  prepare(turn, [action = 'LIST', label = '', time]) {
    const { accounts } = turn.chat.world
    switch (action.toUpperCase()) {
      case 'LIST':
        return accounts.show(turn.account)
      case 'ADD':
        return addToken(turn, label, time)
      case 'DEL':
        return accounts.removeToken(turn.account, label)
      default:
        return undefined
    }
  },
  run(turn, [action = 'LIST', label = ''], answer) {
    if (answer === undefined && action.toUpperCase() === 'ADD')
      return turn.tell('The time must be such as 90d or 1d12h, at most ten years')
    if (answer === undefined) return turn.tell(`Usage: /msg NickServ ${TOKEN.usage}`)
    if (!answer.ok) return turn.tell(answer.text)
    if (action.toUpperCase() === 'DEL') return turn.tell(`The token ${label} has been revoked`)
    if (answer.token === undefined) return listTokens(turn, answer.account)
    turn.tell(`${label}: ${answer.token}`)
    turn.tell('Use it in place of your password. It will not be shown again')
  },
}

/** Never expires without a time such as `30d`; undefined if the time is not one. */
function addToken({ chat, account }: ServiceTurn, label: string, time: string | undefined) {
  const ms = time === undefined ? null : parseDuration(time)
  return ms === undefined ? undefined : chat.world.accounts.addToken(account, label, ms)
}

export const CERT: Verb<Changed<{ account?: Shown }> | undefined> = {
  name: 'CERT',
  usage: 'CERT [LIST | ADD [<fingerprint>] | DEL <fingerprint>]',
  help: 'manages certificates for SASL EXTERNAL; without <fingerprint>, ADD uses the certificate of this connection',
  minWords: 0,
  needsAccount: true,
  refusesTokens: isChange,
  prepare({ chat, account, session }, [action = 'LIST', given]) {
    const { accounts } = chat.world
    switch (action.toUpperCase()) {
      case 'LIST':
        return accounts.show(account)
      case 'ADD': {
        const fingerprint = given ?? session.certfp
        return fingerprint === undefined ? undefined : accounts.addCertificate(account, fingerprint)
      }
      case 'DEL':
        return given === undefined ? undefined : accounts.removeCertificate(account, given)
      default:
        return undefined
    }
  },
  run(turn, [action = 'LIST', given], answer) {
    const wanted = action.toUpperCase()
    if (answer === undefined && wanted === 'ADD' && given === undefined)
      return turn.tell('This connection has no client certificate: give a fingerprint')
    if (answer === undefined) return turn.tell(`Usage: /msg NickServ ${CERT.usage}`)
    if (!answer.ok) return turn.tell(answer.text)
    if (wanted === 'LIST') return listCertificates(turn, answer.account)
    turn.tell(
      wanted === 'ADD' ? 'You can now log in with that certificate' : 'That certificate can no longer log in',
    )
  },
}

function isChange([action = 'LIST']: readonly string[]): boolean {
  return action.toUpperCase() !== 'LIST'
}

function listTokens({ chat, tell }: ServiceTurn, account: Shown | undefined): void {
  const { tokens = [] } = account ?? {}
  if (tokens.length === 0) tell('You have no tokens')
  for (const { label, usedAt, expiresAt } of tokens) {
    const used = usedAt === null ? 'never used' : `last used ${formatDay(usedAt)}`
    const expires = expiresAt !== null && expiresAt <= chat.world.now() ? 'expired' : 'expires'
    tell(`${label}: ${used}${expiresAt === null ? '' : `, ${expires} ${formatMinute(expiresAt)}`}`)
  }
}

function listCertificates({ tell }: ServiceTurn, account: Shown | undefined): void {
  const { certificates = [] } = account ?? {}
  if (certificates.length === 0) tell('You have no certificates')
  for (const { fingerprint, addedAt } of certificates) tell(`${fingerprint}: added ${formatDay(addedAt)}`)
}
