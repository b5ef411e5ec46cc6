// Messages of bots once they are posted: whole, retracted, and threaded.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { hookline, startCommand } from './command.ts'
import { Person } from './person.ts'
import { post } from './post.ts'
import { type Rig, startRig, temporaryHome, writeBots } from './rig.ts'
import { ROUNDS } from './rounds.ts'

const bot = 'spark-ori-ci'
const caps = 'message-tags draft/message-redaction'
const KILLS = 2 * ROUNDS

test('a line too long to be sent as one is joined again by multiline clients, and whole in the history', async () => {
  await using rig = await startRig({
    bots: {
      [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#builds"], template: "{url}"}`,
    },
  })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'batch draft/multiline', channels: '#builds' })
  const url = `http://127.0.0.1/${'x'.repeat(900)}`
  const { json } = await post(`${rig.url}/${bot}`, { url })
  assert.equal(json['message'], url)
  const lines = (await ann.settle()).filter((line) => line.includes('PRIVMSG'))
  assert.deepEqual(
    lines.map((line) => line.includes('draft/multiline-concat')),
    [false, true],
  )
  assert.equal(lines.map((line) => line.replace(/^.* :/, '')).join(''), url)
  const { stdout } = await hookline(rig.home, 'send', '#builds', url, '--json')
  assert.equal((JSON.parse(stdout) as { text: string }).text, url)
  const history = await rig.server.store.history('#builds', 10)
  assert.deepEqual(
    history.map(({ text }) => text),
    [url, url],
  )
})

