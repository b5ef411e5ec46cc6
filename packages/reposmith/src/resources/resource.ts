// What a manifest can name besides the repository itself: each is read, planned, compared and imported in the same way.
import { done, type Answer } from '../failure.ts'
import type { Client } from '../host/client.ts'
import type { Host } from '../host/host.ts'
import type { Manifest, WrittenManifest } from '../manifest.ts'
import type { Step } from '../plan/step.ts'
import type { FullName } from './names.ts'
import type { Warning } from './warning.ts'

/** How far a plan may go. */
export interface Rules {
  readonly host: Host
  /** Lists become exactly what is named, and what people may have meant is changed too. */
  readonly enforce: boolean
  readonly allowPublic: boolean
  /** Created in this run, or in one that was cut off: then what is not named gets our defaults. */
  readonly isNew: boolean
  /** Where the values of secrets are; undefined where none is going to be sent. */
  readonly env: NodeJS.ProcessEnv | undefined
}

/** What is read of. */
export interface About {
  readonly client: Client
  readonly host: Host
  readonly place: FullName
  /** False for a repository that is yet to be created: then only what belongs to others is read. */
  readonly exists: boolean
  readonly isNew: boolean
}

interface Definition<Wanted, Present> {
  /** What would be done, in words. */
  readonly title: string
  /** Undefined if the manifest does not name it. */
  readonly wanted: (manifest: Manifest) => Wanted | undefined
  /** Why this host has no such thing. */
  readonly lacks: (host: Host) => string | undefined
  readonly read: (about: About, wanted: Wanted) => Promise<Answer<Present>>
  readonly steps: (place: FullName, wanted: Wanted, present: Present, rules: Rules) => readonly Step[]
  readonly warnings?: (wanted: Wanted, present: Present) => readonly Warning[]
  /** All there is, as a manifest names it. */
  readonly written: (client: Client, place: FullName, host: Host) => Promise<Answer<Written>>
}

export type Written = Partial<WrittenManifest> & { readonly warnings?: readonly Warning[] }

export interface Resource {
  /** The present state of what the manifest names; undefined if it names none of it. */
  readonly load: (manifest: Manifest, about: About) => Promise<Answer<Loaded | undefined>>
  readonly written: (client: Client, place: FullName, host: Host) => Promise<Answer<Written>>
}

export interface Loaded {
  readonly steps: (rules: Rules) => readonly Step[]
  readonly warnings: readonly Warning[]
}

/** `key` is that of the manifest. */
export function resource<Wanted, Present>(key: string, definition: Definition<Wanted, Present>): Resource {
  return {
    async load(manifest, about) {
      const wanted = definition.wanted(manifest)
      if (wanted === undefined) return done(undefined)
      const reason = definition.lacks(about.host)
      if (reason !== undefined) {
        const { title } = definition
        return done({
          steps: () => [{ kind: 'blocked', id: key, title, reason, asked: true }],
          warnings: [],
        })
      }
      const present = await definition.read(about, wanted)
      if (!present.ok) return present
      return done({
        steps: (rules) => definition.steps(about.place, wanted, present.output, rules),
        warnings: definition.warnings?.(wanted, present.output) ?? [],
      })
    },
    written: async (client, place, host) =>
      definition.lacks(host) === undefined ? await definition.written(client, place, host) : done({}),
  }
}
