// Answers that are not those of the API: a proxy, a login page or another API sent them.
import type { Failure } from '../failure.ts'
import type { Asked } from './asked.ts'

export const ELSEWHERE = 'check --api-url, and whether a proxy or a login page answers in its place'

/** The host answered, but not with what it always says there: a proxy, or another API. */
export function unsaid(path: string, what: string): Failure {
  return {
    code: 4,
    message: `GET ${path}: the host does not say ${what}`,
    remediation: ELSEWHERE,
    kind: 'upstream',
    retryable: false,
  }
}

/** The answer of a success has a body that is not JSON, such as the page of a login or a proxy. */
export function unreadable(status: number, { method, path, host }: Asked): Failure {
  return {
    code: 4,
    message: `${method} ${path}: ${host} answered ${status}, but not as its API would`,
    remediation: ELSEWHERE,
    kind: 'upstream',
    http: { status, method, path, request_id: null },
    retryable: false,
  }
}
