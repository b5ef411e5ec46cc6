import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { editBotFile, newBotFile } from './botedit.ts'
import type { BotChanges } from './botedit.ts'
import { botSchema, parseBotFile } from './botfile.ts'
import type { BotSettings } from './botfile.ts'
import { isSecret } from './secret.ts'

const seedFile = `# our CI
bot:
  name: spark-ori-ghci          # also the nick
  owner: spark-ori
  description: CI results
  created: 2026-04-03
trigger:
  type: webhook
output:
  channels: ["#builds"]
  dm_owner: true
  mention: spark-claude
  template: |
    {body.workflow}: {body.conclusion}
  fallback: json
`

function settings(text: string, name = 'spark-ori-ghci'): BotSettings {
  const read = parseBotFile(text, 'bot.yaml', name)
  if (!read.ok) assert.fail(read.problems.join('\n'))
  return read.settings
}

function problems(text: string, name = 'spark-ori-ghci'): readonly string[] {
  const read = parseBotFile(text, 'bot.yaml', name)
  return read.ok ? [] : read.problems
}

const required = 'bot: {name: spark-ori-ghci, owner: spark-ori}\n'

test('the file of the seed document reads', () => {
  assert.deepEqual(settings(seedFile), {
    name: 'spark-ori-ghci',
    owner: 'spark-ori',
    description: 'CI results',
    created: '2026-04-03',
    trigger: {
      type: 'webhook',
      auth: undefined,
      event: undefined,
      filter: undefined,
      rate: undefined,
      allowFrom: undefined,
      expiresAt: undefined,
      reply: undefined,
    },
    output: {
      channels: ['#builds'],
      dmOwner: true,
      mention: 'spark-claude',
      template: '{body.workflow}: {body.conclusion}\n',
      templates: {},
      engine: 'tokens',
      preset: undefined,
      fallback: 'json',
      burst: undefined,
      coalesceMs: undefined,
      routes: [],
      thread: undefined,
    },
  })
})

test('name and owner are enough; empty fields are as good as none', () => {
  const bare = settings(required)
  assert.deepEqual(bare.output, {
    channels: [],
    dmOwner: false,
    mention: undefined,
    template: undefined,
    templates: {},
    engine: 'tokens',
    preset: undefined,
    fallback: 'json',
    burst: undefined,
    coalesceMs: undefined,
    routes: [],
    thread: undefined,
  })
  assert.deepEqual(
    settings(`${required}output:\n  channels:\n  mention:\n  template: " "\ntrigger: {auth: }\n`),
    bare,
  )
})

test('each mistake is told with its place', () => {
  assert.deepEqual(problems('bot: {name: other, owner: spark-ori}'), [
    'bot.yaml:1:13 bot.name: must be <owner>-<name>: spark-ori-…',
    'bot.yaml:1:13 bot.name: must equal the name of its folder, spark-ori-ghci: rename one of the two',
  ])
  assert.deepEqual(problems('bot: {nam: spark-ori-ghci}'), [
    'bot.yaml:1:1 bot.name: is required',
    'bot.yaml:1:1 bot.owner: is required',
    'bot.yaml:1:7 bot.nam: unknown key: did you mean name?',
  ])
  assert.deepEqual(
    problems(`${required}output:\n  channels: [builds, "#a b"]\n  mention: "@bob"\n  fallback: text\n`),
    [
      'bot.yaml:3:14 output.channels.0: must begin with #, and # begins a comment: write "#name" in quotes',
      'bot.yaml:3:22 output.channels.1: must be # and a name without spaces, commas or control characters',
      'bot.yaml:4:12 output.mention: must be a nick, written without @',
      'bot.yaml:5:13 output.fallback: must be one of json, summary, skip, error',
    ],
  )
  assert.match(
    problems(`${required}trigger: {type: cron}`)[0] ?? '',
    /trigger\.type: must be one of webhook, event, schedule$/,
  )
  assert.match(
    problems('bot: {name: a/b-c, owner: a/b}', 'a/b-c')[0] ?? '',
    /must be letters, digits, _ or -/,
  )
  assert.match(problems(`${required}output: {channels: ["#${'é'.repeat(32)}"]}`)[0] ?? '', /64 bytes at most/)
  const long = `a-${'b'.repeat(63)}`
  assert.match(problems(`bot: {name: ${long}, owner: a}`, long)[0] ?? '', /64 characters at most/)
})

