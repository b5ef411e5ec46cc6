import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { TestChat } from '../../test/chat.ts'
import { newFolder } from '../../test/folder.ts'
import { logTo } from '../../test/log.ts'
import { Bots, type BotsOptions } from './bots.ts'
import { newHome, payloadOf, reason } from '../../test/rigs/bots.ts'
import type { Bot } from './roster.ts'

function rig(options: Partial<BotsOptions> = {}) {
  const home = newHome()
  const chat = new TestChat()
  const log: string[] = []
  const states = new Map<string, string>()
  const bots = new Bots({
    home,
    chat: chat.virtualUsers,
    serverName: 'spark',
    state: { load: async (bot) => states.get(bot), save: async (bot, json) => void states.set(bot, json) },
    log: logTo((_, text) => void log.push(text)),
    now: () => Date.parse('2026-04-03T10:11:12Z'),
    ...options,
  })
  return {
    home,
    chat,
    log,
    bots,
    write: (name: string, file: string, text: string) => {
      mkdirSync(join(home.bots, name), { recursive: true })
      writeFileSync(join(home.bots, name, file), text)
    },
    async [Symbol.asyncDispose]() {
      await bots.close()
      home[Symbol.dispose]()
    },
  }
}

function yaml(name: string, output = 'channels: ["#builds"]', owner = 'spark-ori'): string {
  return `bot: {name: ${name}, owner: ${owner}, description: "CI\\nresults"}\noutput: {${output}}\n`
}

function bot(result: { ok: true; bot: Bot } | { ok: false; reason: string }): Bot {
  return result.ok ? result.bot : assert.fail(result.reason)
}

test('at startup valid bots become active and broken ones are reported', async () => {
  await using house = rig()
  const { bots, chat, log, write } = house
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  write('spark-ori-b', 'bot.yaml', 'bot: {name: spark-ori-b}')
  write('spark-ori-c', 'bot.yaml', yaml('spark-ori-c'))
  write('spark-ori-c', 'handler.py', 'def handle(')
  write('other-me-d', 'bot.yaml', yaml('other-me-d', '', 'other-me'))
  await bots.loadAll()

  assert.deepEqual(
    bots.list().map(({ name, status }) => [name, status]),
    [
      ['other-me-d', 'active'],
      ['spark-ori-a', 'active'],
      ['spark-ori-b', 'invalid'],
      ['spark-ori-c', 'invalid'],
    ],
  )
  const whois = chat.enter('amy').type('WHOIS spark-ori-a')
  for (const told of [
    '311 amy spark-ori-a bot spark * :CI results',
    '319 amy spark-ori-a +#builds',
    '335 amy spark-ori-a :is a bot',
  ])
    assert.ok(whois.includes(`:spark ${told}`), told)
  assert.deepEqual(bots.get('other-me-d')?.warnings, [
    'other-me-d posts to nobody: it has no output.channels, and output.dm_owner is not true',
    'other-me-d does not begin with spark-, the name of this server',
  ])
  assert.deepEqual(bots.get('spark-ori-b')?.problems, [
    'bots/spark-ori-b/bot.yaml:1:1 bot.owner: is required',
  ])
  assert.match(bots.get('spark-ori-c')?.problems[0] ?? '', /handler\.py:1:\d+: /)
  assert.equal(log.filter((line) => line.startsWith('bot not started: ')).length, 2)
  assert.equal(bots.get('Spark-ori-a'), undefined)
})

test('start and stop are visible in the chat, and start rereads the file', async () => {
  await using house = rig()
  const { bots, chat, write } = house
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  await bots.loadAll()
  assert.equal(bot(await bots.stop('spark-ori-a')).status, 'inactive')
  assert.equal(bot(await bots.stop('spark-ori-a')).user, undefined)
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a', 'channels: ["#ops"]'))
  assert.equal(bot(await bots.start('spark-ori-a')).status, 'active')
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a', 'channels: ["#ops", "#x"]'))
  assert.equal(bot(await bots.start('spark-ori-a')).status, 'active')
  assert.deepEqual(chat.seen, [
    'spark-ori-a joins #builds',
    'spark-ori-a quits: Stopped',
    'spark-ori-a joins #ops',
    'spark-ori-a joins #x',
  ])
  assert.match(reason(await bots.start('spark-ori-zzz')), /^there is no bot spark-ori-zzz/)
  assert.match(reason(await bots.stop('spark-ori-zzz')), /^there is no bot spark-ori-zzz/)
})

