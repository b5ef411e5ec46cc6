import assert from 'node:assert/strict'
import test from 'node:test'
import { z } from 'zod'
import { botSchema } from './botfile.ts'
import {
  bareOutput,
  bareTrigger,
  problemsIn,
  required,
  seedFile,
  settingsIn,
} from '../../../test/rigs/bots.ts'

test('the file from the seed document is valid', () => {
  assert.deepEqual(settingsIn(seedFile), {
    name: 'spark-ori-ghci',
    owner: 'spark-ori',
    description: 'CI results',
    created: '2026-04-03',
    trigger: bareTrigger,
    output: {
      ...bareOutput,
      channels: ['#builds'],
      dmOwner: true,
      mention: 'spark-claude',
      template: '{body.workflow}: {body.conclusion}\n',
    },
    handler: undefined,
  })
})

test('a section handler isolates, also if nothing is in it', () => {
  const none = { files: [], network: false }
  for (const [text, isolation] of [
    ['', undefined],
    ['handler: {}\n', none],
    ['handler:\n', none],
    ['handler: {network: true}\n', { files: [], network: true }],
    [
      'handler: {files: [/srv/a, {path: kept, write: true}]}\n',
      {
        files: [
          { path: '/srv/a', write: false },
          { path: 'kept', write: true },
        ],
        network: false,
      },
    ],
  ] as const)
    assert.deepEqual(settingsIn(`${required}${text}`).handler, isolation)
})

test('name and owner are enough; empty fields count as absent', () => {
  const bare = settingsIn(required)
  assert.deepEqual(bare.output, bareOutput)
  for (const empty of [
    'output:\n  channels:\n  mention:\n  template: " "\ntrigger: {auth: }\n',
    'output:\n  dm_owner:\n  mention: ""\n  preset: ""\n  thread: ""\n  fallback:\n',
  ])
    assert.deepEqual(settingsIn(`${required}${empty}`), bare)
})

test('each mistake is reported with its position', () => {
  assert.deepEqual(problemsIn('bot: {name: other, owner: spark-ori}'), [
    'bot.yaml:1:13 bot.name: must be <owner>-<name>: spark-ori-…',
    'bot.yaml:1:13 bot.name: must equal the name of its folder, spark-ori-ghci: rename one of the two',
  ])
  assert.deepEqual(problemsIn('bot: {nam: spark-ori-ghci}'), [
    'bot.yaml:1:1 bot.name: is required',
    'bot.yaml:1:1 bot.owner: is required',
    'bot.yaml:1:7 bot.nam: unknown key: did you mean name?',
  ])
  assert.deepEqual(
    problemsIn(`${required}output:\n  channels: [builds, "#a b"]\n  mention: "@bob"\n  fallback: text\n`),
    [
      'bot.yaml:3:14 output.channels.0: must begin with #, and # begins a comment: write "#name" in quotes',
      'bot.yaml:3:22 output.channels.1: must be # and a name without spaces, commas or invisible characters',
      'bot.yaml:4:12 output.mention: must be a nick, written without @',
      'bot.yaml:5:13 output.fallback: must be one of json, summary, skip, error',
    ],
  )
  assert.match(
    problemsIn(`${required}trigger: {type: cron}`)[0] ?? '',
    /trigger\.type: must be one of webhook, event, schedule$/,
  )
  for (const day of ['2026-02-30', '2026-04-31T09:15Z', '2026-13-01', 'tomorrow']) {
    assert.match(
      problemsIn(`${required}trigger: {expires: "${day}"}`)[0] ?? '',
      /trigger\.expires: must be a day or a time in UTC/,
    )
  }
  assert.match(
    problemsIn('bot: {name: a/b-c, owner: a/b}', 'a/b-c')[0] ?? '',
    /must be letters, digits, _ or -/,
  )
  assert.match(
    problemsIn(`${required}output: {channels: ["#${'é'.repeat(64)}"]}`)[0] ?? '',
    /at most 128 bytes/,
  )
  const long = `a-${'b'.repeat(63)}`
  assert.match(problemsIn(`bot: {name: ${long}, owner: a}`, long)[0] ?? '', /at most 64 characters/)
})

test('a channel listed twice counts once', () => {
  assert.deepEqual(settingsIn(`${required}output: {channels: ["#A", "#b", "#a"]}`).output.channels, [
    '#A',
    '#b',
  ])
})

test('secrets: long enough or a reference, and never shown', () => {
  const file = (secret: string): string => `${required}trigger: {auth: {type: github, secrets: [${secret}]}}`
  assert.deepEqual(
    settingsIn(file('env:CI_SECRET, hunter-two, file:secret.txt')).trigger.auth?.secrets.length,
    3,
  )
  for (const secret of ['"sh0rt"', '12345678', '"env:n0 name"', '"file:"']) {
    const [problem = ''] = problemsIn(file(secret))
    assert.match(problem, /secrets\.0: must/)
    assert.ok(!/sh0rt|12345678|n0 name/.test(problem), problem)
  }
})

test('the schema describes every field', () => {
  const undescribed: string[] = []
  const look = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null || !('properties' in node)) return
    for (const [key, property] of Object.entries(node.properties as object)) {
      if (!JSON.stringify(property).includes('"description":')) undescribed.push(`${path}${key}`)
      look(property, `${path}${key}.`)
    }
  }
  look(z.toJSONSchema(botSchema, { io: 'input' }), '')
  assert.deepEqual(undescribed, [])
})
