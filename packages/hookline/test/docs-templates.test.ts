// docs/templates.md is true: each bot is started on a real server, gets each payload, and says what the page says.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Block, playPage, typeCommands } from './docs.ts'
import { post, type Answered } from './post.ts'
import { startRig, type Rig, writeBots } from './rig.ts'

const page = 'templates'
const name = 'spark-ori-bot'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  const desk = new Desk(rig)
  const text = ({ lines }: Block) => lines.join('\n')
  await playPage(page, {
    'yaml bot': (block) => desk.bring(text(block)),
    'json payload…': (block) => desk.hand(text(block), block.info),
    'text message': async (block) =>
      assert.equal((await desk.answered()).json['message'], withCodes(text(block))),
    'text skipped': async (block) => {
      assert.equal((await desk.answered()).json['status'], 'skipped')
      assert.equal((await desk.record()).reason, text(block))
    },
    'text failed': async (block) => {
      assert.equal((await desk.answered()).status, 500)
      assert.equal((await desk.record()).error, text(block))
    },
    // The first is that of a bot without channels, of which the page shows only what it says.
    'text warning': (block) =>
      assert.deepEqual(desk.started?.ok && desk.started.bot.warnings.slice(1), [text(block)]),
    'text problem': (block) =>
      assert.ok(
        desk.started && !desk.started.ok && desk.started.reason.includes(`: ${text(block)}`),
        JSON.stringify(desk.started),
      ),
    console: (block) => typeCommands(block, rig),
  })
})

test('a block that is never played is an error, and so is a player without a block', async () => {
  await assert.rejects(playPage(page, {}), (error: Error) => {
    assert.match(error.message, /^templates\.md:\d+$/)
    assert.match(String(error.cause), /: nobody knows what to do with yaml bot$/)
    return true
  })
  const ignore = () => {}
  const every = { 'yaml…': ignore, 'json…': ignore, 'text…': ignore, console: ignore }
  await playPage(page, every)
  await assert.rejects(playPage(page, { ...every, irc: ignore }), /templates\.md has no such block/)
})

/** A result is that of the last payload at the last bot. */
class Desk {
  readonly #rig: Rig
  started: Awaited<ReturnType<Rig['server']['bots']['start']>> | undefined
  #payload = { text: '', headers: {} }
  #answer: Answered | undefined

  constructor(rig: Rig) {
    this.#rig = rig
  }

  async bring(yaml: string): Promise<void> {
    const { server, home } = this.#rig
    writeBots(home, { [name]: `bot: {name: ${name}, owner: spark-ori}\n${yaml}\n` })
    this.started = await server.bots.start(name)
    this.#answer = undefined
  }

  hand(text: string, info: string): void {
    const pairs = Array.from(info.matchAll(/([\w-]+)="([^"]*)"/g), ([, header = '', value = '']) => [
      header,
      value,
    ])
    this.#payload = { text, headers: Object.fromEntries(pairs) as Record<string, string> }
    const file = /\bfile=(\S+)/.exec(info)?.[1]
    if (file !== undefined) writeFileSync(join(this.#rig.home.folder, file), text)
    this.#answer = undefined
  }

  async answered(): Promise<Answered> {
    assert.ok(this.started?.ok, JSON.stringify(this.started))
    this.#answer ??= await post(`${this.#rig.url}/${name}`, this.#payload.text, this.#payload.headers)
    return this.#answer
  }

  async record() {
    const { json } = await this.answered()
    return (await this.#rig.server.store.deliveries.get(String(json['id']))) ?? assert.fail('no record')
  }
}

/** What cannot be seen is written out on the page. */
function withCodes(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/g,
    (_, short: string | undefined, long: string) => String.fromCharCode(Number.parseInt(short ?? long, 16)),
  )
}
