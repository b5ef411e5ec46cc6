// REDACT while others go on: between asking the disk and telling everybody, names may change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { TestChat } from './chat.ts'
import { memoryHistory } from './fuzz/past.ts'

const CAPS = 'CAP REQ :draft/message-redaction message-tags echo-message'

/** ann is taking back what she said to bob, or in a channel to him and herself; the disk answers when it is told to. */
async function takenBack(target: string) {
  const waiting: (() => void)[] = []
  const past = memoryHistory(
    (answer) =>
      new Promise((resolve) => {
        waiting.push(() => resolve(answer()))
      }),
  )
  const here = new TestChat(undefined, past.history)
  here.chat.observe((entry, change) => past.keep(here.chat, entry, change))
  const answer = async () => {
    assert.equal(waiting.length, 1)
    waiting.pop()?.()
    await setImmediate()
  }
  const channels = target.startsWith('#') ? [target] : []
  const bob = here.enter('bob', ...channels)
  const ann = here.enter('ann', ...channels)
  for (const each of [ann, bob]) each.type(CAPS)
  const [line = ''] = ann.type(`PRIVMSG ${target} :oops`)
  const id = /msgid=(\w+)/.exec(line)?.[1] ?? ''
  ann.type(`REDACT ${target} ${id}`)
  await answer()
  return { here, ann, bob, id, answer }
}

test('a message taken back while its channel is renamed is gone for everybody in it', async () => {
  const { ann, bob, id, answer } = await takenBack('#tea')
  bob.type('RENAME #tea #milk')
  await answer()
  for (const each of [ann, bob])
    assert.match(each.heard().at(-1) ?? '', new RegExp(` :ann!\\S+ REDACT #milk ${id}$`))
})

test('a message taken back while its recipient changes nick is gone for the recipient', async () => {
  const { here, ann, bob, id, answer } = await takenBack('bob')
  bob.type('NICK bobby')
  const eve = here.enter('bob')
  eve.type(CAPS)
  await answer()
  for (const each of [ann, bob])
    assert.match(each.heard().at(-1) ?? '', new RegExp(` :ann!\\S+ REDACT bobby ${id}$`))
  assert.doesNotMatch(eve.heard().join('\n'), /REDACT/)
})

test('a message is gone for the others even if whoever takes it back has left meanwhile', async () => {
  const { ann, bob, id, answer } = await takenBack('#tea')
  ann.hangUp()
  await answer()
  assert.match(bob.heard().at(-1) ?? '', new RegExp(` REDACT #tea ${id}$`))
})
