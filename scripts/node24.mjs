// Which Node runs what is in this house. Plain JavaScript for Node 20 and up: this is read before Node 24 is found.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The oldest Node we run on: the first whose `node:sqlite` is silent and whose type stripping is stable. */
export const OLDEST = '24.15'

/** True where `version` ("v24.21.0" or "24.21.0") is new enough. */
export function isEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  const [needMajor, needMinor] = OLDEST.split('.').map(Number)
  return major > needMajor || (major === needMajor && minor >= needMinor)
}

/** The Node to run with: our own when it is new enough, else the one that setup fetched, else undefined. */
export function findNode() {
  if (isEnough(process.versions.node)) return process.execPath
  const windows = process.platform === 'win32'
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const file = new URL(
    `../runtime/node_modules/${name}/bin/${windows ? 'node.exe' : 'node'}`,
    import.meta.url,
  )
  return existsSync(file) ? fileURLToPath(file) : undefined
}

/** False where the binary cannot run here, as one built for glibc on a musl system. */
export function canRun(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return status === 0 && isEnough(stdout.trim())
}

/**
 * Goes on as `node args…`: same terminal, same signals, same exit. The IPC channel is a lifeline: when we are
 * killed outright, a server at the other end sees it close and stops, instead of living on unseen.
 */
export function goOnWith(node, args, { env = {}, lifeline = false } = {}) {
  const child = spawn(node, args, {
    stdio: lifeline ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    env: { ...process.env, ...env, PATH: dirname(node) + delimiter + (process.env.PATH ?? '') },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`error: cannot run ${node}: ${error.message}`)
    process.exit(2)
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
