// docs/handlers.md: every bot of it is started, every payload posted, every command typed, every limit compared.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseBotFile } from '../src/bots/file/botfile.ts'
import { HANDLER_LIMITS as limits } from '../src/handlers/limits.ts'
import { type Block, bringBot, expectSettings, nameIn, playPage, tableOf, typeCommands } from './docs.ts'
import { type Answered, post } from './post.ts'
import { startRig } from './rig.ts'

const page = 'handlers'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  let bot = ''
  let answer: Answered | undefined
  const expect = (status: number, key: string, value: string) =>
    assert.deepEqual([answer?.status, answer?.json[key]], [status, value])
  const save = ({ info, lines }: Block) =>
    writeFileSync(join(rig.home.bots, bot, info.split(' ')[1] ?? ''), `${lines.join('\n')}\n`)
  await playPage(page, {
    'yaml bot.yaml': async (block) => {
      rmSync(join(rig.home.bots, nameIn(block.lines)), { recursive: true, force: true })
      bot = await bringBot(rig, block)
    },
    'python handler.py': save,
    'ts handler.ts': save,
    'json payload': async ({ lines }) => {
      answer = await post(`${rig.url}/${bot}`, lines.join('\n'))
    },
    'text message': ({ lines }) => expect(200, 'message', lines.join('\n')),
    'text skipped': () => expect(200, 'status', 'skipped'),
    'text failed': async ({ lines }) => {
      assert.equal(answer?.status, 500)
      const record = await rig.server.store.deliveries.get(String(answer.json['id']))
      assert.ok(record?.error?.includes(lines.join('\n')), record?.error ?? '')
    },
    console: (block) => typeCommands(block, rig, (text) => text.replaceAll('…', '{any}')),
    'yaml server.yaml': expectSettings,
    'yaml handler': ({ lines }) => {
      const about = 'bot: {name: spark-ori-ci, owner: spark-ori}'
      const read = parseBotFile(`${about}\n${lines.join('\n')}`, 'bot.yaml', 'spark-ori-ci')
      assert.ok(read.ok && read.settings.handler?.network, JSON.stringify(read))
    },
  })
})

test('the table of limits matches the limits', () => {
  const seconds = (ms: number) => `${ms / 1000} s`
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`
  const kib = (bytes: number) => `${bytes / 1024} KiB`
  const expected: Readonly<Record<string, string>> = {
    'time of a call': seconds(limits.callMs),
    'time of an import': seconds(limits.startMs),
    'calls that wait': `${limits.queueCalls}, ${mib(limits.queueBytes)}`,
    answer: kib(limits.textBytes),
    '`bot.state`': `${kib(limits.stateBytes)} of JSON`,
    'memory, Python': `${mib(limits.memoryBytes)} of addresses for each process`,
    'memory, Node': `${limits.heapMiB} MiB of heap; ${limits.dataBytes / 1024 ** 3} GiB for all, 0.5 of which V8 reserves`,
    'a file': mib(limits.fileBytes),
    'open files': `${limits.openFiles} for each process`,
    'processes and threads': `${limits.processes}; ${300 + limits.processes} when the server runs as root`,
    'printed in ten seconds': mib(limits.printBytes),
    'after a crash': `${seconds(limits.backOffMs[0])}, doubled up to ${seconds(limits.backOffMs[1])}`,
    'processes that stay': `${limits.maxWarm}`,
    unused: `${limits.idleMs / 60_000} min`,
  }
  const told = tableOf(page, 'limit').map(([limit = '', value = '']) => [limit, value])
  assert.deepEqual(Object.fromEntries(told), expected)
})
