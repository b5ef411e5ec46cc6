// handler.py and handler.ts on the real server: what they can do, and what they can never do to others.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { hookline, leaveFiles, startBy, startCommand } from './command.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { processesWith, untilNone } from './processes.ts'
import { PATIENT, type Rig, startRig, temporaryHome, UNLIMITED, writeBots } from './rig.ts'

const bot = 'spark-ori-handled'
const botFile = `bot: {name: ${bot}, owner: spark-ori, description: A test, created: "2026-04-03"}
output: {channels: ["#builds"], template: "never this"}
`
/** A call that answers is far from it, even on a slow machine. */
const hasty = `${UNLIMITED}${PATIENT}handlers: {timeout_ms: 1000}\n`

/** The same handler twice: it does what `payload.do` says. */
const handlers = {
  'handler.py': `import asyncio, os
async def handle(payload, bot):
    print("a print goes to the log")
    what = payload["do"]
    if what == "say": return payload["text"]
    if what == "nothing": return None
    if what == "count":
        bot.state["n"] = bot.state.get("n", 0) + 1
        return f"count {bot.state['n']}"
    if what == "raise": raise ValueError("the kettle is empty")
    if what == "sleep": await asyncio.sleep(60)
    if what == "spin":
        while True: pass
    if what == "exit": os._exit(3)
    if what == "much": return "x" * 100_000
    if what == "wrong": return 42
    if what == "about":
        return " ".join(str(v) for v in (bot.name, bot.nick, bot.owner, bot.description, bot.created, bot.channels,
            bot.mention, bot.dm_owner, bot.template, bot.fallback, bot.delivery_id,
            bot.event, bot.headers.get('x-room')))
`,
  'handler.ts': `type Bot = { [key: string]: unknown; state: { n?: number } }
export async function handle(payload: Record<string, string>, bot: Bot): Promise<unknown> {
  console.log('a print goes to the log')
  switch (payload['do']) {
    case 'say': return payload['text']
    case 'nothing': return null
    case 'count': return \`count \${(bot.state.n = (bot.state.n ?? 0) + 1)}\`
    case 'raise': throw new TypeError('the kettle is empty')
    case 'sleep': return await new Promise((resolve) => setTimeout(resolve, 60_000))
    case 'spin': for (;;);
    case 'exit': process.exit(3)
    case 'much': return 'x'.repeat(100_000)
    case 'wrong': return 42
    case 'about': return [bot.name, bot.nick, bot.owner, bot.description, bot.created, bot.channels, bot.mention,
      bot.dm_owner, bot.template, bot.fallback, bot.delivery_id,
      bot.event, (bot.headers as Record<string, string>)['x-room']].join(' ')
  }
}
`,
} as const

const other = 'spark-ori-other'
const otherFile = `bot: {name: ${other}, owner: spark-ori}\noutput: {channels: ["#builds"], template: "{body.n}"}\n`

