import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { type BotChanges, editBotFile, newBotFile } from './botedit.ts'
import type { BotSettings } from './botfile.ts'
import { required, seedFile, settingsIn } from '../../../test/rigs/bots.ts'
import { isSecret } from '../../senders/secret.ts'

test('a new file quotes its date, keeps lines as a block, and reads back', () => {
  const template = '{body.workflow}: {body.conclusion}\n'
  const text = newBotFile({ name: 'a-b', owner: 'a', created: '2026-04-03' }, { template, dmOwner: true })
  assert.match(text, /created: "2026-04-03"/)
  assert.match(text, /template: \|\n {4}\{body/)
  const read = settingsIn(text, 'a-b')
  assert.deepEqual([read.created, read.output.dmOwner, read.output.template], ['2026-04-03', true, template])
})

/** The values of a new file and of an edit, as read. */
function facts({ description, trigger, output }: BotSettings) {
  const { channels, dmOwner, mention, template } = output
  return { description, channels, dmOwner, mention, template, auth: trigger.auth && { ...trigger.auth } }
}

function asEdit({ mention, template, auth, ...rest }: ReturnType<typeof facts>): BotChanges {
  return { ...rest, mention: mention ?? null, template: template ?? null, auth: auth ?? null }
}

const line = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\r\u2028\u2029]/.test(text))
/** The possible contents of a bot.yaml. */
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

test('any settings that can be written read back the same', () => {
  fc.assert(
    fc.property(some, some, (one, two) => {
      const written = newBotFile({ name: 'a-b', owner: 'a', created: '2026-04-03' }, asEdit(one))
      assert.deepEqual(facts(settingsIn(written, 'a-b')), one)
      assert.deepEqual(facts(settingsIn(editBotFile(written, asEdit(two)), 'a-b')), two)
    }),
  )
})

test('an edit keeps comments, order and everything else', () => {
  const edited = editBotFile(seedFile, { channels: ['#a', '#b'], mention: null, template: 'one\ntwo\n' })
  assert.equal(
    edited,
    seedFile
      .replace('["#builds"]', '["#a", "#b"]')
      .replace('  mention: spark-claude\n', '')
      .replace('{body.workflow}: {body.conclusion}', 'one\n    two')
      .replace('ghci          #', 'ghci #'),
  )
  assert.deepEqual(settingsIn(editBotFile(required, { dmOwner: true, mention: null })).output.dmOwner, true)
  assert.deepEqual(
    settingsIn(editBotFile(required, { auth: { type: 'token', secrets: ['12345678'] } })).trigger.auth
      ?.secrets,
    ['12345678'],
  )
})

test('another way to authenticate leaves nothing of the one before', () => {
  const hmac = { type: 'hmac', header: 'X-Signature', prefix: 'v1=', secrets: ['12345678'] } as const
  const signed = editBotFile(required, { auth: hmac })
  const { auth } = settingsIn(
    editBotFile(signed, { auth: { type: 'github', secrets: ['abcdefgh'] } }),
  ).trigger
  assert.deepEqual(auth, { type: 'github', secrets: ['abcdefgh'] })
})

/** With a comment everywhere one is possible. */
const commented = `bot:
  name: a-b
  owner: a
  description: old # why
trigger:
  auth:
    # how
    type: token # its own
    secrets:
      # of May
      - "12345678" # one
      # of June
      - abcdefgh # two
output:
  channels: # both teams
    - "#a" # first

    - "#b" # second
  dm_owner:
    # quiet
    false
  mention: bob # on call
  template: | # short
    {body.x}
`

test('a comment beside a value stays when the value changes, and a list item keeps its own', () => {
  const edited = editBotFile(commented, {
    description: 'new',
    channels: ['#c', '#a'],
    dmOwner: true,
    mention: 'ada',
    template: '{body.y}',
    auth: { type: 'github', secrets: ['ijklmnop'] },
  })
  const expected = commented
    .replace('old', 'new')
    .replace('type: token', 'type: github')
    .replace(/- "12345678" # one\n.*\n.*/, '- ijklmnop')
    .replace('channels: # both teams', 'channels:\n    # both teams\n    - "#c"')
    .replace('\n\n    - "#b" # second', '')
    .replace('false', 'true')
    .replace('bob', 'ada')
    .replace('| # short\n    {body.x}', '"{body.y}" # short')
  assert.equal(edited, expected)
})

test('a file full of comments accepts any settings, and keeps the style of its lists', () => {
  fc.assert(
    fc.property(some, (one) => {
      assert.deepEqual(facts(settingsIn(editBotFile(commented, asEdit(one)), 'a-b')), one)
    }),
  )
  assert.equal(
    editBotFile('output:\n  channels:\n    - "#a"\n', { channels: [] }),
    'output:\n  channels: []\n',
  )
  const short = 'output: {channels: ["#a", "#b"]} # all\n'
  assert.equal(editBotFile(short, { channels: ['#b', '#c'] }), short.replace('"#a", "#b"', '"#b", "#c"'))
  const trigger = 'trigger:\n  type: event\n  on:\n    - join # new\n    - part\n'
  assert.equal(editBotFile(trigger, { trigger: { on: ['join', 'quit'] } }), trigger.replace('part', 'quit'))
})

test('what is for bots that react goes when the clock wakes the bot', () => {
  const event = `${required}trigger: {type: event, on: join, in: ["#a"]}\noutput: {channels: ["#b"], here: true}\n`
  const { trigger, output } = settingsIn(editBotFile(event, { trigger: { cron: '@daily', timezone: 'UTC' } }))
  assert.deepEqual(trigger.schedule, { cron: '@daily', timezone: 'UTC', catchUp: false })
  assert.deepEqual([trigger.reaction, output.here, output.channels], [undefined, false, ['#b']])
})
