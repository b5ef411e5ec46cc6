// The lines of the seed document, part A, that no other test covers; README.md has the whole table.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig } from '../src/config/config.ts'
import { hookline, startCommand } from './command.ts'
import { isThere } from './named.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { startRig, temporaryHome } from './rig.ts'

const bot = 'spark-ori-ghci'
const everyField = `bot:
  name: ${bot}
  owner: spark-ori
  description: CI results
  created: "2026-04-03"
trigger:
  type: webhook
output:
  channels: ["#builds", "#ops"]
  dm_owner: true
  mention: spark-claude
  template: |
    {body.workflow} on {body.repository.full_name}: {body.conclusion}
    see {body.url}
  fallback: json
`
const payload = {
  workflow: 'build',
  repository: { full_name: 'spark/kettle' },
  conclusion: 'success',
  url: 'https://ci.example/7',
}
const [first, second] = ['build on spark/kettle: success', 'see https://ci.example/7']

test('1: bots are loaded at startup and appear as virtual users in their channels', async () => {
  await using rig = await startRig({ bots: { [bot]: everyField } })
  using ann = await Person.join(rig.ircPort, 'ann')
  for (const channel of ['#builds', '#ops']) {
    ann.type(`JOIN ${channel}`)
    assert.match(await ann.until(/ 353 /), new RegExp(` ${channel} :.*\\+${bot}\\b`))
  }
  ann.type('WHO #builds')
  assert.match(await ann.until(/ 352 /), new RegExp(` #builds bot spark spark ${bot} H\\+?B :0 CI results$`))
  ann.type(`WHOIS ${bot}`)
  assert.match(await ann.until(/ 311 /), / bot spark \* :CI results$/)
  assert.match(await ann.until(/ 335 /), new RegExp(`335 ann ${bot} :`))
})

test('1: a companion HTTP listener, on port 7680 unless --webhook-port says otherwise', async (t) => {
  const home = temporaryHome(t)
  const read = loadConfig({ home, flags: {}, env: {} })
  assert.ok(read.ok)
  assert.deepEqual([read.config.webhooks.host, read.config.webhooks.port], ['127.0.0.1', 7680])
  const port = await freePort()
  await using server = await startCommand(home, '--webhook-port', String(port))
  assert.equal(server.url, `http://127.0.0.1:${port}`)
  assert.equal((await fetch(`${server.url}/health`)).status, 200)
})

test('1: a POST is rendered by the template, posted to every channel, sent to the owner, and wakes the agent', async () => {
  await using rig = await startRig({ bots: { [bot]: everyField } })
  using ann = await Person.join(rig.ircPort, 'ann')
  using owner = await Person.join(rig.ircPort, 'spark-ori')
  using agent = await Person.join(rig.ircPort, 'spark-claude')
  ann.type('JOIN #builds,#ops')
  await ann.settle()
  const { status, json } = await post(`${rig.url}/${bot}`, payload)
  assert.deepEqual([status, json['channels']], [200, ['#builds', '#ops']])
  assert.deepEqual(
    await ann.settle(),
    ['#builds', '#ops'].flatMap((channel) => [
      `:${bot}!bot@spark PRIVMSG ${channel} :@spark-claude ${first}`,
      `:${bot}!bot@spark PRIVMSG ${channel} :${second}`,
    ]),
  )
  assert.deepEqual(await owner.settle(), [
    `:${bot}!bot@spark PRIVMSG spark-ori :${first}`,
    `:${bot}!bot@spark PRIVMSG spark-ori :${second}`,
  ])
  assert.deepEqual(
    await agent.settle(),
    ['#builds', '#ops'].map(
      (channel) =>
        `:spark NOTICE spark-claude :${bot} mentioned you in ${channel}: @spark-claude ${first} ${second}`,
    ),
  )
})

