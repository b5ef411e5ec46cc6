// No change on the way is accepted: a thousand changed requests per sender, with a fixed seed; HOOKLINE_ROUNDS=10 for ten thousand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretFor, type SenderName, senders, sign } from '../../test/sign.ts'
import { at, type Attempt, body, change, diceFrom, meansTheSame, proofOf } from '../../test/mutations.ts'
import { ROUNDS } from '../../test/rounds.ts'
import { authOf, botWith } from '../../test/rigs/webhooks.ts'

const CHANGES = 1_000 * ROUNDS

for (const name of Object.keys(senders) as SenderName[]) {
  test(`${name}: none of ${CHANGES} changed requests is accepted`, () => {
    const secret = secretFor(name, 1)
    const bot = botWith(authOf(name, secretFor(name, 20_000), secret))
    const sent: Attempt = { ...sign(name, { secret, body, id: 'msg_1', at }), now: at }
    assert.equal(proofOf(bot, sent), 'proven', 'as it was sent')
    const dice = diceFrom(4711)
    for (let changed = 0; changed < CHANGES;) {
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
