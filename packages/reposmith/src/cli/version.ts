// Which reposmith this is.
import { readFileSync } from 'node:fs'

/** The version in package.json, which lies at the same place beside src/ and dist/. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
