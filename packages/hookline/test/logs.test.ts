// What `hookline bot logs` tells of the server's log.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import pino from 'pino'
import { outputOf } from './control.ts'
import { startRig } from './rig.ts'

test('an error in the log has its reason', async () => {
  const bot = 'spark-ori-ci'
  await using rig = await startRig({ bots: { [bot]: `bot: {name: ${bot}, owner: spark-ori}\n` } })
  const timestamp = (): string => ',"time":"2026-04-03T09:15:00.000Z"'
  const log = pino(
    { base: null, timestamp },
    { write: (line: string) => writeFileSync(rig.home.logFile, line) },
  )
  log.error({ err: new Error('the disk is full'), bot }, 'its timers cannot be saved')

  assert.deepEqual(await outputOf(rig.home, 'bot logs', { name: bot }), {
    deliveries: [],
    log: ['2026-04-03T09:15:00.000Z error its timers cannot be saved: the disk is full'],
  })
})
