// What conversations cannot show, since it takes a channel from an earlier version.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestChat } from '../../../../test/chat.ts'
import { channelKey } from '../../../irc/names.ts'

test('a ban in the syntax of another server, which an earlier version let in, can be removed', () => {
  const rig = new TestChat()
  const ann = rig.enter('ann', '#tea')
  rig.chat.propose({
    kind: 'channel.modes',
    channel: channelKey('#tea'),
    by: undefined,
    changes: [{ sign: '+', mode: 'b', param: '$a:troll!*@*' }],
  })
  ann.heard()
  assert.deepEqual(ann.type('MODE #tea -b $A:troll'), [':ann!ann@127.0.0.1 MODE #tea -b $a:troll!*@*'])
})