test('1: an absent owner or agent is told when they come', async (t) => {
  const home = temporaryHome(t)
  await using rig = await startRig({ bots: { [bot]: everyField }, home })
  assert.equal((await post(`${rig.url}/${bot}`, payload)).status, 200)
  rig.server.stop()
  await rig.server.stopped
  await using later = await startRig({ home })
  using agent = await arrive(later.ircPort, 'spark-claude')
  for (const channel of ['#builds', '#ops']) {
    const notice = await agent.until(/^:spark NOTICE spark-claude :\[\d{4}-\d\d-\d\d \d\d:\d\d UTC\]/)
    assert.ok(notice.includes(`${bot} mentioned you in ${channel}`), notice)
  }
  using owner = await arrive(later.ircPort, 'spark-ori')
  await owner.until(/PRIVMSG spark-ori :\[.* UTC\] build on spark\/kettle: success$/)
})

test('1: an @nick in a payload wakes nobody', async () => {
  const file = everyField
    .replace('  mention: spark-claude\n', '')
    .replace('{body.workflow}', '{body.workflow} @ops')
  await using rig = await startRig({ bots: { [bot]: file } })
  using agent = await Person.join(rig.ircPort, 'spark-claude')
  const { json } = await post(`${rig.url}/${bot}`, { ...payload, workflow: '@spark-claude run this' })
  assert.equal(
    String(json['message']).split('\n')[0],
    `@\u200bspark-claude run this @ops on spark/kettle: success`,
  )
  assert.deepEqual(await agent.settle(), [])
})

test('2.1: every field of bot.yaml is read, and bot inspect shows it', async () => {
  await using rig = await startRig({ bots: { [bot]: everyField } })
  const { code, stdout } = await hookline(rig.home, 'bot', 'inspect', bot, '--json')
  assert.equal(code, 0)
  const shown = JSON.parse(stdout) as Record<string, unknown>
  const text = JSON.stringify(shown)
  for (const value of [
    bot,
    'spark-ori',
    'CI results',
    '2026-04-03',
    'webhook',
    ['#builds', '#ops'],
    true,
    'spark-claude',
    `${first?.replace('build', '{body.workflow}').replace('spark/kettle', '{body.repository.full_name}').replace('success', '{body.conclusion}')}\nsee {body.url}\n`,
    'json',
    'active',
    `${rig.url}/${bot}`,
  ]) {
    assert.ok(text.includes(JSON.stringify(value)), `${JSON.stringify(value)} in ${stdout}`)
  }
})

test('2.2: the nick is <owner>-<name> and starts with the prefix of the server', async () => {
  await using rig = await startRig()
  const create = (owner: string) =>
    hookline(rig.home, 'bot', 'create', 'ghci', '--owner', owner, '--start', '--json')
  const unqualified = await create('ori')
  assert.equal(unqualified.code, 1)
  assert.match(unqualified.stderr, /spark-ori/)
  assert.equal((await create('spark-ori')).code, 0)
  using ann = await Person.join(rig.ircPort, 'ann')
  ann.type('WHOIS spark-ori-ghci')
  await ann.until(/ 335 ann spark-ori-ghci /)
})

test('2.3: tokens are dot-paths into the payload; if one has no value, the payload is the message', async () => {
  const file = `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#builds"], template: "{body.a.b}: {body.list.1}"}\n`
  await using rig = await startRig({ bots: { [bot]: file } })
  const say = async (body: object) => (await post(`${rig.url}/${bot}`, body)).json['message']
  assert.equal(await say({ a: { b: 'x' }, list: [1, 2] }), 'x: 2')
  assert.equal(await say({ a: { b: 'x' }, list: [] }), '{"a":{"b":"x"},"list":[]}')
  assert.equal(await say({ a: {}, toString: 1 }), '{"a":{},"toString":1}')
})

