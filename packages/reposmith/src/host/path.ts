// API paths. Whatever a segment contains, it stays one segment.

/** `path('repos', owner, name)` → `/repos/octo/widget`; the placeholder `{owner}` stays readable. */
export function path(...segments: readonly string[]): string {
  return segments.map((segment) => `/${segment === OWNER ? segment : encodeURIComponent(segment)}`).join('')
}

/** Placeholder in a dry-run for the login that only `--apply` or `--refresh` looks up. */
export const OWNER = '{owner}'
