// The machine's clock is put back while the server runs: nobody waits for it, and what is said is still the latest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Person } from './person.ts'
import { startRig } from './rig.ts'

const HOUR_MS = 3_600_000

test('when the clock is put back nobody is kept waiting, and what is said then comes after what was said before', async () => {
  let back = 0
  const config = 'logging: {level: error}\naccounts: {password_cost: 4}\n'
  await using rig = await startRig({ config, machine: () => Date.now() - back })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/chathistory message-tags' })
  ann.type('JOIN #tea', 'PRIVMSG #tea :before')
  await ann.settle()
  back = HOUR_MS
  ann.type('PRIVMSG #tea :after', 'CHATHISTORY LATEST #tea * 2')
  const past = await ann.settle()
  const texts = past.flatMap((line) => / PRIVMSG #tea :(.*)$/.exec(line)?.[1] ?? [])
  assert.deepEqual(texts, ['before', 'after'])
})
