// catgirl, over TLS as it insists. It ends when its connection does; the shell starts it again.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Person } from '../test/person.ts'
import { debianVersion, isSeen, openPlace, type Place, raw, unlessInstalled } from './place.ts'
import { Terminal } from './terminal.ts'
import { visit } from './visit.ts'

const skip = unlessInstalled('tmux', 'catgirl')

test('catgirl joins over TLS, chats, sees a webhook, and comes back', { skip }, async () => {
  isSeen('catgirl', debianVersion('catgirl'))
  await using place = await openPlace()
  const folder = join(place.home, '.config', 'catgirl')
  mkdirSync(folder, { recursive: true })
  copyFileSync(place.certificate, join(folder, 'hookline.pem'))
  writeFileSync(join(folder, 'hookline'), place.settings('catgirl').join('\n'))
  await nameCertificate(place)
  await visit(place, async () => {
    const terminal = place.use(await Terminal.open(place.settings('catgirl-again').join('\n'), place.home))
    return {
      say: (text) => terminal.type(text),
      hears: (nick, text) => terminal.shows(new RegExp(`<${nick}> ${text}`)),
    }
  })
})

/** As the page says: made, and named to NickServ by somebody who is logged in already. */
async function nameCertificate({ home, rig, settings }: Place): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: home }
  const made = execFileSync('sh', ['-ec', settings('catgirl-certificate').join('\n')], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const fingerprint = /Fingerprint=(\S+)/.exec(made)?.[1] ?? made
  using ann = await Person.connect(rig.ircPort)
  ann.type('PASS ann:tea4ann-please', 'NICK ann', 'USER ann 0 * ann')
  ann.type(raw(settings('certificate')).replace('<fingerprint>', fingerprint), 'QUIT')
  await ann.until(/NickServ!.* NOTICE ann :.*certificate/i)
  await ann.gone()
}
