// docs/templates.md is true: each bot is started on a real server, gets each payload, and says what the page says.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hookline } from './command.ts'
import { type Block, blocksOf } from './docs.ts'
import { post, type Answered } from './post.ts'
import { startRig, type Rig } from './rig.ts'

const page = 'templates'
const name = 'spark-ori-bot'
const head = `bot: {name: ${name}, owner: spark-ori}\n`

test(`every example of docs/${page}.md does what is written beside it`, async () => {
  await using rig = await startRig()
  const desk = new Examples(rig)
  const blocks = blocksOf(page)
  assert.ok(blocks.length > 50)
  for (const block of blocks) {
    try {
      await desk.play(block)
    } catch (error) {
      throw new Error(`${page}.md:${block.line}`, { cause: error })
    }
  }
})

test('a block that is never played is an error', async () => {
  await using rig = await startRig()
  await assert.rejects(
    () => new Examples(rig).play({ line: 1, info: 'yaml', lines: [] }),
    /nothing plays a block marked "yaml"/,
  )
})

/** Plays one block after the other: a result is that of the last payload at the last bot. */
class Examples {
  readonly #rig: Rig
  #started: Awaited<ReturnType<Rig['server']['bots']['start']>> | undefined
  #payload = { text: '', headers: {} }
  #answer: Answered | undefined

  constructor(rig: Rig) {
    this.#rig = rig
  }

  async play({ info, lines }: Block): Promise<void> {
    const text = lines.join('\n')
    const [kind = '', what = ''] = info.split(' ')
    switch (`${kind} ${what}`.trim()) {
      case 'yaml bot':
        return await this.#bot(text)
      case 'json payload':
        return await this.#send(text, info)
      case 'text message':
        assert.equal((await this.#answered()).json['message'], withCodes(text))
        return
      case 'text skipped':
        assert.equal((await this.#answered()).json['status'], 'skipped')
        return assert.equal((await this.#record()).reason, text)
      case 'text failed':
        assert.equal((await this.#answered()).status, 500)
        return assert.equal((await this.#record()).error, text)
      case 'text warning':
        // The first is that of a bot without channels, of which the page shows only what it says.
        return assert.deepEqual(this.#started?.ok && this.#started.bot.warnings.slice(1), [text])
      case 'text problem':
        assert.ok(
          this.#started && !this.#started.ok && this.#started.reason.includes(`: ${text}`),
          JSON.stringify(this.#started),
        )
        return
      case 'console':
        return await this.#type(text)
      default:
        throw new Error(`nothing plays a block marked "${info}"`)
    }
  }

  async #bot(yaml: string): Promise<void> {
    const { server, home } = this.#rig
    mkdirSync(join(home.bots, name), { recursive: true })
    writeFileSync(join(home.bots, name, 'bot.yaml'), `${head}${yaml}\n`)
    this.#started = await server.bots.start(name)
    this.#answer = undefined
  }

  async #send(text: string, info: string): Promise<void> {
    const pairs = [...info.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, header = '', value = '']) => [
      header,
      value,
    ])
    this.#payload = { text, headers: Object.fromEntries(pairs) as Record<string, string> }
    const file = /\bfile=(\S+)/.exec(info)?.[1]
    if (file !== undefined) writeFileSync(join(this.#rig.home.folder, file), text)
    this.#answer = undefined
  }

  async #answered(): Promise<Answered> {
    assert.ok(this.#started?.ok, JSON.stringify(this.#started))
    this.#answer ??= await post(`${this.#rig.url}/${name}`, this.#payload.text, this.#payload.headers)
    return this.#answer
  }

  async #record() {
    const { json } = await this.#answered()
    const row = await this.#rig.server.store.deliveries.get(String(json['id']))
    assert.ok(row)
    return row
  }

  /** `$ hookline …`, then what it prints. */
  async #type(text: string): Promise<void> {
    for (const step of text.split(/^\$ hookline /m).filter((part) => part !== '')) {
      const [line = '', ...expected] = step.trimEnd().split('\n')
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare)
      const args = words.map((word) => (word.endsWith('.json') ? join(this.#rig.home.folder, word) : word))
      const { code, stdout, stderr } = await hookline(this.#rig.home, ...args)
      assert.deepEqual([code, stdout.trimEnd()], [0, expected.join('\n')], stderr)
    }
  }
}

/** What cannot be seen is written out on the page. */
function withCodes(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/g,
    (_, short: string | undefined, long: string) => String.fromCharCode(Number.parseInt(short ?? long, 16)),
  )
}
