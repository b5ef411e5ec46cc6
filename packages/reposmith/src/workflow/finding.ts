// What the doctor finds: one shape for what is well, and for what is not.

export interface Finding {
  readonly id: string
  readonly passed: boolean
  /** A release with an error does not get through, or is no trusted one; `warning`: it is less safe; `info`: it could not be checked. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  /** The mend. */
  readonly remediation: string
  /** `.github/workflows/publish.yml:12`; null for what is on the host, or is well. */
  readonly place: string | null
  /** The same rule elsewhere: `zizmor: artipacked`, `scorecard: Pinned-Dependencies`. */
  readonly rule?: string
}

/** Where something is wrong. */
interface Spot {
  readonly file: string
  readonly line: number
}

export function passing(id: string, message: string): Finding {
  return { id, passed: true, severity: 'error', message, remediation: '', place: null }
}

export function failing(id: string, message: string, remediation: string, at?: Spot): Finding {
  return { id, passed: false, severity: 'error', message, remediation, place: placeOf(at) }
}

export function warning(
  id: string,
  message: string,
  remediation: string,
  { at, rule }: { readonly at?: Spot; readonly rule?: string } = {},
): Finding {
  const finding = {
    id,
    passed: false,
    severity: 'warning',
    message,
    remediation,
    place: placeOf(at),
  } as const
  return rule === undefined ? finding : { ...finding, rule }
}

export function skipped(id: string, message: string, remediation = '', at?: Spot): Finding {
  return { id, passed: false, severity: 'info', message, remediation, place: placeOf(at) }
}

function placeOf(at: Spot | undefined): string | null {
  return at ? `${at.file}:${at.line}` : null
}