test('the notice that wakes has the time of its message, however late it comes', async () => {
  const output = '{channels: ["#builds"], mention: claude, template: "{text}"}'
  await using rig = await startRig({
    bots: { [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: ${output}` },
  })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'server-time', channels: '#builds' })
  await post(`${rig.url}/${bot}`, { text: 'while claude is away' })
  const [said = ''] = await ann.settle()
  using claude = await Person.connect(rig.ircPort)
  claude.type('CAP REQ server-time', 'NICK claude', 'USER claude 0 * :claude', 'CAP END')
  const kept = await claude.until(/ NOTICE claude :\[.* UTC\] spark-ori-ci mentioned you/)
  await post(`${rig.url}/${bot}`, { text: 'while claude is here' })
  const [next = ''] = await ann.settle()
  const now = await claude.until(/ NOTICE claude :spark-ori-ci mentioned you/)
  const timeOf = (line: string) => /^@time=(\S+) /.exec(line)?.[1]
  assert.deepEqual([kept, now].map(timeOf), [said, next].map(timeOf))
})

test('bot retract: clients with redaction are told in every channel and as the owner, and nobody else', async () => {
  const output = '{channels: ["#builds", "#Dev"], dm_owner: true, template: "{state}"}'
  await using rig = await startRig({
    bots: { [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: ${output}` },
  })
  using ori = await Person.join(rig.ircPort, 'spark-ori', { caps })
  using ann = await Person.join(rig.ircPort, 'ann', { caps })
  using bob = await Person.join(rig.ircPort, 'bob', { caps: 'message-tags' })
  for (const person of [ann, bob]) {
    person.type('JOIN #builds,#dev')
    await person.settle()
  }
  await ann.settle()
  const { json } = await post(`${rig.url}/${bot}`, { state: 'oops' })
  const said = [...(await ann.settle()), ...(await ori.settle())]
  assert.equal(said.length, 3)

  const id = String(json['id'])
  const { code, stdout } = await hookline(rig.home, 'bot', 'retract', id, '--reason', 'a\nb')
  assert.deepEqual([code, stdout], [0, `${id} retracted in #builds #Dev spark-ori\n`])
  const heard = [...(await ann.settle()), ...(await ori.settle())]
  const expected = said.map(
    (line, i) => `REDACT ${['#builds', '#Dev', 'spark-ori'][i]} ${msgidOf(line)} :a b`,
  )
  assert.deepEqual(
    heard.map((line) => line.replace(/^@\S+ :spark-ori-ci!bot@spark /, '')),
    expected,
  )
  assert.ok(heard.every((line) => line.includes(';bot ')))
  assert.doesNotMatch((await bob.settle()).join('\n'), /REDACT/)
  const direct = await rig.server.store.history('spark-ori spark-ori-ci', 10)
  assert.deepEqual(
    direct.map(({ text, redacted }) => [text, redacted?.reason]),
    [['', 'a b']],
  )
})

const threaded = `bot: {name: ${bot}, owner: spark-ori}
output: {channels: ["#builds"], template: "{text}", thread: "{body.pull_request.number}"}
`

test('a thread survives a restart: later messages reply to the first one from before', async (t) => {
  const home = temporaryHome(t)
  writeBots(home, { [bot]: threaded })
  await using first = await startCommand(home)
  await say(first, 7, 'opened')
  await say(first, 7, 'pushed')
  await first.stop()
  await using second = await startRig({ home })
  using ann = await Person.join(second.ircPort, 'ann', { caps: 'message-tags', channels: '#builds' })
  await say(second, 7, 'merged')
  const [opened, pushed, merged] = await historyOf(second)
  const tags = JSON.stringify({ '+draft/reply': opened?.id, '+reply': opened?.id })
  assert.deepEqual([opened?.tags, pushed?.tags, merged?.tags], ['{}', tags, tags])
  const [line = ''] = await ann.settle()
  assert.match(
    line,
    new RegExp(`msgid=${merged?.id};.*;\\+draft/reply=${opened?.id};\\+reply=${opened?.id} `),
  )
})

test('a thread whose first message is retracted, by an operator or by bot retract, or erased, starts again', async () => {
  await using rig = await startRig({ bots: { [bot]: threaded } })
  using ann = await Person.join(rig.ircPort, 'ann', {
    caps: 'message-tags draft/message-redaction',
    channels: '#builds',
  })
  await say(rig, 7, 'first')
  const [first] = await historyOf(rig)
  ann.type(`REDACT #builds ${first?.id} :not this`)
  await ann.settle()
  const { json } = await say(rig, 7, 'second')
  await say(rig, 7, 'third')
  assert.equal((await hookline(rig.home, 'bot', 'retract', String(json['id']))).code, 0)
  await say(rig, 7, 'fourth')
  await say(rig, 7, 'fifth')
  const said = await historyOf(rig)
  const answers = said.map(({ tags }) => said.findIndex(({ id }) => tags.includes(id)))
  assert.deepEqual(
    said.map(({ text }, i) => [text, answers[i]]),
    [
      ['', -1],
      ['', -1],
      ['third', 1],
      ['fourth', -1],
      ['fifth', 3],
    ],
  )
  await rig.server.store.erase({ conversations: ['#builds'], account: undefined })
  await say(rig, 7, 'sixth')
  assert.deepEqual(
    (await historyOf(rig)).map(({ text, tags }) => [text, tags]),
    [['sixth', '{}']],
  )
})

test('however many come at once: each thread has one first message, sent before its replies, and the wire agrees with history', async () => {
  await using rig = await startRig({ bots: { [bot]: threaded } })
  using ann = await Person.join(rig.ircPort, 'ann', { caps: 'message-tags', channels: '#builds' })
  await Promise.all(Array.from({ length: 300 }, (_, i) => say(rig, i % 10, `${i % 10}: ${i}`)))
  const heard = await ann.settle()
  assert.deepEqual(
    heard.map((line) => [msgidOf(line), /\+reply=(\w+)/.exec(line)?.[1]]),
    (await historyOf(rig)).map(({ id, tags }) => [id, firstIn(tags)]),
  )
  check(await historyOf(rig), 300, 10)
})

test(`kill -9, ${KILLS} times: no message replies to a missing one, and no thread has two first messages`, async (t) => {
  const home = temporaryHome(t)
  writeBots(home, { [bot]: threaded })
  let acknowledged = 0
  for (let round = 0; round < KILLS; round++) {
    await using server = await startCommand(home)
    let count = 0
    const killed = Promise.withResolvers<void>()
    const sender = async (key: number) => {
      for (let i = 0; ; i++) {
        await say(server, key, `${key}: ${round}.${i}`)
        acknowledged++
        // In the middle of the others' work, at a different moment in each round.
        if (++count === 10 + (round % 8) * 7) {
          server.child.kill('SIGKILL')
          killed.resolve()
        }
      }
    }
    await Promise.allSettled(Array.from({ length: 8 }, (_, key) => sender(key)))
    await killed.promise
    await server.exit
  }
  using db = new DatabaseSync(join(home.folder, 'data', 'hookline.db'))
  const rows = db.prepare('SELECT id, text, tags FROM history ORDER BY seq').all()
  check(rows as unknown as readonly Said[], acknowledged, 8)
})

interface Said {
  readonly id: string
  /** Begins with the key of its thread. */
  readonly text: string
  readonly tags: string
}

function check(rows: readonly Said[], least: number, threads: number): void {
  assert.ok(rows.length >= least, `${rows.length} of ${least} are there`)
  const firsts = new Map<string, string>()
  for (const { id, text, tags } of rows) {
    const key = text.split(':')[0] ?? ''
    assert.equal(firstIn(tags), firsts.get(key), text)
    if (!firsts.has(key)) firsts.set(key, id)
  }
  assert.equal(firsts.size, threads)
}

function firstIn(tags: string): string | undefined {
  return (JSON.parse(tags) as Record<string, string>)['+reply']
}

async function say({ url }: Pick<Rig, 'url'>, number: number, text: string) {
  const answered = await post(`${url}/${bot}`, { text, pull_request: { number } })
  assert.equal(answered.status, 200, answered.text)
  return answered
}

function historyOf({ server }: Rig) {
  return server.store.history('#builds', 1_000)
}

function msgidOf(line: string): string {
  return /msgid=(\w+)/.exec(line)?.[1] ?? assert.fail(line)
}
