// External tools: where one is, and running it. No shell stands between.
import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { done, failed, type Answer } from '../failure.ts'
import type { RunStep } from '../plan/step.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The file that PATH leads to; undefined where there is none. */
export function findTool(name: string, env: Environment): string | undefined {
  const folders = name.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => (folder ? join(folder, name) : resolve(name))).find(isExecutable)
}

/** Its output; or, where it fails, what it said. It inherits no token. */
export async function runTool(
  step: RunStep,
  env: Environment,
  onLine: (line: string) => void,
): Promise<Answer<string>> {
  const [file, ...args] = step.argv
  const child = spawn(file, args, {
    cwd: step.cwd,
    env: withoutTokens(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  const collect = async (stream: NodeJS.ReadableStream): Promise<string> => {
    let all = ''
    for await (const chunk of stream) all += String(chunk)
    return all
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code ?? signal ?? 1))
  })
  const [out, err, end] = await Promise.all([collect(child.stdout), collect(child.stderr), ended])
  for (const line of err.trimEnd().split('\n')) if (line) said.push(line)
  for (const line of said) onLine(line)
  if (end === 0) return done(out)
  return failed({
    code: 4,
    message: `${file} ended with ${end}`,
    remediation: said.at(-1) ?? 'run it by hand to see why',
    kind: 'scaffolder',
    ...(said.length ? { details: said.slice(-20) } : {}),
  })
}

/** A template's hooks are somebody else's code. */
function withoutTokens(env: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/TOKEN|SECRET|PASSWORD/i.test(name)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
