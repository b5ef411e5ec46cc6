// Whether a test that a table names exists.
import { existsSync, readFileSync } from 'node:fs'

/** Without a title the whole file is meant. */
export function isThere(file: string, title: string | undefined): boolean {
  if (!existsSync(file)) return false
  if (title === undefined) return true
  const written = readFileSync(file, 'utf8').matchAll(/^ *test\(\s*(['"`])(.*?)\1,/gm)
  return [...written].some(([, , each = '']) => pattern(each).test(title))
}

/** `${…}` in a title stands for anything. */
function pattern(title: string): RegExp {
  const parts = title.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('.*')}$`)
}
