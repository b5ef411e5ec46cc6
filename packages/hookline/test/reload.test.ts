// What `server reload` makes of server.yaml as it is now.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startRig } from './rig.ts'

test('a message of the day that cannot be read: nothing changes, and it says so', async () => {
  await using rig = await startRig({ config: 'logging: {level: error}\n' })
  const strict = 'accounts: {password_cost: 4, registration: {password_length: 9}}\nlogging: {level: error}\n'
  writeFileSync(rig.home.config, `server: {motd_file: none}\n${strict}`)
  const { isApplied, warnings } = await rig.server.reload()
  assert.equal(isApplied, false)
  assert.match(warnings.join('\n'), /^server\.motd_file \S+none cannot be read: [^\n]*$/)
  assert.equal(rig.server.accounts.rules.shortestPassword, 3)
})

test('what changes with the next start only is named', async () => {
  await using rig = await startRig({ config: 'logging: {level: error}\n' })
  const other = join(rig.home.folder, 'other')
  writeFileSync(rig.home.config, `logging: {level: warn}\nlimits: {whowas_entries: 7}\ndata_dir: ${other}\n`)
  assert.deepEqual(await rig.server.reload(), {
    isApplied: true,
    warnings: [
      'data_dir changes with the next start of the server',
      'logging.level changes with the next start of the server',
      'limits.whowas_entries changes with the next start of the server',
    ],
  })
})
