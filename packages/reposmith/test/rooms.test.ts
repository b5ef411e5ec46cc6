// The layers of this package: every import goes down, and only to the rooms named here.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'

/** Room or file → what it may import: rooms, files beside the rooms, `node:` and packages. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  table: ['failure.ts'],
  workflow: [
    'failure.ts',
    'thrown.ts',
    'yaml.ts',
    'minimatch',
    '@actions/expressions',
    '@actions/expressions/result',
  ],
  plan: ['failure.ts', 'json.ts', 'node:'],
  host: ['failure.ts', 'node:'],
  scaffold: ['plan', 'failure.ts', 'thrown.ts', 'node:'],
  resources: [
    'workflow',
    'plan',
    'host',
    'table',
    'failure.ts',
    'manifest.ts',
    'thrown.ts',
    'yaml.ts',
    'node:',
    'libsodium-wrappers',
  ],
  verbs: [
    'workflow',
    'resources',
    'scaffold',
    'plan',
    'host',
    'table',
    'failure.ts',
    'manifest.ts',
    'thrown.ts',
    'node:',
    'yaml',
  ],
  cli: [
    'verbs',
    'resources',
    'scaffold',
    'plan',
    'host',
    'table',
    'failure.ts',
    'json.ts',
    'node:',
    'commander',
    '@bomb.sh/tab',
  ],
}

test('each room imports only the rooms below it', () => {
  const root = `${import.meta.dirname}/../src`
  const strays = globSync('*/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const room = file.split('/')[0] ?? ''
      const allowed = MAY_IMPORT[room]
      assert(allowed, `give ${room} a line in MAY_IMPORT`)
      return importsOf(readFileSync(`${root}/${file}`, 'utf8'))
        .map((specifier) => ownerOf(specifier, file))
        .filter((owner) => owner !== room && !allowed.includes(owner))
        .map((owner) => `${file} imports ${owner}`)
    })
  assert.deepEqual(strays, [])
})

function importsOf(source: string): string[] {
  const found = source.matchAll(/\bfrom '([^']+)'$|^import '([^']+)'$|\bimport\('([^']+)'\)/gm)
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** The room, or the file beside the rooms, or the package, that a specifier in `file` means. */
function ownerOf(specifier: string, file: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  if (!specifier.startsWith('.')) return specifier
  return posix.join(posix.dirname(file), specifier).split('/')[0] ?? ''
}
