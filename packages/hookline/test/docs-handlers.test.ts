// docs/handlers.md: every bot of it is started, every payload posted, every command typed, every limit compared.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HANDLER_LIMITS as limits } from '../src/bots/handler/limits.ts'
import { loadConfig } from '../src/config/config.ts'
import { type Block, blocksOf, tableOf } from './docs.ts'
import { type Answered, post } from './post.ts'
import { type Rig, startRig } from './rig.ts'
import { patternOf, runInShell, stepsOf } from './shell.ts'

const page = 'handlers'

test('every example of the page does what the page says', async () => {
  await using rig = await startRig()
  const scene: Scene = { bot: '', answer: undefined }
  for (const block of blocksOf(page)) {
    const text = block.lines.join('\n')
    switch (block.info) {
      case 'yaml bot.yaml':
        scene.bot = await bring(rig, block)
        break
      case 'python handler.py':
      case 'ts handler.ts':
        writeFileSync(join(rig.home.bots, scene.bot, block.info.split(' ')[1] ?? ''), `${text}\n`)
        break
      case 'json payload':
        scene.answer = await post(`${rig.url}/${scene.bot}`, text)
        break
      case 'text message':
        assert.deepEqual([scene.answer?.status, scene.answer?.json['message']], [200, text], where(block))
        break
      case 'text skipped':
        assert.deepEqual([scene.answer?.status, scene.answer?.json['status']], [200, 'skipped'], where(block))
        break
      case 'text failed': {
        assert.equal(scene.answer?.status, 500, where(block))
        const record = await rig.server.store.deliveries.get(String(scene.answer?.json['id']))
        assert.ok(record?.error?.includes(text), `${where(block)}: ${record?.error}`)
        break
      }
      case 'console':
        await type(rig, block)
        break
      case 'yaml server.yaml': {
        writeFileSync(rig.home.config, text)
        const read = loadConfig({ home: rig.home, flags: {}, env: {} })
        assert.deepEqual([read.ok, read.ok && read.warnings], [true, []], where(block))
        break
      }
      default:
        assert.fail(`${where(block)}: nobody knows what to do with ${block.info}`)
    }
  }
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

interface Scene {
  /** The bot that the page speaks of. */
  bot: string
  /** To the last payload. */
  answer: Answered | undefined
}

/** Saves it as a person would, and starts it. */
async function bring(rig: Rig, block: Block): Promise<string> {
  const name = /name: ([\w-]+)/.exec(block.lines.join('\n'))?.[1] ?? assert.fail(`${where(block)}: no name`)
  const folder = join(rig.home.bots, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'bot.yaml'), `${block.lines.join('\n')}\n`)
  const started = await rig.server.bots.start(name)
  assert.ok(started.ok, `${where(block)}: ${JSON.stringify(started)}`)
  return name
}

/** Types each command. `…` in what it should print is anything on one line. */
async function type(rig: Rig, block: Block): Promise<void> {
  for (const step of stepsOf(block.lines, page, block.line + 1)) {
    const printed = await runInShell(step.command, rig.home.folder)
    const expected = step.expected.join('\n').replaceAll('…', '{any}')
    assert.match(printed, patternOf(expected), `${page}.md:${step.line}: $ ${step.command}\n${printed}`)
  }
}

function where({ line }: Block): string {
  return `${page}.md:${line}`
}