test('start repairs an invalid bot, and leaves an active one alone when its file broke', async () => {
  await using house = rig()
  const { bots, write } = house
  write('spark-ori-a', 'bot.yaml', 'bot: {')
  await bots.loadAll()
  assert.match(reason(await bots.start('spark-ori-a')), /^bots\/spark-ori-a\/bot\.yaml:1:\d+/)
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  assert.equal(bot(await bots.start('spark-ori-a')).status, 'active')
  write('spark-ori-a', 'bot.yaml', 'bot: {')
  assert.match(reason(await bots.start('spark-ori-a')), /\nspark-ori-a keeps its previous settings$/)
  const broken = bots.get('spark-ori-a')
  assert.equal(broken?.status, 'active')
  assert.match(broken.problems[0] ?? '', /bot\.yaml:1:\d+/)
})

test('whether senders must prove themselves is stored as soon as the disk takes it, and is not lost before', async () => {
  const stored = new Map<string, string | null>()
  let isFull = true
  const memory = {
    load: async (key: string) => stored.get(key) ?? undefined,
    save: async (key: string, json: string | null) => {
      if (isFull) throw new Error('the disk is full')
      stored.set(key, json)
    },
  }
  await using house = rig({ memory })
  const { bots, write, log } = house
  const proven = `${yaml('spark-ori-a')}trigger: {auth: {type: token, secrets: [a-made-up-token]}}\n`
  write('spark-ori-a', 'bot.yaml', proven)
  await bots.loadAll()
  await setImmediate()
  assert.ok(log.includes('whether senders must prove themselves could not be stored'))
  isFull = false
  await bots.start('spark-ori-a')
  assert.deepEqual([...stored], [['spark-ori-a:proof', '{}']])
})

test('a missing file is reported once, and a broken one each time it is saved', async () => {
  await using house = rig()
  const { bots, write } = house
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  await bots.loadAll()
  for (const _ of [1, 2]) {
    write('spark-ori-a', 'bot.yaml', 'bot: {')
    assert.match((await bots.refresh('spark-ori-a')) ?? '', /bot\.yaml:1:\d+/)
  }
  const file = join(house.home.bots, 'spark-ori-a', 'bot.yaml')
  for (const _ of ['gone', 'gone again']) {
    rmSync(file)
    assert.match(
      (await bots.refresh('spark-ori-a')) ?? '',
      /^its file is gone, so the bot keeps .*bot\.yaml is gone/,
    )
    assert.equal(await bots.refresh('spark-ori-a'), undefined)
    write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
    assert.equal(await bots.refresh('spark-ori-a'), undefined)
  }
})

test('starting an active bot with a broken handler reports that its deliveries fail, and applies bot.yaml', async () => {
  await using house = rig()
  const { bots, chat, write } = house
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  write('spark-ori-a', 'handler.py', 'def handle(payload, bot): return "well"')
  await bots.loadAll()
  write('spark-ori-a', 'handler.py', 'def handle(')
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a', 'channels: ["#ops"]'))
  assert.match(
    reason(await bots.start('spark-ori-a')),
    /handler\.py:1:\d+: .*\nspark-ori-a fails every delivery until this is fixed$/,
  )
  const failing = bots.get('spark-ori-a')
  assert.equal(failing?.status, 'active')
  assert.match(failing.problems[0] ?? '', /handler\.py:1:\d+: /)
  assert.equal(chat.seen.at(-1), 'spark-ori-a joins #ops')
  write('spark-ori-a', 'handler.py', 'def handle(payload, bot): return "well again"')
  assert.deepEqual(bot(await bots.start('spark-ori-a')).problems, [])
})

test('a handler that cannot run stays a problem when bot.yaml is edited, until it is edited itself', async () => {
  await using house = rig()
  const { bots, write } = house
  const problems = () => bots.get('spark-ori-a')?.problems.join('\n') ?? ''
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  write('spark-ori-a', 'handler.py', 'def handle(')
  await bots.loadAll()
  for (const status of ['invalid', 'active']) {
    assert.ok(bots.edit('spark-ori-a', { description: status }).ok)
    assert.equal(bots.get('spark-ori-a')?.status, status)
    assert.match(problems(), /handler\.py:1:\d+: /)
    write('spark-ori-a', 'handler.py', 'def handle(payload, bot): return "well"')
    assert.ok(bots.edit('spark-ori-a', { description: 'repaired' }).ok)
    assert.equal(problems(), '')
    assert.ok((await bots.start('spark-ori-a')).ok)
    write('spark-ori-a', 'handler.py', 'def handle(')
    assert.ok(!(await bots.start('spark-ori-a')).ok)
  }
})

