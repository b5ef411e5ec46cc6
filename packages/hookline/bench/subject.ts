// The server under test: a process of its own, of whichever checkout, with a home and ports of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { atEnd } from './endings.ts'

export interface Subject extends AsyncDisposable {
  readonly ircPort: number
  readonly webhookPort: number
  readonly pid: number
  /** From its process to the word that it is ready. */
  readonly startMs: number
  /** Seconds of processor time so far, of all its threads. Undefined without /proc. */
  cpuSeconds(): number | undefined
  /** KiB of memory that are its own or shared. Undefined without /proc. */
  residentKiB(): number | undefined
}

export const BOT = 'bench-you-ci'
export const CHANNEL = '#bench'

export interface SubjectOptions {
  /** False: clients say as much as they like. */
  readonly isFloodProtected?: boolean
  /** Names of further bots. */
  readonly bots?: readonly string[]
  /** Options of Node for the server. */
  readonly node?: readonly string[]
}

/** Everything as it is by default, history with it, but for limits that a thousand clients would meet. */
const CONFIG = `
logging: {level: error}
limits:
  channels_per_user: 10000
  ping_after_ms: 600000
`
const botYaml = (name: string) => `
bot: {name: ${name}, owner: bench-you}
output:
  channels: ["${CHANNEL}"]
  template: "{body.workflow_run.display_title} {body.workflow_run.conclusion}"
`
const START_MS = 20_000
const STOP_MS = 60_000

export async function startSubject(
  checkout: string,
  { isFloodProtected = false, bots = [], node = [] }: SubjectOptions = {},
): Promise<Subject> {
  const home = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  writeFileSync(join(home, 'server.yaml'), `${CONFIG}  flood_protection: ${isFloodProtected}\n`)
  for (const name of [BOT, ...bots]) {
    mkdirSync(join(home, 'bots', name), { recursive: true })
    writeFileSync(join(home, 'bots', name, 'bot.yaml'), botYaml(name))
  }
  const main = join(checkout, 'packages/hookline/src/cli/main.ts')
  const args = ['server', 'start', '--json', '--name', 'bench', '--port', '0', '--webhook-port', '0']
  const begun = performance.now()
  const child = spawn(process.execPath, [...profiling(), ...node, main, ...args], {
    env: { ...process.env, HOOKLINE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // Ctrl-C is for us; we end it
  })
  const exited = once(child, 'exit')
  const clear = atEnd(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  })
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS)
  const first = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    exited.then(() => [undefined] as const),
  ])
  const startMs = performance.now() - begun
  clearTimeout(late)
  if (first[0] === undefined) throw new Error(`the server of ${checkout} did not start`)
  const { irc, webhook, pid } = JSON.parse(first[0]) as { irc: string; webhook: string; pid: number }
  return {
    ircPort: Number(irc.split(':').at(-1)),
    webhookPort: Number(webhook.split(':').at(-1)),
    pid,
    startMs,
    cpuSeconds: () => cpuSeconds(pid),
    residentKiB: () => residentKiB(pid),
    async [Symbol.asyncDispose]() {
      const never = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      child.kill('SIGTERM')
      await exited
      clearTimeout(never)
      clear()
    },
  }
}

/** `HOOKLINE_BENCH_PROFILE=folder`: each server writes a profile there when it stops. */
function profiling(): readonly string[] {
  const folder = process.env['HOOKLINE_BENCH_PROFILE']
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

/** proc(5): utime and stime are the 14th and 15th field, in ticks of 10 ms; the 2nd may hold spaces. */
function cpuSeconds(pid: number): number | undefined {
  const fields = readOf(pid, 'stat')?.split(') ').at(-1)?.split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) / 100
}

function residentKiB(pid: number): number | undefined {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readOf(pid, 'status') ?? '')
  return found ? Number(found[1]) : undefined
}

function readOf(pid: number, file: string): string | undefined {
  return process.platform === 'linux' ? readFileSync(`/proc/${pid}/${file}`, 'utf8') : undefined
}
