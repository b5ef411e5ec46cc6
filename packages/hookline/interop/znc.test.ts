// ZNC, a bouncer: a client of ours, and somebody's server.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Person } from '../test/person.ts'
import { debianVersion, isSeen, freePort, openPlace, unlessInstalled } from './place.ts'
import { Program } from './program.ts'
import { visit } from './visit.ts'

const skip = unlessInstalled('znc')

test('ZNC joins, passes on what is said and what a webhook says, and comes back', { skip }, async () => {
  isSeen('ZNC', debianVersion('znc'))
  await using place = await openPlace()
  const folder = join(place.home, 'configs')
  mkdirSync(folder)
  const port = await freePort()
  writeFileSync(join(folder, 'znc.conf'), place.settings('znc').join('\n').replace('6670', String(port)))
  await visit(place, async () => {
    const program = place.use(
      Program.start('znc', ['--foreground', '--datadir', place.home], {
        home: place.home,
        refusesRoot: true,
      }),
    )
    await program.prints(/ZNC 1/)
    const person = place.use(await Person.connect(port))
    person.type('PASS ann/hookline:letmein', 'NICK ann', 'USER ann 0 * ann')
    return {
      say: async (text) => person.type(`PRIVMSG #builds :${text}`),
      hears: async (nick, text) =>
        void (await person.until(new RegExp(`^(@\\S+ )?:${nick}!\\S+ PRIVMSG #builds :${text}$`))),
    }
  })
})
