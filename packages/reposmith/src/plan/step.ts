// A plan: what would be done, in order. The same object comes back after `--apply`, with how each step went.

export interface Plan {
  readonly schema: 'plan/1'
  /** The API's base address. */
  readonly host: string
  /** `owner/name`, or the folder. */
  readonly target: string
  /** Whether the present state was read: without it there are no differences to show. */
  readonly state: 'read' | 'unknown'
  readonly summary: Summary
  readonly steps: readonly Step[]
}

export type Summary = Readonly<
  Record<'create' | 'update' | 'delete' | 'unchanged' | 'run' | 'manual' | 'blocked', number>
>

export type Step = RequestStep | RunStep | ManualStep | BlockedStep

export interface RequestStep extends Common {
  readonly kind: 'request'
  readonly op: 'create' | 'update' | 'delete' | 'unchanged'
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base address; every segment is encoded. `{owner}` stands where only `--apply` asks who it is. */
  readonly path: string
  readonly body: Body | null
  readonly diff?: readonly Difference[]
  /** The read that tells whether it was done, when the answer was lost or says that it is there already. */
  readonly proof?: Proof
}

/** A command of an external tool. */
export interface RunStep extends Common {
  readonly kind: 'run'
  readonly op: 'run' | 'unchanged'
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
}

/** Something that only a person can do. */
export interface ManualStep extends Common {
  readonly kind: 'manual'
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/** Something that cannot be done, and why. */
export interface BlockedStep extends Common {
  readonly kind: 'blocked'
  readonly reason: string
  /** It was asked for: then nothing at all is applied. Else it is left out. */
  readonly asked: boolean
}

export type Body = Readonly<Record<string, unknown>>

export interface Difference {
  /** JSON pointer into the body. */
  readonly at: string
  readonly from: unknown
  readonly to: unknown
}

export interface Proof {
  readonly path: string
  /** The list in the answer that must have such an entry; without it the answer itself must match. */
  readonly list?: string
  readonly match: Readonly<Record<string, string>>
}

export type Status = 'done' | 'already' | 'failed' | 'skipped' | 'not_reached'

interface Common {
  readonly id: string
  /** What it does, in words. */
  readonly title: string
  readonly needs?: readonly string[]
  readonly status?: Status
  readonly http?: number
  readonly ms?: number
}
