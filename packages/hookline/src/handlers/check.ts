// Whether a handler compiles and exports `handle`, checked in a short-lived process before a bot starts, without running it.
import { execFile } from 'node:child_process'
import { type Refusable, refuse } from '../failure/refusal.ts'
import { isCode } from '../failure/thrown.ts'
import type { HandlerFile } from './find.ts'
import { pythonCommand, script } from './interpreter.ts'
import { environment } from './worker.ts'

/** The problems found, by path; a path without an entry is fine. One process for each language, however many files. */
export async function checkHandlers(files: readonly HandlerFile[]): Promise<ReadonlyMap<string, string>> {
  const paths = (language: HandlerFile['language']): string[] =>
    files.filter((file) => file.language === language).map((file) => file.path)
  const [python, node] = await Promise.all([
    // Without site-packages, which it does not need: they may take longer than all the rest.
    check([pythonCommand(), '-I', '-S', '-B', '-X', 'utf8', script('check.py')], paths('python')),
    check(
      [process.execPath, '--experimental-vm-modules', '--no-warnings', script('check.mjs')],
      paths('node'),
    ),
  ])
  return new Map([...python, ...node])
}

const CHECK_MS = 20_000

async function check(
  [command = '', ...args]: readonly string[],
  paths: readonly string[],
): Promise<[string, string][]> {
  if (paths.length === 0) return []
  const found = await run(command, [...args, ...paths])
  if (!found.ok) return paths.map((path) => [path, found.reason])
  return paths.flatMap((path, index) => {
    const problem = found.problems[index]
    return typeof problem === 'string' ? [[path, problem]] : []
  })
}

function run(command: string, args: readonly string[]): Promise<Refusable<{ problems: readonly unknown[] }>> {
  const options = {
    env: environment(''),
    timeout: CHECK_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 16 * 1024 * 1024,
  } as const
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (isCode(error, 'ENOENT') || isCode(error, 'EACCES')) return resolve(refuse(absent(command)))
      const problems = error ? undefined : parseList(stdout)
      if (problems) return resolve({ ok: true, problems })
      const why = stderr.trim().split('\n').at(-1) ?? ''
      resolve(refuse(`the handler could not be checked with ${command}: ${why || 'it gave no answer'}`))
    })
  })
}

function absent(command: string): string {
  return (
    `handler.py needs Python 3, and ${command} cannot be run: install it (apt install python3, brew install python), ` +
    'or set HOOKLINE_PYTHON to its path, then start the bot again'
  )
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}
