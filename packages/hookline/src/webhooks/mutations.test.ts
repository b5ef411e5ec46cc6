// No change on the way is accepted: 10,000 changed requests per sender, with a fixed seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretFor, type SenderName, senders, sign } from '../../test/sign.ts'
import { at, type Attempt, body, change, diceFrom, meansTheSame, proofOf } from '../../test/mutations.ts'
import { authOf, botWith } from '../../test/rigs/webhooks.ts'

for (const name of Object.keys(senders) as SenderName[]) {
  test(`${name}: none of 10,000 changed requests is accepted`, () => {
    const secret = secretFor(name, 1)
    const bot = botWith(authOf(name, secretFor(name, 20_000), secret))
    const sent: Attempt = { ...sign(name, { secret, body, id: 'msg_1', at }), now: at }
    assert.equal(proofOf(bot, sent), 'proven', 'as it was sent')
    const dice = diceFrom(4711)
    for (let changed = 0; changed < 10_000;) {
      const attempt = change(name, sent, dice)
      if (meansTheSame(name, sent, attempt)) continue
      changed++
      assert.notEqual(
        proofOf(bot, attempt),
        'proven',
        JSON.stringify({ ...attempt, body: String(attempt.body) }),
      )
    }
  })
}
