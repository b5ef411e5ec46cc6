// sts: clients must come back over TLS. https://ircv3.net/specs/extensions/sts
import type { Session } from '../session.ts'
import type { StsPolicy } from '../settings.ts'

/** What CAP LS shows of it to this connection; undefined: nothing. It cannot be requested: CAP REQ answers NAK. */
export function stsOffer(session: Session, policy: StsPolicy | undefined): string | undefined {
  // It is nothing without its value, which needs 302.
  if (policy === undefined || session.capVersion < 302) return undefined
  if (!session.isSecure) return `sts=port=${policy.port}`
  return isMeant(session.serverName, policy) ? `sts=${persistence(policy)}` : undefined
}

/** "If no hostname has been provided …, an STS persistence policy SHOULD NOT be advertised": a client would store it for an address. */
function isMeant(name: string | undefined, { hosts }: StsPolicy): boolean {
  return name !== undefined && (hosts.length === 0 || hosts.includes(name.toLowerCase()))
}

function persistence({ durationSeconds, isPreloadable }: StsPolicy): string {
  return `duration=${durationSeconds}${isPreloadable ? ',preload' : ''}`
}
