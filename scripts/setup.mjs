// Makes a fresh clone ready: installs what the lockfile names, and a Node of our own where the machine's is too old.
// Plain JavaScript for Node 20 and up. Does nothing, quickly, when nothing changed.
//   node scripts/setup.mjs [--interop]     --interop: also the foreign clients and payloads of the interop tests
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { canRun, findNode, isEnough, OLDEST } from './node24.mjs'

const root = new URL('..', import.meta.url)

ensure(root)
const fetched = !isEnough(process.versions.node) && ensure(new URL('runtime/', root))
const node = findNode()
if (!node || (fetched && !canRun(node))) {
  console.error(`error: hookline needs Node ${OLDEST} or newer; this is ${process.version}`)
  console.error(
    `hint: none could be fetched for ${process.platform}-${process.arch}; install Node 24 yourself`,
  )
  process.exit(2)
}
if (process.argv.includes('--interop')) {
  for (const name of readdirSync(new URL('packages/', root))) {
    const folder = new URL(`packages/${name}/interop/`, root)
    if (existsSync(new URL('package-lock.json', folder))) ensure(folder)
  }
}

/** Installs a folder's lockfile unless the stamp says that it already stands; true when it installed. */
function ensure(folder) {
  const lock = readFileSync(new URL('package-lock.json', folder))
  const wanted = createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex')
  const stamp = new URL('node_modules/.hookline-setup', folder)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false
  install(folder)
  writeFileSync(stamp, wanted)
  return true
}

function install(folder) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath // the npm that started us, so that versions agree
  const { status } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: folder, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
