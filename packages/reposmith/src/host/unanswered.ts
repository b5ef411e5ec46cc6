// Turns requests without an answer into failures: the network, a certificate or a proxy was in the way.
import type { Failure, FailureKind } from '../failure.ts'
import { type Asked, type Fault, word } from './asked.ts'

interface Cause {
  readonly code?: unknown
  readonly message?: string
  readonly cause?: unknown
}

export function unanswered(fault: Fault, { method, path, host, timeoutSeconds }: Asked): Failure {
  const failing = (message: string, remediation: string, kind: FailureKind = 'network'): Failure => ({
    code: 4,
    message: `${method} ${path}: ${message}`,
    remediation,
    kind,
    http: { status: 0, method, path, request_id: null },
    ...(isLasting(fault) ? { retryable: false } : { retryable: true, retry_after_s: null }),
  })
  const code = networkCode(fault)
  if (isUntrusted(fault))
    return failing(
      `the certificate of ${host} is not trusted: ${code}`,
      CERTIFICATES[code ?? ''] ??
        'if that is expected, give the certificate of its CA: NODE_EXTRA_CA_CERTS=FILE',
    )
  if (fault.name === 'TimeoutError')
    return failing(
      `no answer from ${host} in ${timeoutSeconds} s`,
      'run it again, or allow more time with --timeout',
      'timeout',
    )
  const refusal = proxyStatus(fault)
  if (refusal !== undefined)
    return failing(
      `cannot reach ${host}: the proxy answered ${refusal}`,
      'check HTTPS_PROXY, the name and password in it, and what the proxy lets through',
    )
  const unreachable = `cannot reach ${host}: ${code ?? rootOf(fault).message ?? 'no answer'}`
  if (isBlockedPort(fault))
    return failing(
      unreachable,
      'the port belongs to another protocol, and Node sends no HTTP there: have the host listen on another',
    )
  return failing(
    HUNG_UP.has(code ?? '') ? `${host} hung up before its answer was whole` : unreachable,
    'check the network and --api-url; behind a proxy see: reposmith explain hosts',
  )
}

const HUNG_UP: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET'])

/** Problems that a CA certificate of one's own would not solve. */
const CERTIFICATES: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name: check --api-url',
  CERT_HAS_EXPIRED: 'it has expired: whoever runs the host has to renew it',
  CERT_NOT_YET_VALID: 'it is not valid yet: check the clock of this machine',
}

/** Nobody listens, the host is unknown, it speaks no TLS, or the fault is a lasting one: a retry would meet the same. */
export function isAway(fault: Fault): boolean {
  return /^(ECONNREFUSED|ENOTFOUND|ERR_SSL_.*)$/.test(networkCode(fault) ?? '') || isLasting(fault)
}

/** It stays until somebody changes something: an untrusted certificate, a port that fetch blocks, a proxy that refuses. */
function isLasting(fault: Fault): boolean {
  return isUntrusted(fault) || isBlockedPort(fault) || (proxyStatus(fault) ?? 500) < 500
}

function isUntrusted(fault: Fault): boolean {
  return /CERT|UNABLE_TO_VERIFY/.test(networkCode(fault) ?? '')
}

/** The answer of a proxy that opened no tunnel to the host. */
function proxyStatus(fault: Fault): number | undefined {
  const [, status] = /^Proxy response \((\d+)\)/.exec(rootOf(fault).message ?? '') ?? []
  return status === undefined ? undefined : Number(status)
}

/** https://fetch.spec.whatwg.org/#port-blocking */
function isBlockedPort(fault: Fault): boolean {
  return rootOf(fault).message === 'bad port'
}

/** `ECONNREFUSED` */
function networkCode(fault: Fault): string | undefined {
  return word(rootOf(fault).code)
}

/** fetch wraps the cause, sometimes twice. */
function rootOf(fault: Fault): Cause {
  let root: Cause = fault
  while (root.cause instanceof Error) root = root.cause
  return root
}
