// A history that cannot be read: whoever asks is told so, rather than that there is nothing.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Person } from './person.ts'
import { startRig } from './rig.ts'

test('*playback and CHATHISTORY say that messages could not be retrieved', async () => {
  await using rig = await startRig({ config: 'logging: {level: error}\n' })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('JOIN #tea', 'PRIVMSG #tea :hello', 'CHATHISTORY LATEST #tea * 1')
  await ann.until(/:hello$/)
  {
    using disk = new DatabaseSync(join(rig.home.data, 'hookline.db'), { timeout: 5_000 })
    disk.exec('DROP TABLE history; DROP TABLE correspondents')
  }
  const answers = {
    'CHATHISTORY LATEST #tea * 1':
      ':spark FAIL CHATHISTORY MESSAGE_ERROR LATEST #tea :Messages could not be retrieved',
    'PRIVMSG *playback :PLAY #tea':
      ':*playback!*playback@spark NOTICE ann :Messages of #tea could not be retrieved',
    'PRIVMSG *playback :LIST': ':*playback!*playback@spark NOTICE ann :The list could not be retrieved',
  }
  for (const [typed, answer] of Object.entries(answers)) {
    ann.type(typed)
    assert.deepEqual(await ann.settle(), [answer])
  }
  using bob = await Person.join(rig.ircPort, 'bob')
  bob.type('PRIVMSG *playback :PLAY *')
  assert.deepEqual(await bob.settle(), [
    ':*playback!*playback@spark NOTICE bob :Messages of * could not be retrieved',
  ])
})

test('*playback LIST says that no history is kept, as PLAY does', async () => {
  await using rig = await startRig({ config: 'history: {enabled: false}\nlogging: {level: error}\n' })
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('PRIVMSG *playback :PLAY *', 'PRIVMSG *playback :LIST')
  const answer = ':*playback!*playback@spark NOTICE ann :This server keeps no history'
  assert.deepEqual(await ann.settle(), [answer, answer])
})