for (const [file, code] of Object.entries(handlers)) {
  const files = { [bot]: botFile, [`${bot}/${file}`]: code }

  suite(file, () => {
    let rig: Rig
    before(async () => {
      rig = await startRig({ config: hasty, bots: { ...files, [other]: otherFile } })
    })
    after(() => rig[Symbol.asyncDispose]())

    test('its answer is the message, taking precedence over templates; printed output does not matter', async () => {
      using ann = await inBuilds(rig)
      for (const text of ['one', 'two lines\nof text']) {
        const { status, json } = await call(rig, { do: 'say', text })
        assert.deepEqual([status, json['status'], json['message']], [200, 'posted', text])
      }
      assert.deepEqual(
        (await ann.settle()).map((line) => line.replace(/^.*PRIVMSG #builds :?/, '')),
        ['one', 'two lines', 'of text'],
      )
    })

    test('an answer of none is skipped, and nothing is posted', async () => {
      using ann = await inBuilds(rig, 'amy')
      const { status, json } = await call(rig, { do: 'nothing' })
      assert.deepEqual([status, json['status'], json['message']], [200, 'skipped', null])
      assert.deepEqual(await ann.settle(), [])
    })

    test('bot has the attributes of the contract', async () => {
      const headers = { 'X-GitHub-Event': 'star', 'X-Room': 'kitchen' }
      const { json } = await post(`${rig.url}/${bot}`, { do: 'about' }, headers)
      const said = String(json['message'])
      for (const part of [
        bot,
        'spark-ori',
        'A test',
        '2026-04-03',
        '#builds',
        'never this',
        'json',
        String(json['id']),
        'star',
        'kitchen',
      ])
        assert.ok(said.includes(part), `${part} in ${said}`)
    })

    test('an exception gives 500 with the id, is recorded with its position, and the owner is told; the next call works', async () => {
      using owner = await Person.join(rig.ircPort, 'spark-ori')
      const { status, json } = await call(rig, { do: 'raise' })
      const id = String(json['id'])
      assert.deepEqual([status, json], [500, { error: 'internal error', id }])
      const notice = await owner.until(/PRIVMSG spark-ori :delivery/)
      assert.match(
        notice,
        new RegExp(`^:${bot}!\\S+ PRIVMSG spark-ori :delivery ${id} failed: .*the kettle is empty`),
      )
      assert.ok(notice.endsWith(`To run it again: hookline bot replay ${id}`), notice)
      const record = await rig.server.store.deliveries.get(id)
      assert.match(record?.error ?? '', new RegExp(`${RegExp.escape(file)}\\W`))
      assert.equal((await call(rig, { do: 'say', text: 'x' })).status, 200)
    })

    test('a call that takes too long, crashes or answers wrongly fails, and the next call works', async () => {
      for (const [what, why] of [
        ['sleep', /took longer than 1 s/],
        ['spin', /took longer than 1 s and was killed/],
        ['exit', /handler crashed \(exit code 3\)/],
        ['much', /100000 bytes/],
        ['wrong', /return a str/],
      ] as const) {
        const { status, json } = await call(rig, { do: what })
        assert.equal(status, 500, what)
        const { error, status: kept } = (await rig.server.store.deliveries.get(String(json['id']))) ?? {}
        assert.equal(kept, 'failed', what)
        assert.match(error ?? '', why)
        assert.equal((await call(rig, { do: 'say', text: 'x' })).status, 200, what)
      }
    })

    test('an edit takes effect with the next delivery; so does removing it', async () => {
      const path = join(rig.home.bots, bot, file)
      const say = async () => (await call(rig, { do: 'say', text: 'kettle' })).json['message']
      assert.equal(await say(), 'kettle')
      writeFileSync(
        path,
        code.replaceAll('["text"]', '["text"] + " on"').replaceAll("['text']", "['text'] + ' on'"),
      )
      assert.equal(await say(), 'kettle on')
      rmSync(path)
      assert.equal(await say(), 'never this', 'the template')
      writeFileSync(path, code)
      assert.equal(await say(), 'kettle')
    })

    test('while it hangs and crashes, another bot and people carry on', async () => {
      using ann = await inBuilds(rig, 'ada')
      const slow = ['spin', 'exit', 'spin', 'raise'].map((what) => call(rig, { do: what }))
      for (let n = 0; n < 50; n++) {
        const { status, json } = await post(`${rig.url}/${other}`, { n })
        assert.deepEqual([status, json['message']], [200, String(n)])
      }
      assert.equal((await ann.settle()).length, 50)
      for (const { status } of await Promise.all(slow)) assert.equal(status, 500)
      assert.equal(rig.server.bots.get(bot)?.status, 'active')
    })
  })

  test(`${file}: bot.state survives a crash of the handler and a restart of the server`, async (t) => {
    const home = temporaryHome(t)
    const count = async (rig: Rig) => (await call(rig, { do: 'count' })).json['message']
    await using rig = await startRig({ bots: files, home })
    assert.equal(await count(rig), 'count 1')
    assert.equal((await call(rig, { do: 'exit' })).status, 500)
    assert.equal(await count(rig), 'count 2')
    rig.server.stop()
    await rig.server.stopped
    await using second = await startRig({ bots: files, home })
    assert.equal(await count(second), 'count 3')
  })
}

test('handler.py: memory is limited', async () => {
  const greedy = 'async def handle(payload, bot):\n    return str(len(bytearray(payload["bytes"])))\n'
  await using rig = await startRig({ bots: { [bot]: botFile, [`${bot}/handler.py`]: greedy } })
  const { status, json } = await call(rig, { bytes: 2 ** 31 })
  assert.equal(status, 500)
  assert.match((await rig.server.store.deliveries.get(String(json['id'])))?.error ?? '', /MemoryError/)
  assert.equal((await call(rig, { bytes: 1000 })).json['message'], '1000')
})

test('with a limit of two, four bots are answered and leave two handler processes, those called last', async () => {
  const names = ['a', 'b', 'c', 'd'].map((name) => `spark-ori-${name}`)
  const code = 'import uuid\nme = str(uuid.uuid4())\nasync def handle(payload, bot):\n    return me\n'
  const files = names.flatMap((name) => [
    [name, `bot: {name: ${name}, owner: spark-ori}\n`],
    [`${name}/handler.py`, code],
  ])
  const config = `logging: {level: error}\nhandlers: {max_warm: 2}\n${PATIENT}`
  await using rig = await startRig({ config, bots: Object.fromEntries(files) })
  const ask = async (name: string) => {
    const { status, json } = await post(`${rig.url}/${name}`, {})
    assert.equal(status, 200)
    return json['message']
  }
  const [a, b, c, d] = names.map((name) => ({ name, folder: join(rig.home.bots, name) }))
  assert.ok(a && b && c && d)
  await Promise.all(names.map(ask))
  const before = [await ask(a.name), await ask(b.name), await ask(c.name), await ask(d.name)]
  await untilNone(a.folder)
  await untilNone(b.folder)
  assert.notDeepEqual([processesWith(c.folder), processesWith(d.folder)], [[], []])
  assert.deepEqual([await ask(d.name), await ask(c.name)], [before[3], before[2]])
  assert.notEqual(await ask(a.name), before[0])
})

test('handler.py: deliveries waiting while the bot is stopped are posted when it is started', async () => {
  const waits = `import asyncio, os
async def handle(payload, bot):
    while not os.path.exists("go"):
        await asyncio.sleep(0.02)
    return payload["text"]
`
  await using rig = await startRig({ bots: { [bot]: botFile, [`${bot}/handler.py`]: waits } })
  using ann = await inBuilds(rig)
  const calls = [call(rig, { text: 'first' }), call(rig, { text: 'second' })]
  while ((await rig.server.store.deliveries.pending()).length < 2);
  await rig.server.bots.stop(bot)
  const answers = await Promise.all(calls)
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([202, 500]), 'the one that waited, the one under way')
  const waiting = statuses.indexOf(202)
  writeFileSync(join(rig.home.bots, bot, 'go'), '')
  assert.ok((await rig.server.bots.start(bot)).ok)
  await ann.until(new RegExp(`PRIVMSG #builds :${['first', 'second'][waiting]}$`))
})

test('bot test gives a handler the time that server.yaml gives it', async (t) => {
  const home = temporaryHome(t)
  writeFileSync(home.config, 'handlers: {timeout_ms: 300}\n')
  writeBots(home, { [bot]: botFile, [`${bot}/handler.py`]: handlers['handler.py'] })
  const payload = join(home.folder, 'payload.json')
  writeFileSync(payload, '{"do":"sleep"}')
  const { code, stderr } = await hookline(home, 'bot', 'test', bot, '--payload', payload)
  assert.equal(code, 1)
  assert.match(stderr, /^error: handler\.py: handler took longer than 0\.3 s and was (?:cancelled|killed)/m)
})

test('without Python the bot is invalid with the reason and a hint; the other bots run', async () => {
  const files = {
    [bot]: botFile,
    [`${bot}/handler.py`]: handlers['handler.py'],
    [other]: botFile.replace(bot, other),
    [`${other}/handler.ts`]: handlers['handler.ts'],
  }
  process.env['HOOKLINE_PYTHON'] = '/nowhere/python3'
  try {
    await using rig = await startRig({ bots: files })
    const { status, problems = [] } = rig.server.bots.get(bot) ?? {}
    assert.equal(status, 'invalid')
    assert.match(
      problems.join(),
      /needs Python 3, and \/nowhere\/python3 cannot be run: install it .* HOOKLINE_PYTHON/,
    )
    assert.equal((await call(rig, { do: 'nothing' })).status, 503)
    assert.equal((await post(`${rig.url}/${other}`, { do: 'say', text: 'x' })).json['message'], 'x')
    delete process.env['HOOKLINE_PYTHON']
    assert.ok((await rig.server.bots.start(bot)).ok)
    assert.equal((await call(rig, { do: 'say', text: 'x' })).status, 200)
  } finally {
    delete process.env['HOOKLINE_PYTHON']
  }
})

test('without namespaces the server says so, and processes of a handler still end with it', async (t) => {
  const home = temporaryHome(t)
  const name = `spark-ori-apart${process.pid}`
  writeBots(home, {
    [name]: `bot: {name: ${name}, owner: spark-ori}\n`,
    [`${name}/handler.mjs`]: `import { spawn } from 'node:child_process'
export function handle() {
  spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore' }).unref()
  return 'started'
}
`,
  })
  // Neither unshare nor setpriv can be found there.
  await using server = await startBy(['env', `PATH=${home.bots}`], home)
  assert.equal((await post(`${server.url}/${name}`, {})).json['message'], 'started')
  assert.ok(processesWith(name).some((each) => each.includes('sleep 600')))
  assert.match(
    await server.stop(),
    /handlers are not isolated \(.*ENOENT.*\): they can signal every process of this user/,
  )
  await untilNone(name)
})

test(
  'without open files to spare a delivery fails because its handler cannot start, and the server lives on',
  { skip: !existsSync('/proc/self/fd') && 'needs /proc' },
  async (t) => {
    const home = temporaryHome(t)
    writeBots(home, { [bot]: botFile, [`${bot}/handler.py`]: handlers['handler.py'] })
    writeFileSync(home.config, `logging: {level: error}\n${PATIENT}`)
    await using server = await startCommand(home)
    const { child, url, exit } = server
    const sender = connect(Number(new URL(url).port), '127.0.0.1')
    sender.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(sender, 'data')
    // Enough to look for the handler, too few for the pipes to its process.
    leaveFiles(child, 2)
    const answer = once(sender, 'data')
    sender.write(`POST /${bot} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`)
    assert.match(String(await Promise.race([answer, exit])), /^HTTP\/1\.1 500 [^]*"internal error"/)
    leaveFiles(child, 100)
    sender.destroy()
    const { stdout } = await hookline(home, 'bot', 'deliveries', '--json')
    assert.match(stdout, /"error":"handler did not start: the server has too many open files"/)
    assert.equal((await post(`${url}/${bot}`, { do: 'say', text: 'tea' })).json['message'], 'tea')
    await server.stop()
  },
)

test('examples/handlers/ci-changes: posts when CI breaks and when it is fixed', async () => {
  await using rig = await startRig({ bots: example('ci-changes', 'spark-ori-ci', 'handler.py') })
  const run = async (conclusion: string) => {
    const { json } = await post(`${rig.url}/spark-ori-ci`, {
      action: 'completed',
      repository: { full_name: 'spark/kettle' },
      workflow_run: { name: 'CI', head_branch: 'main', conclusion, html_url: 'https://ci.example/7' },
    })
    return json['message']
  }
  assert.equal(await run('success'), null)
  assert.equal(await run('failure'), '[spark/kettle] CI on main is broken: https://ci.example/7')
  assert.equal(await run('cancelled'), null)
  assert.equal(await run('failure'), null)
  assert.equal(await run('success'), '[spark/kettle] CI on main is fixed: https://ci.example/7')
})

test('examples/handlers/alerts: one line for each alert that is not silenced', async () => {
  await using rig = await startRig({ bots: example('alerts', 'spark-ori-alerts', 'handler.ts') })
  const alert = (status: string, labels: object) => ({ status, labels, annotations: { summary: 'too hot' } })
  const alerts = [
    alert('firing', { alertname: 'Kettle', instance: 'kitchen' }),
    alert('resolved', { alertname: 'Pot' }),
    alert('firing', { alertname: 'Cup', severity: 'quiet' }),
  ]
  const { json } = await post(`${rig.url}/spark-ori-alerts`, { alerts })
  assert.equal(json['message'], '@spark-claude FIRING: Kettle at kitchen: too hot\nresolved: Pot: too hot')
  assert.equal(
    (await post(`${rig.url}/spark-ori-alerts`, { alerts: alerts.slice(2) })).json['status'],
    'skipped',
  )
})

function call(rig: Rig, payload: object) {
  return post(`${rig.url}/${bot}`, payload)
}

function inBuilds(rig: Rig, nick = 'ann'): Promise<Person> {
  return Person.join(rig.ircPort, nick, { channels: '#builds' })
}

/** The files of an example, as they are in the repository. */
function example(folder: string, name: string, ...files: string[]): Record<string, string> {
  const from = new URL(`../../../examples/handlers/${folder}/`, import.meta.url)
  const read = (file: string) => readFileSync(new URL(file, from), 'utf8')
  return Object.fromEntries(['bot.yaml', ...files].map((file) => [`${name}/${file}`, read(file)]))
}

test('a thrown message reaches the owner as harmless as a returned one, and holds up nothing else', async () => {
  const raises = 'async def handle(payload, bot): raise ValueError(payload["text"])\n'
  const plain = 'spark-ori-plain'
  await using rig = await startRig({
    bots: {
      [bot]: botFile,
      [`${bot}/handler.py`]: raises,
      [plain]: `bot: {name: ${plain}, owner: spark-ori}\noutput: {dm_owner: true, template: "{body.text}"}\n`,
    },
  })
  const text = 'a\0b\x0304red \u202eover @ann'
  assert.equal((await post(`${rig.url}/${bot}`, { text })).status, 500)
  await post(`${rig.url}/${plain}`, { text: 'the kettle boils' })
  using owner = await Person.connect(rig.ircPort)
  owner.type('NICK spark-ori', 'USER ori 0 * :Ori')
  const failed = await owner.until(/ failed: /)
  assert.match(failed, / failed: ValueError: ab04red over @\u200bann\. To run it again: /)
  assert.match(await owner.until(/PRIVMSG/), /the kettle boils$/)
})
