// A measurement that is a script of its own, so that each checkout's sources have a process to themselves.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atEnd } from './endings.ts'
import type { Figures } from './figures.ts'

/** What it prints, as JSON. */
export async function figuresOf(script: string, args: readonly string[], limitMs: number): Promise<Figures> {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = atEnd(() => child.kill('SIGKILL'))
  const late = setTimeout(kill, limitMs)
  const exited = once(child, 'exit') as Promise<[number | null]>
  const text = Buffer.concat(await child.stdout.toArray()).toString()
  const [code] = await exited
  clearTimeout(late)
  kill()
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} did not come to an end`)
  return JSON.parse(text) as Figures
}
