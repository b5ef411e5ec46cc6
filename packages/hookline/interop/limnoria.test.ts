// Limnoria, a bot in Python: it repeats what it is told to, and writes down what it hears.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { debianVersion, isSeen, openPlace, unlessInstalled } from './place.ts'
import { Program } from './program.ts'
import { visit } from './visit.ts'

const skip = unlessInstalled('supybot')

test('Limnoria joins, is spoken to, logs a webhook, and comes back', { skip }, async () => {
  isSeen('Limnoria', debianVersion('limnoria'))
  await using place = await openPlace()
  const { home, bob } = place
  writeFileSync(join(home, 'ann.conf'), place.settings('limnoria').join('\n'))
  await visit(place, async () => {
    const program = place.use(Program.start('supybot', ['ann.conf'], { home, refusesRoot: true }))
    return {
      say: async (text) => bob.type(`PRIVMSG #builds :@echo ${text}`),
      hears: (nick, text) =>
        program.writes(
          join(home, 'logs/ChannelLogger/hookline/#builds/#builds.log'),
          new RegExp(`  <${nick}> ${text}`),
        ),
    }
  })
  // It reads what it was told then as what it is: then.
  const answers = place.rig.spoken.filter(({ from, text }) => from === 'ann' && text === 'two cups please ☕')
  assert.equal(answers.length, 1)
})