test('a bot that is stopped while its files are broken is invalid', async () => {
  await using house = rig()
  const { bots, write } = house
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  await bots.loadAll()
  write('spark-ori-a', 'bot.yaml', 'bot: {')
  assert.match((await bots.refresh('spark-ori-a')) ?? '', /keeps its previous settings/)
  assert.equal(bot(await bots.stop('spark-ori-a')).status, 'invalid')
})

test('a bot that was broken when the server started begins once it is mended, unless somebody stopped it', async () => {
  await using house = rig()
  const { bots, chat, write } = house
  write('spark-ori-a', 'bot.yaml', 'bot: {')
  write('spark-ori-b', 'bot.yaml', 'bot: {')
  write('other-me-d', 'bot.yaml', 'bot: {')
  await bots.loadAll()
  await bots.stop('spark-ori-b')
  chat.enter('other-me-d')
  write('spark-ori-a', 'bot.yaml', 'bot: []')
  assert.match(
    (await bots.refresh('spark-ori-a')) ?? '',
    /^the saved file is invalid, so the bot stays out: /,
  )
  for (const name of ['spark-ori-a', 'spark-ori-b', 'spark-ori-c', 'other-me-d'])
    write(name, 'bot.yaml', yaml(name, undefined, name.slice(0, -2)))
  const saved = async (name: string) => [await bots.refresh(name), bots.get(name)?.status]
  assert.deepEqual(await saved('spark-ori-a'), [undefined, 'active'])
  assert.deepEqual(await saved('spark-ori-b'), [undefined, 'inactive'])
  assert.deepEqual(await saved('spark-ori-c'), [undefined, 'inactive'], 'its folder is new')
  assert.match(String((await saved('other-me-d'))[0]), /^other-me-d could not join the chat: .* in use$/)
})

test('a bot whose nick is taken is inactive and says so', async () => {
  await using house = rig()
  const { bots, chat, write } = house
  chat.enter('other-me-a')
  write('other-me-a', 'bot.yaml', yaml('other-me-a', undefined, 'other-me'))
  await bots.loadAll()
  assert.equal(bots.get('other-me-a')?.status, 'inactive')
  assert.deepEqual(bots.get('other-me-a')?.warnings, [
    'other-me-a could not join the chat: the nick other-me-a is already in use',
  ])
  assert.match(reason(await bots.start('other-me-a')), /nick other-me-a is already in use/)
  write('other-me-a', 'bot.yaml', 'bot: {name: other-me-a, owner: other-me}\n')
  const refused = reason(await bots.start('other-me-a')).split('\n')
  assert.match(refused[0] ?? '', /nick other-me-a is already in use/)
  assert.match(refused[1] ?? '', /posts to nobody/)
})

