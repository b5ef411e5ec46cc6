// Every package that a lockfile names has its hash, so that npm refuses a tarball that is not the one we had; and no address.
//   node scripts/lockfiles.mjs [folder]     exit 1: a lockfile below it (by default those of this checkout) lacks one
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = process.argv[2] ?? join(import.meta.dirname, '..')
const files = globSync('**/package-lock.json', {
  cwd: root,
  exclude: (file) => file.endsWith('node_modules'),
})
const faults = files.flatMap((file) =>
  faultsOf(readFileSync(join(root, file), 'utf8')).map((fault) => `${file}: ${fault}`),
)
for (const fault of faults) console.error(`error: ${fault}`)
if (faults.length > 0) {
  console.error('hint: remove that lockfile, and run npm install --package-lock-only in its folder')
  process.exitCode = 1
}
console.log(`${files.length} lockfiles, ${faults.length} faults`)

/** What is wrong in the text of one. */
function faultsOf(lockfile) {
  return Object.entries(JSON.parse(lockfile).packages).flatMap(([path, { integrity, link, resolved }]) => {
    if (!path.includes('node_modules/') || link) return []
    return [
      ...(integrity?.startsWith('sha512-') ? [] : [`${path} has no sha512 integrity`]),
      ...(resolved === undefined ? [] : [`${path} has a resolved address`]),
    ]
  })
}
