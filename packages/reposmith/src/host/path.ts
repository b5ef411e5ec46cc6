// Paths of the API. Whatever a segment holds, it stays one segment.

/** `path('repos', owner, name)` → `/repos/octo/widget`; what stands in braces stays, for people to read. */
export function path(...segments: readonly string[]): string {
  return segments.map((segment) => `/${segment === OWNER ? segment : encodeURIComponent(segment)}`).join('')
}

/** Stands in a dry-run for what only `--apply` asks the host. */
export const OWNER = '{owner}'
