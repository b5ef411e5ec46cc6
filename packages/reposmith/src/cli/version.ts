// The version of reposmith.
import { readFileSync } from 'node:fs'

/** The result of `--version`. */
export function versionText(json: boolean): string {
  const version = readVersion()
  return json ? JSON.stringify({ version }) : version
}

/** From package.json, which is at the same relative path from src/ and dist/. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
