// API paths. Whatever a segment contains, it stays one segment.

/** `path('repos', owner, name)` → `/repos/octo/widget`; the placeholder `{owner}` in the owner's place stays readable. */
export function path(...segments: readonly string[]): string {
  const isOpen = (segment: string, index: number): boolean => segment === OWNER && index === 1
  return segments.map((each, index) => `/${isOpen(each, index) ? each : encodeURIComponent(each)}`).join('')
}

/** Placeholder in a dry-run for the login that only `--apply` or `--refresh` looks up. */
export const OWNER = '{owner}'
