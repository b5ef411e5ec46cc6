// sts: clients come back over TLS, and over nothing else. https://ircv3.net/specs/extensions/sts
import type { Session } from '../session.ts'
import type { StsPolicy } from '../settings.ts'

/** What CAP LS says of it to this connection; undefined: nothing. It is told, never asked for: CAP REQ answers NAK. */
export function stsOffer(session: Session, policy: StsPolicy | undefined): string | undefined {
  // It is nothing without its value, which came with 302.
  if (policy === undefined || session.capVersion < 302) return undefined
  if (!session.isSecure) return `sts=port=${policy.port}`
  return isMeant(session.serverName, policy) ? `sts=${persistence(policy)}` : undefined
}

/** "If no hostname has been provided …, an STS persistence policy SHOULD NOT be advertised": a client would keep it for an address. */
function isMeant(name: string | undefined, { hosts }: StsPolicy): boolean {
  return name !== undefined && (hosts.length === 0 || hosts.includes(name.toLowerCase()))
}

function persistence({ durationSeconds, isPreloadable }: StsPolicy): string {
  return `duration=${durationSeconds}${isPreloadable ? ',preload' : ''}`
}
