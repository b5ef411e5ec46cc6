import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editBotFile } from './botedit.ts'
import { problemsIn, settingsIn } from '../../../test/rigs/bots.ts'

test('a trigger gets its defaults', () => {
  const event = settingsOf('{type: event, on: join}')
  assert.deepEqual(event?.trigger.reaction, {
    on: ['join'],
    in: undefined,
    from: undefined,
    match: { contains: undefined, startsWith: undefined, command: undefined, mentionsMe: false },
    bots: undefined,
    outcomes: ['posted', 'skipped', 'failed'],
    rate: { count: 10, everyMs: 10_000 },
  })
  const schedule = settingsOf('{type: schedule, cron: 0 9 * * 1-5, timezone: UTC}')?.trigger.schedule
  assert.deepEqual(schedule, { cron: '0 9 * * 1-5', timezone: 'UTC', catchUp: false })
  assert.deepEqual(settingsOf('{expect: every 24h}')?.trigger.expect, { every: '24h', everyMs: 86_400_000 })
  assert.equal(settingsOf('{}')?.trigger.type, 'webhook')
})

test('each mistake is reported with its position', () => {
  const mistakes: readonly [string, RegExp][] = [
    ['{type: event}', /^bot\.yaml:2:1 trigger\.on: (is required|must say what it reacts to)/],
    ['{type: event, on: jion}', /^bot\.yaml:2:28 trigger\.on: must be one of join, part/],
    ['{type: event, on: [join, jion]}', /^bot\.yaml:2:35 trigger\.on\.1: must be one of join, part/],
    ['{type: event, on: join, match: {contains: x}}', /trigger\.match: needs message in trigger\.on/],
    [
      '{type: event, on: message, match: {containz: x}}',
      /match\.containz: unknown key: did you mean contains/,
    ],
    ['{type: event, on: message, match: {command: "a b"}}', /match\.command: must be one word/],
    ['{type: event, on: join, bots: [a-b]}', /trigger\.bots: needs delivery in trigger\.on/],
    ['{type: event, on: delivery, from: [ann]}', /trigger\.from: needs more than delivery in trigger\.on/],
    ['{type: event, on: [delivery], in: ["#a"]}', /trigger\.in: needs more than delivery in trigger\.on/],
    ['{type: event, on: join, in: [builds]}', /trigger\.in\.0: must begin with #/],
    [`{type: event, on: join, in: ["#${'é'.repeat(64)}"]}`, /trigger\.in\.0: must have at most 128 bytes/],
    [
      '{type: event, on: join, in: ["#te\u200ba"]}',
      /trigger\.in\.0: .*without spaces, commas or invisible characters/,
    ],
    ['{type: event, on: join, cron: "@daily"}', /trigger\.cron: is for type schedule: set trigger\.type/],
    ['{on: join}', /trigger\.on: is for type event: set trigger\.type/],
    ['{type: schedule}', /trigger\.cron: (is required|must say when)/],
    ['{type: schedule, cron: "0 25 * * *"}', /^bot\.yaml:2:33 trigger\.cron: has an invalid hour:/],
    ['{type: schedule, cron: "@daily", timezone: Berlin}', /trigger\.timezone: must be a time zone such as/],
    ['{type: schedule, cron: "@daily", expect: every 1h}', /trigger\.expect: is for type webhook and event/],
    ['{expect: 24h}', /trigger\.expect: must be a time from 10s to 366d, written as in every 24h/],
    ['{expect: 24}', /trigger\.expect: must be a time from 10s to 366d/],
    ['{rate: 60}', /trigger\.rate: must be a number, \/ and a time, such as 60\/1m/],
    ['{expires: 20261231}', /trigger\.expires: must be a day or a time in UTC/],
    ['{expect: every 1s}', /trigger\.expect: must be a time from 10s to 366d/],
    ['{type: event, on: join, auth: {type: token, secrets: [env:X]}}', /trigger\.auth: is for type webhook/],
  ]
  for (const [trigger, expected] of mistakes) {
    const problems = problemsOf(trigger)
    assert.ok(
      problems.some((problem) => expected.test(problem)),
      `${trigger}\n${problems.join('\n')}`,
    )
  }
  assert.match(problemsOf('{}', '{here: true}').join(), /output\.here: is for trigger\.type event/)
})

test('an edit changes the trigger, and leaves the rest of the file alone', () => {
  const text = file('{type: webhook, rate: 5/1m} # mine')
  const event = editBotFile(text, { trigger: { command: '!deploy', in: ['#ops'], expect: '2h' } })
  assert.match(event, /# mine/)
  const { trigger } = parsed(event)
  assert.equal(trigger.type, 'event')
  assert.deepEqual(trigger.reaction?.on, ['message'])
  assert.equal(trigger.reaction?.match.command, '!deploy')
  assert.equal(trigger.expect?.every, '2h')

  const free = editBotFile(event, { trigger: { command: null, in: null, expect: null } })
  assert.doesNotMatch(free, /match|in:|expect/)
  const clock = parsed(editBotFile(event, { trigger: { cron: '@daily', timezone: 'UTC' } }))
  assert.deepEqual(clock.trigger.schedule, { cron: '@daily', timezone: 'UTC', catchUp: false })
  assert.equal(clock.trigger.reaction, undefined)
  const again = editBotFile(editBotFile(event, { trigger: { cron: '@daily' } }), {
    trigger: { on: ['join', 'part'] },
  })
  assert.deepEqual(parsed(again).trigger.reaction?.on, ['join', 'part'])
})

function file(trigger: string, output = '{}'): string {
  return `bot: {name: spark-ori-ci, owner: spark-ori}\ntrigger: ${trigger}\noutput: ${output}\n`
}

function settingsOf(trigger: string) {
  return parsed(file(trigger))
}

function parsed(text: string) {
  return settingsIn(text, 'spark-ori-ci')
}

function problemsOf(trigger: string, output?: string): readonly string[] {
  return problemsIn(file(trigger, output), 'spark-ori-ci')
}