test('a bot that cannot be in a channel of its edited file is in the others, and says so', async () => {
  await using house = rig()
  const { bots, chat, write } = house
  const long = `#${'a'.repeat(64)}`
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  await bots.loadAll()
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a', `channels: ["#ops", "${long}"]`))
  const why = `${long} is not a valid channel name on this server`
  assert.deepEqual(bot(await bots.start('spark-ori-a')).warnings, [
    `spark-ori-a is not in all of its channels, and cannot be started again once it has left: ${why}`,
  ])
  assert.equal(chat.seen.at(-1), 'spark-ori-a joins #ops')
  await bots.stop('spark-ori-a')
  assert.match(reason(await bots.start('spark-ori-a')), /could not join the chat: #a+ is not a valid/)
})

test('a warning is given for a reply whose body is not sent', async () => {
  await using house = rig()
  const { bots, write } = house
  const warnings = async (reply: string): Promise<unknown> => {
    write(
      'spark-ori-a',
      'bot.yaml',
      `${yaml('spark-ori-a', 'channels: ["#ops"]')}\ntrigger: {reply: ${reply}}\n`,
    )
    return bot(await bots.start('spark-ori-a')).warnings
  }
  assert.deepEqual(await warnings('{status: 205, body: done}'), [
    'spark-ori-a does not send trigger.reply.body: an answer with status 205 has no body',
  ])
  assert.deepEqual(await warnings('{status: 205}'), [])
  assert.deepEqual(await warnings('{status: 201, body: done}'), [])
})

test('a warning is given for a bot without auth where other machines can reach it, and always for one with type none', async () => {
  for (const isExposed of [false, true]) {
    await using it = rig({ isExposed })
    const add = (name: string, auth: string) =>
      it.write(name, 'bot.yaml', `${yaml(name)}trigger: {${auth}}\n`)
    add('spark-ori-all', 'auth: {type: none}')
    add('spark-ori-open', '')
    add('spark-ori-greet', 'type: event, on: join') // has no URL that anybody could reach
    add('spark-ori-sure', 'auth: {type: github, secrets: ["a made-up secret"]}')
    await it.bots.loadAll()
    const warned = (name: string) => it.bots.get(name)?.warnings ?? []
    assert.equal(warned('spark-ori-open').length, isExposed ? 1 : 0)
    if (isExposed)
      assert.match(warned('spark-ori-open')[0] ?? '', /answers 503: .*bot edit .* --secret generate/)
    assert.match(warned('spark-ori-all')[0] ?? '', /accepts every sender/)
    assert.deepEqual([...warned('spark-ori-sure'), ...warned('spark-ori-greet')], [])
    assert.equal(it.log.length, isExposed ? 2 : 1)
    assert.ok((await it.bots.start('spark-ori-all')).ok)
    assert.match(it.log.at(-1) ?? '', /accepts every sender/, 'told again when it is started')
  }
})

test('a bot edited or deleted while it starts ends up as edited or deleted', async () => {
  await using house = rig()
  const { bots, chat, write } = house
  for (const name of ['spark-ori-a', 'spark-ori-b']) {
    write(name, 'bot.yaml', yaml(name))
    write(name, 'handler.py', 'def handle(payload, bot): return "well"')
  }
  const edited = bots.start('spark-ori-a')
  await setImmediate()
  assert.ok(bots.edit('spark-ori-a', { channels: ['#ops'] }).ok)
  assert.deepEqual(bot(await edited).settings?.output.channels, ['#ops'])
  const deleted = bots.start('spark-ori-b')
  await setImmediate()
  assert.ok(bots.remove('spark-ori-b').ok)
  assert.match(reason(await deleted), /^there is no bot spark-ori-b/)
  assert.deepEqual(chat.seen, ['spark-ori-a joins #ops'])
})

test('a bot deleted while its saved files are read stays deleted', async () => {
  await using house = rig()
  const { bots, chat, write } = house
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  assert.ok((await bots.start('spark-ori-a')).ok)
  write('spark-ori-a', 'handler.py', 'def handle(payload, bot): return "well"')
  const read = bots.refresh('spark-ori-a')
  await setImmediate()
  assert.ok(bots.remove('spark-ori-a').ok)
  assert.equal(await read, undefined)
  assert.deepEqual(chat.seen, ['spark-ori-a joins #builds', 'spark-ori-a quits: Deleted'])
})

test('a bot deleted and made again while its saved files are read is not started', async () => {
  await using house = rig()
  const { bots, write } = house
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  write('spark-ori-a', 'handler.py', 'def handle(payload, bot): return "well"')
  await bots.loadAll()
  await setImmediate()
  const refreshed = bots.refresh('spark-ori-a')
  await setImmediate()
  assert.ok(bots.remove('spark-ori-a').ok)
  assert.equal(bot(bots.create({ name: 'a', owner: 'spark-ori' })).status, 'inactive')
  assert.equal(await refreshed, undefined)
  assert.equal(bots.get('spark-ori-a')?.status, 'inactive')
})

test('a bot stopped while it starts for the first time stays stopped', async () => {
  await using house = rig()
  const { bots, write } = house
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  const started = bots.start('spark-ori-a')
  assert.equal(bot(await bots.stop('spark-ori-a')).status, 'inactive')
  assert.ok((await started).ok)
  await bots.reload()
  assert.equal(bots.get('spark-ori-a')?.status, 'inactive')
})

test('a bot stopped while its saved files are read is known as they say', async () => {
  await using house = rig()
  const { bots, write } = house
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a'))
  write('spark-ori-a', 'handler.py', 'def handle(payload, bot): return "well"')
  await bots.loadAll()
  await setImmediate()
  write('spark-ori-a', 'bot.yaml', yaml('spark-ori-a', 'channels: ["#ops"]'))
  const refreshed = bots.refresh('spark-ori-a')
  await setImmediate()
  const stopped = bot(await bots.stop('spark-ori-a'))
  assert.equal(await refreshed, undefined)
  assert.deepEqual([stopped.status, stopped.settings?.output.channels], ['inactive', ['#ops']])
})

test('a bot that is deleted and made again while another leaves starts once both are gone', async () => {
  const telling: PromiseWithResolvers<void>[] = []
  const told = () => {
    const next = Promise.withResolvers<void>()
    telling.push(next)
    return next.promise
  }
  await using house = rig({ told })
  const { bots, chat, write } = house
  for (const name of ['spark-ori-a', 'spark-ori-b']) write(name, 'bot.yaml', yaml(name))
  await bots.loadAll()
  await setImmediate()
  bots.remove('spark-ori-b')
  const starting = bots.start('spark-ori-a')
  // It waits until the other has left.
  await setImmediate()
  bots.remove('spark-ori-a')
  assert.ok(bots.create({ name: 'a', owner: 'spark-ori', channels: ['#ops'] }).ok)
  const [first, second] = telling
  first?.resolve()
  await setImmediate()
  second?.resolve()
  assert.equal(bot(await starting).status, 'active')
  assert.deepEqual(chat.seen.slice(2), [
    'spark-ori-b quits: Deleted',
    'spark-ori-a quits: Deleted',
    'spark-ori-a joins #ops',
  ])
})

test('a new bot is inactive until started, moves to edited channels, and leaves when removed', async () => {
  await using house = rig()
  const { bots, chat, home } = house
  const created = bot(bots.create({ name: 'ci', owner: 'spark-ori', channels: ['#a'] }))
  assert.deepEqual(
    [created.name, created.status, created.settings?.created],
    ['spark-ori-ci', 'inactive', '2026-04-03'],
  )
  assert.match(reason(bots.create({ name: 'ci', owner: 'spark-ori' })), /already exists/)
  assert.match(reason(bots.create({ name: 'ci', owner: 'ori' })), /use spark-ori/)
  assert.equal(bot(bots.edit('spark-ori-ci', { channels: ['#b'] })).status, 'inactive')
  await bots.start('spark-ori-ci')
  assert.equal(bot(bots.edit('spark-ori-ci', { channels: ['#c'] })).status, 'active')
  assert.match(reason(bots.edit('spark-ori-ci', { channels: ['c'] })), /must begin with #/)
  assert.equal(bots.remove('spark-ori-ci').ok, true)
  assert.equal(bots.get('spark-ori-ci'), undefined)
  assert.match(reason(bots.remove('spark-ori-ci')), /^there is no bot/)
  await setImmediate()
  assert.deepEqual(chat.seen, [
    'spark-ori-ci joins #b',
    'spark-ori-ci parts #b',
    'spark-ori-ci joins #c',
    'spark-ori-ci quits: Deleted',
  ])
  assert.deepEqual(readdirSync(join(home.folder, 'trash')), ['spark-ori-ci-20260403T101112-000Z'])
})

test('an active bot keeps running if a secret becomes unreadable, and an unreadable new one is refused', async () => {
  await using house = rig()
  const { bots, chat, write } = house
  const name = 'spark-ori-ci'
  write(name, 'secret', 'a made-up secret')
  write(name, 'bot.yaml', `${yaml(name)}trigger: {auth: {type: token, secrets: ["file:secret"]}}\n`)
  assert.ok((await bots.start(name)).ok)
  const file = join(house.home.bots, name, 'bot.yaml')
  const before = readFileSync(file, 'utf8')
  const rotated = bots.edit(name, { rotation: { add: 'env:HOOKLINE_NOT_SET', most: 2 } })
  assert.match(
    reason(rotated),
    /^trigger\.auth\.secrets: the environment variable HOOKLINE_NOT_SET is not set/,
  )
  const auth = { type: 'token', secrets: ['file:other'] } as const
  assert.match(reason(bots.edit(name, { auth })), /^trigger\.auth\.secrets: .*other cannot be read/)
  assert.equal(readFileSync(file, 'utf8'), before)
  rmSync(join(house.home.bots, name, 'secret'))
  const edited = bot(bots.edit(name, { description: 'CI' }))
  assert.equal(edited.status, 'active')
  assert.match(edited.problems.join(), /secret cannot be read/)
  assert.deepEqual(chat.seen, [`${name} joins #builds`])
})

const facts = { id: 'd1', event: null, headers: {} }

test('a bot posts its template, or without one the whole payload', async () => {
  await using house = rig()
  const { bots } = house
  const say = async (template: string | undefined, text: string): Promise<unknown> => {
    const name = `t${bots.list().length}`
    const made = bot(
      bots.create({ name, owner: 'spark-ori', ...(template === undefined ? {} : { template }) }),
    )
    return await bots.compose(made, payloadOf(text), { ...facts, headers: { 'x-event': 'push' } })
  }
  assert.deepEqual(await say('{headers.x-event}: {body.a}', '{"a":1.0}'), {
    kind: 'message',
    text: 'push: 1.0',
    unresolved: [],
    composedBy: 'output.template',
  })
  assert.deepEqual(await say('{body.b}', '{"a": 1.0}'), {
    kind: 'message',
    text: '{"a":1.0}',
    unresolved: ['body.b'],
    composedBy: 'fallback json',
    maxLines: 3,
  })
  assert.deepEqual(await say(undefined, '{"a": 1.0}'), {
    kind: 'message',
    text: '{"a":1.0}',
    unresolved: [],
    composedBy: 'fallback json',
    maxLines: 3,
  })
  assert.deepEqual(await say('{body.a}', '{"a":""}'), {
    kind: 'skip',
    composedBy: 'output.template',
    reason: 'the template rendered to nothing',
  })
})

test('a handler takes precedence, from the next delivery on, and its state outlives the server', async () => {
  await using house = rig()
  const { bots, write } = house
  const made = bot(bots.create({ name: 'ci', owner: 'spark-ori', template: 'by template' }))
  const say = async (text = '{}') => await bots.compose(made, payloadOf(text), facts)
  assert.deepEqual(await say(), {
    kind: 'message',
    text: 'by template',
    unresolved: [],
    composedBy: 'output.template',
  })
  write(
    'spark-ori-ci',
    'handler.py',
    `async def handle(payload, bot):
    if "none" in payload: return None
    if "fail" in payload: raise ValueError("broken")
    bot.state["n"] = bot.state.get("n", 0) + 1
    return f"\\x02{bot.nick}\\x02 {bot.delivery_id} {bot.state['n']}\\r\\n\\n@bob"
`,
  )
  assert.deepEqual(await say(), {
    kind: 'message',
    text: '\x02spark-ori-ci\x02 d1 1\n@\u200bbob',
    unresolved: [],
    composedBy: 'handler.py',
  })
  assert.deepEqual(await say('{"none":1}'), {
    kind: 'skip',
    composedBy: 'handler.py',
    reason: 'the handler returned nothing',
  })
  const failed = await say('{"fail":1}')
  assert.match(failed.kind === 'failed' ? failed.error : '', /ValueError: broken/)
  await bots.start('spark-ori-ci')
  await bots.stop('spark-ori-ci')
  assert.deepEqual(await say('{"a":1}'), {
    kind: 'message',
    text: '\x02spark-ori-ci\x02 d1 2\n@\u200bbob',
    unresolved: [],
    composedBy: 'handler.py',
  })
  await bots.close()
  assert.deepEqual(await say(), { kind: 'failed', error: 'the server is shutting down' })
})

test('after start the next delivery uses the new imports; a running one is still answered', async () => {
  await using house = rig()
  const { bots, write, home } = house
  const name = 'spark-ori-a'
  write(name, 'bot.yaml', yaml(name))
  write(name, 'helper.py', 'WORD = "old"')
  write(
    name,
    'handler.py',
    `import asyncio, os, helper
async def handle(payload, bot):
    if "slow" in payload:
        open("begun", "w").close()
        while not os.path.exists("go"): await asyncio.sleep(0.01)
    return helper.WORD
`,
  )
  await bots.loadAll()
  const say = async (text = '{}') => {
    const composed = await bots.compose(bots.get(name) ?? assert.fail(), payloadOf(text), facts)
    return composed.kind === 'message' ? composed.text : composed
  }
  assert.equal(await say(), 'old')
  write(name, 'helper.py', 'WORD = "new"')
  bot(await bots.start(name))
  assert.equal(await say(), 'new')

  const slow = say('{"slow":1}')
  while (!existsSync(join(home.bots, name, 'begun'))) await setImmediate()
  write(name, 'helper.py', 'WORD = "newest"')
  bot(await bots.start(name))
  write(name, 'go', '')
  assert.equal(await slow, 'new')
  assert.equal(await say(), 'newest')
})

test('a handler that takes too long fails its delivery', async () => {
  await using house = rig({ handlerLimits: { callMs: 200 } })
  const { bots, write } = house
  const made = bot(bots.create({ name: 'ci', owner: 'spark-ori' }))
  write('spark-ori-ci', 'handler.py', 'import asyncio\nasync def handle(p, b): await asyncio.sleep(60)\n')
  const failed = await bots.compose(made, payloadOf('{}'), facts)
  assert.match(failed.kind === 'failed' ? failed.error : '', /^handler took longer than 0\.2 s/)
})

test('when many bots are read, each gets its own turn of the event loop', async () => {
  await using house = rig()
  const { bots, write } = house
  const names = Array.from({ length: 50 }, (_, i) => `spark-ori-b${i}`)
  for (const name of names) write(name, 'bot.yaml', yaml(name))
  await bots.loadAll()
  await bots.stop('spark-ori-b0')
  for (const readAll of [() => bots.reload(), () => Promise.all(names.map((name) => bots.refresh(name)))])
    assert.ok((await turnsOf(readAll)) >= names.length, String(readAll))
})

test('bots stay when their folder goes while a reload waits for its turn', async () => {
  await using house = rig()
  const { bots, home, write } = house
  for (const name of ['spark-ori-a', 'spark-ori-b']) write(name, 'bot.yaml', yaml(name))
  await bots.loadAll()
  const stopping = bots.stop('spark-ori-a')
  const reading = assert.rejects(bots.reload(), { code: 'ENOENT' })
  rmSync(home.bots, { recursive: true })
  await Promise.all([stopping, reading])
  assert.equal(bots.get('spark-ori-b')?.status, 'active')
})

test('what waits to be read when the server ends is left alone', async () => {
  const started: string[] = []
  await using house = rig({ onStart: (name) => started.push(name) })
  const { bots, write } = house
  const names = Array.from({ length: 5 }, (_, i) => `spark-ori-b${i}`)
  for (const name of names) write(name, 'bot.yaml', yaml(name))
  await bots.loadAll()
  const reading = [bots.reload(), ...names.map((name) => bots.refresh(name)), bots.start('spark-ori-b0')]
  await Promise.all([bots.close(), ...reading])
  assert.deepEqual(started, [])
})

test('what a deleted bot printed last is logged without its secrets, nor those of its successor', async () => {
  const lines: unknown[] = []
  const log = logTo((data) => void lines.push('line' in data ? data.line : undefined))
  await using house = rig({ log })
  const { bots, write } = house
  const auth = `{auth: {type: token, secrets: ["sesame-1234", "file:key"]}}`
  write('spark-ori-ci', 'bot.yaml', `${yaml('spark-ori-ci')}trigger: ${auth}\n`)
  write('spark-ori-ci', 'key', 'open-sesame')
  using outside = newFolder()
  const [called, go, printed] = ['called', 'go', 'printed'].map((name) => join(outside.path, name))
  write(
    'spark-ori-ci',
    'handler.py',
    `import os, time
def handle(payload, bot):
    open("${called}", "w")
    while not os.path.exists("${go}"): time.sleep(0.01)
    print("sesame-1234 open-sesame sesame-5678")
    open("${printed}", "w")
    time.sleep(600)
`,
  )
  await bots.loadAll()
  const made = bots.get('spark-ori-ci') ?? assert.fail()
  const composed = bots.compose(made, payloadOf('{}'), { id: 'd1', event: null, headers: {} })
  while (!existsSync(called ?? '')) await setImmediate()
  writeFileSync(go ?? '', '')
  // Nothing is read from its pipe in between.
  const end = performance.now() + 30_000
  while (!existsSync(printed ?? '') && performance.now() < end) continue
  assert.ok(bots.remove('spark-ori-ci').ok)
  const successor = {
    name: 'ci',
    owner: 'spark-ori',
    auth: { type: 'token', secrets: ['sesame-5678'] },
  } as const
  assert.ok(bots.create(successor).ok)
  await composed
  assert.deepEqual(
    lines.filter((line) => line !== undefined),
    ['[secret] [secret] [secret]'],
  )
})

/** How often others were served meanwhile. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  const done = work().then(() => (isOver = true))
  let isOver = false
  let turns = 0
  for (; !isOver; turns++) await setImmediate()
  await done
  return turns
}
