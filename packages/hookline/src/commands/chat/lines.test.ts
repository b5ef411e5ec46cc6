import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters as plain } from 'node:util'
import { historyLines as linesOf, spokenLine } from './lines.ts'
import type { PastView } from './message.ts'

function said(at: Date, text: string): PastView {
  const facts = {
    id: text,
    channel: '#tea',
    from: 'ann',
    delivery: null,
    command: 'PRIVMSG',
    bot: false,
  } as const
  return { ...facts, time: at.toISOString(), text, redacted: null }
}

/** Where the tests are watched in a terminal, they have colours. */
function historyLines(past: readonly PastView[]): readonly string[] {
  return linesOf(past).map((line) => plain(line))
}

test('each day except today is named before its first message', (t) => {
  const now = new Date(2026, 10, 22, 12, 0)
  t.mock.timers.enable({ apis: ['Date'], now })
  const past = [
    said(new Date(2026, 3, 3, 9, 15), 'green'),
    said(new Date(2026, 3, 3, 23, 59), 'black'),
    said(new Date(2026, 3, 4, 0, 0), 'white'),
  ]
  assert.deepEqual(historyLines(past), [
    '2026-04-03',
    '09:15 <ann> green',
    '23:59 <ann> black',
    '2026-04-04',
    '00:00 <ann> white',
  ])
  const [line = '', ...none] = historyLines([said(now, 'now')])
  assert.equal(line, '12:00 <ann> now')
  assert.deepEqual(none, [])
  assert.equal(historyLines([...past, said(now, 'now')])[5], '2026-11-22')
  assert.deepEqual(historyLines([]), [])
})

test('an action is shown as an action', () => {
  const line = (text: string) => plain(spokenLine(said(new Date(2026, 3, 3, 9, 15), text), { channel: true }))
  assert.equal(line('\u0001ACTION puts the kettle on\u0001'), '09:15 #tea * ann puts the kettle on')
  assert.equal(line('ACTION'), '09:15 #tea <ann> ACTION')
})
