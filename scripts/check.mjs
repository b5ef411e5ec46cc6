// Types, lint, format, unused code, hashes in lockfiles, tests: all that CI runs but the foreign clients. Stops at the first that fails.
//   --static  everything but the tests        --fix  mends what a machine can mend, and stops there
import { spawnSync } from 'node:child_process'

const bin = (name) => `node_modules/.bin/${name}`
const fix = process.argv.includes('--fix')
const steps = fix
  ? [['oxlint', '--type-aware', '--fix'], ['oxfmt']]
  : [
      ['tsc', '-p', 'packages/hookline'],
      ['tsc', '-p', 'packages/reposmith'],
      ['oxlint', '--type-aware', '--deny-warnings'],
      ['oxfmt', '--check'],
      ['knip'],
    ]
for (const [tool, ...args] of steps) run(bin(tool), args)
if (!fix) run(process.execPath, ['scripts/lockfiles.mjs'])
if (!fix && !process.argv.includes('--static')) run('npm', ['test'])

function run(command, args) {
  console.log(`> ${command} ${args.join(' ')}`)
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
