// REDACT while others go on: between asking the disk and telling everybody, names may change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Client, TestChat } from './chat.ts'
import { memoryHistory } from './fuzz/past.ts'

const CAPS = 'CAP REQ :draft/message-redaction message-tags echo-message'

/** A chat whose disk answers when it is told to. */
function slowChat() {
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
  return { here, answer }
}

function say(client: Client, target: string): string {
  const [line = ''] = client.type(`PRIVMSG ${target} :oops`)
  return /msgid=(\w+)/.exec(line)?.[1] ?? ''
}

test('a message taken back while its channel is renamed is gone for everybody in it', async () => {
  const { here, answer } = slowChat()
  const bob = here.enter('bob', '#tea')
  const ann = here.enter('ann', '#tea')
  for (const each of [ann, bob]) each.type(CAPS)
  const id = say(ann, '#tea')
  ann.type(`REDACT #tea ${id}`)
  await answer()
  bob.type('RENAME #tea #milk')
  await answer()
  for (const each of [ann, bob])
    assert.match(each.heard().at(-1) ?? '', new RegExp(` :ann!\\S+ REDACT #milk ${id}$`))
})

test('a message taken back while its recipient changes nick is gone for the recipient', async () => {
  const { here, answer } = slowChat()
  const bob = here.enter('bob')
  const ann = here.enter('ann')
  for (const each of [ann, bob]) each.type(CAPS)
  const id = say(ann, 'bob')
  ann.type(`REDACT bob ${id}`)
  await answer()
  bob.type('NICK bobby')
  const eve = here.enter('bob')
  eve.type(CAPS)
  await answer()
  for (const each of [ann, bob])
    assert.match(each.heard().at(-1) ?? '', new RegExp(` :ann!\\S+ REDACT bobby ${id}$`))
  assert.doesNotMatch(eve.heard().join('\n'), /REDACT/)
})

test('a message is gone for the others even if whoever takes it back has left meanwhile', async () => {
  const { here, answer } = slowChat()
  const bob = here.enter('bob', '#tea')
  const ann = here.enter('ann', '#tea')
  for (const each of [ann, bob]) each.type(CAPS)
  const id = say(ann, '#tea')
  ann.type(`REDACT #tea ${id}`)
  await answer()
  ann.hangUp()
  await answer()
  assert.match(bob.heard().at(-1) ?? '', new RegExp(` REDACT #tea ${id}$`))
})
