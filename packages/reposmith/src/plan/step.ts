// A plan: what would be done, in order. `--apply` returns the same object, with the outcome of each step.

export interface Plan {
  readonly schema: 'plan/1'
  /** The API's base address. */
  readonly host: string
  /** `owner/name`, or the folder. */
  readonly target: string
  /** Whether the present state was read; otherwise there are no differences to show. */
  readonly state: 'read' | 'unknown'
  readonly summary: Summary
  /** Why `--apply` refuses the whole plan; null if it does not. */
  readonly refusal: string | null
  readonly steps: readonly Step[]
}

export type Summary = Readonly<
  Record<'create' | 'update' | 'delete' | 'unchanged' | 'run' | 'manual' | 'blocked', number>
>

export type Step = RequestStep | UnchangedStep | RunStep | EditStep | ManualStep | BlockedStep

export interface RequestStep extends Common {
  readonly kind: 'request'
  readonly op: 'create' | 'update' | 'delete'
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base address; every segment is encoded. `{owner}` stands for a login that only `--apply` looks up. */
  readonly path: string
  readonly body: Body | null
  readonly diff?: readonly Difference[]
  /** The read that shows whether it was done, when the answer was lost or reports a conflict. */
  readonly proof?: Proof
  /** A secret that takes the place of what the body shows for it when it is sent. */
  readonly sealed?: Sealed
  /** False for a default of ours: if a setting of the organization or enterprise forbids it (409), it is left out. */
  readonly asked: boolean
}

/** It is as wanted already. */
export interface UnchangedStep extends Common {
  readonly kind: 'unchanged'
}

/** A command of an external tool. */
export interface RunStep extends Common {
  readonly kind: 'run'
  readonly op: 'run'
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
}

/** A file of the folder, as it is to be. */
export interface EditStep extends Common {
  readonly kind: 'edit'
  readonly op: 'create' | 'update'
  /** Relative to the folder. */
  readonly file: string
  /** The difference, as `git apply` reads it. */
  readonly patch: string
}

/** Something that only a person can do. */
export interface ManualStep extends Common {
  readonly kind: 'manual'
  readonly url: string
  /** A command that does it as well, and what it needs first. */
  readonly command?: string
  readonly first?: string
  readonly fields: Readonly<Record<string, string>>
}

/** Something that the host cannot do, and why. */
export interface BlockedStep extends Common {
  readonly kind: 'blocked'
  readonly reason: string
  /** False for a default of ours, which is left out; otherwise nothing at all is applied. */
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
  /** The list in the answer that must contain a match, null if it is one itself; without it the answer must match. */
  readonly list?: string | null
  readonly match: Readonly<Record<string, string>>
  /** Names of repositories and labels ignore case; patterns do not. */
  readonly ignoresCase?: true
}

export interface Sealed {
  /** The environment's variable that holds the value. */
  readonly variable: string
  /** Where the host tells the key to seal it with. */
  readonly key: string
}

/** `skipped`: a default of ours that the host cannot set, or does not permit. `manual`: left to a person. */
export type Status = 'done' | 'already' | 'failed' | 'skipped' | 'manual' | 'not_reached'

interface Common {
  readonly id: string
  /** What it does, in words. */
  readonly title: string
  readonly status?: Status
  readonly http?: number
  readonly ms?: number
}
