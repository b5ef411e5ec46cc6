// A client without a screen, as a child process with a home of its own. It ends with the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './patience.ts'

/** Some refuse to run for root, or make it wait; then they run for nobody. */
const NOBODY = 65_534

export class Program implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown>
  #printed = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exit = once(child, 'exit')
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#printed += text))
  }

  static start(command: string, args: readonly string[], { home, env, refusesRoot = false }: Ways): Program {
    const all = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', ...env }
    const who = isRoot() && refusesRoot ? { uid: NOBODY, gid: NOBODY } : {}
    if ('uid' in who) handOver(home)
    return new Program(spawn(command, args, { cwd: home, env: all, stdio: 'pipe', ...who }))
  }

  /** Gives what matched. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    return await this.#until(pattern, () => this.#printed)
  }

  /** Into one of its files, which may not be there yet. */
  async writes(file: string, pattern: RegExp): Promise<void> {
    await this.#until(pattern, () => textOf(file))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exit
  }

  async #until(pattern: RegExp, look: () => string): Promise<RegExpExecArray> {
    return await until(
      () => pattern.exec(look()),
      () => `never saw ${String(pattern)} in\n${look()}\nIt said:\n${this.#printed}`,
    )
  }
}

interface Ways {
  /** Also where it starts. */
  readonly home: string
  readonly env?: NodeJS.ProcessEnv
  readonly refusesRoot?: boolean
}

function handOver(folder: string): void {
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(join(folder, name), NOBODY, NOBODY)
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
