// A terminal with one program in it, as a person has it: tmux draws the screen, the test types and looks.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { until } from './patience.ts'

const run = promisify(execFile)

export class Terminal implements Disposable {
  readonly #home: string
  readonly #socket = `hookline-${randomUUID().slice(0, 8)}`
  /** The process group of the program. */
  #group = Number.NaN

  private constructor(home: string) {
    this.#home = home
  }

  /** Runs it in a tmux server of its own, with `home` as its home. It ends with the terminal. */
  static async open(command: string, home: string): Promise<Terminal> {
    const terminal = new Terminal(home)
    await terminal.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', '160', '-y', '50', command)
    terminal.#group = Number(await terminal.#tmux('display-message', '-p', '#{pane_pid}'))
    return terminal
  }

  async type(...lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      await this.#tmux('send-keys', '-l', line)
      await this.#tmux('send-keys', 'Enter')
    }
  }

  /** Looks at the screen until it does; fails with what it showed last. */
  async shows(pattern: RegExp): Promise<void> {
    let screen = ''
    await until(
      async () => pattern.test((screen = await this.#look())),
      () => `the screen never showed ${String(pattern)}:\n${screen}`,
    )
  }

  /** Its terminal goes with the program, and the tmux server with its only terminal. */
  [Symbol.dispose](): void {
    try {
      process.kill(-this.#group, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // It has ended by itself.
    }
  }

  async #look(): Promise<string> {
    return await this.#tmux('capture-pane', '-p', '-J')
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], HOME: this.#home, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
    const { stdout } = await run('tmux', ['-u', '-L', this.#socket, ...args], { env })
    return stdout
  }
}
