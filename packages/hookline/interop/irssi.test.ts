// irssi, as a person has it in a terminal: driven through tmux, and read from its screen.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Person } from '../test/person.ts'
import { post } from '../test/post.ts'
import { startRig } from '../test/rig.ts'

const missing = ['tmux', 'irssi'].filter((tool) => spawnSync(tool, ['-V']).error)
const isDemanded = process.env['CI'] === 'true'
const skip = missing.length > 0 && !isDemanded && `install ${missing.join(' and ')} to run it`

const bot = 'spark-ori-hello'
const files = {
  [bot]: `bot: {name: ${bot}, owner: spark-ori, description: Says hello}
output: {channels: ["#lobby"], template: "{body.who} says: {body.text}"}
`,
}

test(
  'irssi connects, joins #lobby, sees the bot in /names, and a message of its webhook',
  { skip },
  async () => {
    assert.deepEqual(missing, [], 'they must be there in CI')
    await using rig = await startRig({ bots: files })
    using bob = await Person.join(rig.ircPort, 'bob')
    bob.type('JOIN #lobby')
    using screen = new Screen('irssi')
    // By itself irssi lets the sixth command wait for two seconds.
    screen.type('/set cmd_queue_speed 1msec', `/connect 127.0.0.1 ${rig.ircPort}`)
    await screen.shows(/End of \/MOTD|MOTD File is missing|Welcome/i)
    screen.type('/join #lobby')
    await screen.shows(/Irssi: Join to #lobby was synced/)
    screen.type('/clear', '/names')
    await screen.shows(/\[\+spark-ori-hello\]/)
    screen.type('/clear')
    const { status } = await post(`${rig.url}/${bot}`, { who: 'Ada', text: 'the kettle is on ☕' })
    assert.equal(status, 200)
    await screen.shows(/<\+?spark-ori-hello> Ada says: the kettle is on ☕/)
    screen.type('/window 1', '/whois spark-ori-hello')
    await screen.shows(/ircname\s*: Says hello/)
    screen.type('/window 2', 'hello from irssi')
    await bob.until(/^:ann!\S+ PRIVMSG #lobby :hello from irssi$/)
  },
)

/** A terminal of our own, in a tmux server of our own, with a home of its own. */
class Screen implements Disposable {
  readonly #home = mkdtempSync(join(tmpdir(), 'hookline-irssi-'))
  readonly #name = `hookline-${process.pid}`

  constructor(command: string) {
    const run = `${command} --home='${join(this.#home, 'irssi')}' --nick=ann`
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', '140', '-y', '40', run)
  }

  type(...lines: string[]): void {
    for (const line of lines) {
      this.#tmux('send-keys', '-l', line)
      this.#tmux('send-keys', 'Enter')
    }
  }

  /** Looks at the screen until it does; fails with what it showed last. */
  async shows(pattern: RegExp): Promise<void> {
    const deadline = Date.now() + 15_000
    let text = this.#tmux('capture-pane', '-p')
    while (!pattern.test(text)) {
      if (Date.now() > deadline) assert.fail(`the screen never showed ${String(pattern)}:\n${text}`)
      await pause(20)
      text = this.#tmux('capture-pane', '-p')
    }
  }

  [Symbol.dispose](): void {
    spawnSync('tmux', ['-L', this.#name, 'kill-server'])
    rmSync(this.#home, { recursive: true, force: true })
  }

  #tmux(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('tmux', ['-u', '-L', this.#name, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: this.#home, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    })
    assert.equal(status, 0, `tmux ${args.join(' ')}: ${stderr}`)
    return stdout
  }
}
