// What the log says of refused requests, and what is remembered for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusals } from './refusals.ts'

test('what was refused is remembered for a thousand bots and reasons, the newest, however many bots come and go', () => {
  const logged: string[] = []
  const write = (data: object): void => void logged.push((data as { bot: string }).bot)
  const refusals = new Refusals({ debug: write, info: write, warn: write, error: write })
  const note = (bot: string): void => refusals.note(bot, 'forged', 0)
  for (const bot of ['first', 'first', 'second']) note(bot)
  assert.deepEqual(logged.splice(0), ['first', 'second'])
  for (let i = 0; i < 999; i++) note(`bot-${i}`)
  logged.length = 0
  for (const bot of ['second', 'first', 'bot-998']) note(bot)
  assert.deepEqual(logged, ['first'])
})