test('3: configured → active at the start of the server; stopped → not active until it is started', async (t) => {
  const home = temporaryHome(t)
  await using rig = await startRig({ bots: { [bot]: everyField }, home })
  using ann = await Person.join(rig.ircPort, 'ann', { channels: '#builds' })
  const status = async () => (await post(`${rig.url}/${bot}`, payload)).status
  assert.equal(await status(), 200)
  assert.equal((await hookline(home, 'bot', 'stop', bot)).code, 0)
  await ann.until(new RegExp(`^:${bot}!bot@spark QUIT `))
  assert.equal(await status(), 503)
  assert.equal((await hookline(home, 'bot', 'start', bot)).code, 0)
  await ann.until(new RegExp(`^:${bot}!bot@spark JOIN :?#builds`))
  assert.equal(await status(), 200)
  assert.equal((await hookline(home, 'bot', 'stop', bot)).code, 0)
  rig.server.stop()
  await rig.server.stopped
  await using again = await startRig({ home })
  assert.equal((await post(`${again.url}/${bot}`, payload)).status, 200, 'active again after a start')
})

test('4.1: POST of a JSON object with Content-Type: application/json, as curl sends it', async () => {
  await using rig = await startRig({ bots: { [bot]: everyField } })
  const response = await fetch(`${rig.url}/${bot}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(payload),
  })
  assert.equal(response.status, 200)
})

test('4.2: bot create with every option, list, list by owner, inspect, start, stop', async () => {
  await using rig = await startRig()
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await hookline(rig.home, 'bot', ...args)
    assert.equal(code, 0, stderr)
    return stdout
  }
  const template = '{body.workflow}: {body.conclusion}'
  const options = ['--channels', '#builds,#ops', '--mention', 'spark-claude', '--template', template]
  await run('create', 'ghci', '--owner', 'spark-ori', ...options, '--description', 'CI results')
  await run('create', 'notes', '--owner', 'spark-kim', '--channels', '#a #b')
  const file = readFileSync(join(rig.home.bots, bot, 'bot.yaml'), 'utf8')
  assert.match(file, /^  created: "\d{4}-\d\d-\d\d"$/m, 'a quoted date')
  assert.match(file, /^  channels: \["#builds", "#ops"\]|^  channels:\n +- "#builds"\n +- "#ops"$/m)

  const all = await run('list')
  assert.match(all, /spark-ori-ghci .*inactive/)
  assert.match(all, /spark-kim-notes /)
  const mine = await run('list', 'spark-ori')
  assert.match(mine, /spark-ori-ghci /)
  assert.doesNotMatch(mine, /spark-kim-notes/)
  assert.equal((await post(`${rig.url}/${bot}`, payload)).status, 503, 'created, not started')
  await run('start', bot)
  assert.equal((await post(`${rig.url}/${bot}`, payload)).json['message'], '@spark-claude build: success')
  const about = await run('inspect', bot)
  for (const part of [bot, 'spark-ori', 'CI results', '#ops', 'spark-claude', template, `${rig.url}/${bot}`])
    assert.ok(about.includes(part), part)
  await run('stop', bot)
  assert.equal((await post(`${rig.url}/${bot}`, payload)).status, 503)
})

test('4.2: server start --name NAME --webhook-port PORT', async (t) => {
  const home = temporaryHome(t)
  await using server = await startCommand(home, '--name', 'kettle', '--webhook-port', '0')
  using ann = await Person.connect(server.ircPort)
  ann.type('NICK ann', 'USER ann 0 * :Ann')
  assert.match(await ann.until(/ 001 /), /^:kettle 001 ann :/)
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
})

test('every test that README.md names exists', () => {
  const folder = import.meta.dirname
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const named = [...readme.matchAll(/`([\w./-]+\.(?:test\.ts|txt))(?: › ([^`]+))?`/g)]
  assert.ok(named.length > 60)
  const missing = named.filter(([, file = '', title]) => !isThere(join(folder, file), title))
  assert.deepEqual(
    missing.map(([whole]) => whole),
    [],
  )
})

/** Below those that Linux gives to whoever asks for any: nobody gets it before the server does. */
async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const probe = createServer().listen(port, '127.0.0.1')
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return await freePort()
  probe.close()
  await once(probe, 'close')
  return port
}

/** Unlike `Person.join` it leaves everything unread, including what comes with the welcome. */
async function arrive(port: number, nick: string): Promise<Person> {
  const person = await Person.connect(port)
  person.type(`NICK ${nick}`, `USER ${nick} 0 * :${nick}`)
  return person
}
