import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commands } from '../commands/list.ts'
import { serverSchema } from '../config/schema.ts'
import { readYaml } from '../yaml/yamlfile.ts'
import { explain, explainable } from './explain.ts'
import { helpFor } from './help.ts'
import { learn } from './learn.ts'
import { otherNames, topics } from './topics.ts'

test('help, learn and explain name every command', async () => {
  const help = await helpFor([], false)
  const page = await learn()
  const index = await explain('')
  assert.ok(index.ok)
  for (const { name } of commands) {
    assert.ok(help.includes(`\n  ${name}  `), name)
    assert.ok(page.includes(`hookline ${name}`), name)
    assert.ok(index.output.markdown.includes(`\`${name}\``), name)
  }
})

test('learn starts its summary in lower case and changes nothing else: Ctrl-C stays Ctrl-C', async () => {
  const page = await learn()
  for (const { summary } of commands) assert.ok(page.includes(summary.slice(1)), summary)
  assert.ok(page.includes(': show messages as they are posted, until Ctrl-C'))
})

test('everything with a name can be explained by that name', async () => {
  for (const name of explainable()) {
    const page = await explain(name)
    assert.ok(page.ok && page.output.path.join(' ') === name && page.output.markdown.startsWith('# '), name)
  }
  assert.deepEqual(await explain('/bot/create'), await explain('hookline bot create'))
  for (const name of Object.keys(topics)) assert.ok(explainable().includes(name))
})

test('what --json prints is drawn key by key: lists, objects in them, and what may be null', async () => {
  const page = await explain('account show')
  assert.ok(page.ok)
  assert.match(page.output.markdown, /^ {6}"email": text or null,$/m)
  assert.match(page.output.markdown, /^ {6}"tokens": \[\{\n {8}"label": text,\n(.*\n)+ {6}\}, …\],$/m)
  assert.match(page.output.markdown, /^ {6}"suspended": \{\n(.*\n)+ {6}\} or null,$/m)
})

test('an unknown path is refused, naming the nearest one or the pages that contain the word', async () => {
  const page = await explain('bot craete')
  assert.ok(!page.ok)
  assert.deepEqual(
    [page.error.code, page.error.remediation],
    [1, 'did you mean: hookline explain bot create'],
  )
  const short = await explain('create')
  assert.ok(!short.ok && short.error.remediation === 'did you mean: hookline explain bot create')
  const word = await explain('systemd')
  assert.ok(!word.ok && word.error.remediation === 'it is mentioned in: hookline explain service')
  const far = await explain('__proto__')
  assert.ok(!far.ok && far.error.remediation === 'see what there is: hookline explain')
})

test('words that people try lead to a page', async () => {
  for (const word of ['tls', 'wake', 'agents', 'metrics', 'docker', ...Object.keys(otherNames)]) {
    const page = await explain(word)
    assert.ok(page.ok && page.output.markdown.startsWith('# '), word)
    assert.ok(!commands.some(({ name }) => name === word), 'a command is not hidden')
  }
})

test('the name of the program alone lists everything that can be explained', async () => {
  assert.deepEqual(await explain('hookline'), await explain(''))
})

test('a group explains its members', async () => {
  const page = await explain('bot')
  assert.ok(page.ok && page.output.markdown.includes('`bot replay`'))
})

test('every field of bot.yaml is explained', () => {
  const file = new URL('../../schemas/bot.schema.json', import.meta.url)
  const schema = JSON.parse(readFileSync(file, 'utf8')) as {
    properties: Record<string, Group & { anyOf?: readonly Group[] }>
  }
  type Group = { properties?: Record<string, object> }
  const page = ['bot.yaml', 'triggers', 'handler'].map((name) => topics[name]?.text).join('\n')
  for (const [group, { properties, anyOf = [{ properties }] }] of Object.entries(schema.properties))
    for (const key of anyOf.flatMap((each) => Object.keys(each.properties ?? {})))
      assert.match(page, new RegExp(`\\b${key}: |[.\`]${key}\``), `${group}.${key}`)
})

test('every setting of server.yaml is explained with its default, and what the page shows can be used', () => {
  const page = topics['server.yaml']?.text ?? ''
  const named = new Set(
    [...page.matchAll(/^- `([^`]+)`/gm)].map(([, name = '']) => name.replace(/[.[].*/, '')),
  )
  assert.deepEqual([...named], Object.keys(serverSchema().shape))
  for (const line of [
    '- `accounts.registration.per_hour`: new accounts from one address; loopback is exempt; default 10',
    '- `opers[].privileges`: what it may do: docs/network.md; one of all, accounts, ban, channels, kill, metadata, rehash, relaymsg, sajoin, samode, sanick, see, wallops; default ["all"]',
  ])
    assert.ok(page.includes(`${line}\n`), line)
  const shown = page
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.slice(4))
  const read = readYaml(shown.join('\n'), 'server.yaml', serverSchema())
  assert.ok(read.ok && read.value.history.channel_messages === null)
})