test('one channel written twice is one channel', () => {
  assert.deepEqual(settings(`${required}output: {channels: ["#A", "#b", "#a"]}`).output.channels, [
    '#A',
    '#b',
  ])
})

test('secrets: long enough or a reference, and never shown', () => {
  const file = (secret: string): string => `${required}trigger: {auth: {type: github, secrets: [${secret}]}}`
  assert.deepEqual(
    settings(file('env:CI_SECRET, hunter-two, file:secret.txt')).trigger.auth?.secrets.length,
    3,
  )
  for (const secret of ['"sh0rt"', '12345678', '"env:n0 name"', '"file:"']) {
    const [problem = ''] = problems(file(secret))
    assert.match(problem, /secrets\.0: must/)
    assert.ok(!/sh0rt|12345678|n0 name/.test(problem), problem)
  }
})

test('a new file quotes its date, keeps lines as a block, and reads back', () => {
  const template = '{body.workflow}: {body.conclusion}\n'
  const text = newBotFile({ name: 'a-b', owner: 'a', created: '2026-04-03' }, { template, dmOwner: true })
  assert.match(text, /created: "2026-04-03"/)
  assert.match(text, /template: \|\n {4}\{body/)
  const read = settings(text, 'a-b')
  assert.deepEqual([read.created, read.output.dmOwner, read.output.template], ['2026-04-03', true, template])
})

/** What a new file and an edit say, as it was read. */
function facts({ description, trigger, output }: BotSettings) {
  const { channels, dmOwner, mention, template } = output
  return { description, channels, dmOwner, mention, template, auth: trigger.auth && { ...trigger.auth } }
}

function asEdit({ mention, template, auth, ...rest }: ReturnType<typeof facts>): BotChanges {
  return { ...rest, mention: mention ?? null, template: template ?? null, auth: auth ?? null }
}

test('any settings that can be written read back the same', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\r\u2028\u2029]/.test(text))
  const some = fc.record(
    {
      description: line,
      channels: fc.uniqueArray(fc.stringMatching(/^#[a-z0-9.:&*!'"{}[\]-]{1,20}$/)),
      dmOwner: fc.boolean(),
      mention: fc.option(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_[\]\\^{}|-]{0,20}$/), { nil: undefined }),
      template: fc.option(
        fc.array(line).map((lines) => `x${lines.join('\n')}`),
        { nil: undefined },
      ),
      auth: fc.option(
        fc.record(
          {
            type: fc.constantFrom('github', 'token'),
            secrets: fc.tuple(fc.stringMatching(/^[ -~]{8,30}$/).filter(isSecret)),
          },
          { noNullPrototype: true },
        ),
        { nil: undefined },
      ),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(some, some, (one, two) => {
      const written = newBotFile({ name: 'a-b', owner: 'a', created: '2026-04-03' }, asEdit(one))
      assert.deepEqual(facts(settings(written, 'a-b')), one)
      assert.deepEqual(facts(settings(editBotFile(written, asEdit(two)), 'a-b')), two)
    }),
  )
})

test('an edit keeps comments, order and everything else', () => {
  const edited = editBotFile(seedFile, { channels: ['#a', '#b'], mention: null, template: 'one\ntwo\n' })
  assert.equal(
    edited,
    seedFile
      .replace('["#builds"]', '\n    - "#a"\n    - "#b"')
      .replace('channels: \n', 'channels:\n')
      .replace('  mention: spark-claude\n', '')
      .replace('{body.workflow}: {body.conclusion}', 'one\n    two')
      .replace('ghci          #', 'ghci #'),
  )
  assert.deepEqual(settings(editBotFile(required, { dmOwner: true, mention: null })).output.dmOwner, true)
  assert.deepEqual(
    settings(editBotFile(required, { auth: { type: 'token', secrets: ['12345678'] } })).trigger.auth?.secrets,
    ['12345678'],
  )
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
