// Real events of GitHub, posted to the bots in examples/github, and the lines that people read, in golden/github.
// `npm run golden` rewrites those.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test, type TestContext } from 'node:test'
import { Person } from '../test/person.ts'
import { post } from '../test/post.ts'
import { type Rig, startRig } from '../test/rig.ts'

interface Event {
  readonly name: string
  readonly examples: readonly { readonly action?: string }[]
}

const events = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Event[]
const examples = new URL('../../../examples/', import.meta.url)
const templates = readdirSync(new URL('github/', examples)).filter((name) => !name.includes('.'))
/** Shown without any template: the payload as JSON, cut. */
const untold = ['deployment_review', 'merge_group', 'repository_import']

test('the bots in examples/github are enough, and for events that GitHub sends', () => {
  assert.ok(templates.length >= 25)
  for (const name of templates) assert.ok(exampleOf(name), name)
})

for (const name of templates) {
  test(`${name}: every payload that GitHub shows, as people read it`, async (t) => {
    const file = readFileSync(new URL(`github/${name}/bot.yaml`, examples), 'utf8')
    await using rig = await startRig({ bots: { [`spark-ori-${name}`]: file } })
    const { lines, messages } = await tellAll(rig, name)
    for (const message of messages)
      assert.doesNotMatch(message, /^\{/, 'a token has no value: all of it was said')
    snapshot(t, name, lines)
  })
}

for (const name of untold) {
  test(`${name}: without a template the payload, three lines, the last says how many more`, async (t) => {
    const file = `bot: {name: spark-ori-${name}, owner: spark-ori}\noutput: {channels: ["#github"]}\n`
    await using rig = await startRig({ bots: { [`spark-ori-${name}`]: file } })
    const { lines } = await tellAll(rig, name)
    const first = lines.slice(0, 4)
    assert.match(first.at(-1) ?? '', /:… \(\+\d+ lines, delivery \{id\}\)$/)
    snapshot(t, name, first)
  })
}

test('push, told by the handler in examples/handlers/pushes', async (t) => {
  const folder = new URL('handlers/pushes/', examples)
  const bots = Object.fromEntries(
    ['bot.yaml', 'handler.py'].map((file) => [
      `spark-ori-pushes/${file}`,
      readFileSync(new URL(file, folder), 'utf8'),
    ]),
  )
  await using rig = await startRig({ bots })
  const { lines } = await tellAll(rig, 'push', 'pushes')
  snapshot(t, 'push-handler', lines)
})

test('a real payload, signed as GitHub signs it; a byte that was changed on the way is refused', async () => {
  const secret = 'a secret for the kettle'
  const file = readFileSync(new URL('github/issues/bot.yaml', examples), 'utf8').replace(
    '  type: webhook\n',
    `  type: webhook\n  auth: {type: github, secrets: [${secret}]}\n`,
  )
  await using rig = await startRig({ bots: { 'spark-ori-issues': file } })
  const body = JSON.stringify(exampleOf('issues')?.examples[0], undefined, 2)
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const send = (sent: string) =>
    post(`${rig.url}/spark-ori-issues`, sent, {
      'X-GitHub-Event': 'issues',
      'X-Hub-Signature-256': signature,
    })
  assert.equal((await send(body)).json['status'], 'posted')
  assert.equal((await send(body.replace('edited', 'Edited'))).status, 401)
  assert.equal((await send(JSON.stringify(JSON.parse(body)))).status, 401, 'the same JSON in other bytes')
})

interface Told {
  /** `# issues opened`, then the lines as they came over the socket. */
  readonly lines: readonly string[]
  /** What each delivery was answered to have said. */
  readonly messages: readonly string[]
}

async function tellAll(rig: Rig, name: string, bot = name): Promise<Told> {
  using person = await Person.join(rig.ircPort, 'ann')
  person.type('JOIN #github')
  await person.settle()
  const lines: string[] = []
  const messages: string[] = []
  const seen = new Set<string>()
  for (const [index, payload] of (exampleOf(name)?.examples ?? []).entries()) {
    const { status, json, text } = await post(`${rig.url}/spark-ori-${bot}`, payload, {
      'User-Agent': 'GitHub-Hookshot/044aadd',
      'X-GitHub-Event': name,
      'X-GitHub-Delivery': `72d3162e-cc78-11e3-81ab-${String(index).padStart(12, '0')}`,
    })
    assert.equal(status, 200, text)
    messages.push(String(json['message']))
    const told = (await person.settle()).map((line) => line.replace(String(json['id']), '{id}'))
    // GitHub shows many payloads of an event that differ in nothing people read.
    if (seen.has(told.join())) continue
    seen.add(told.join())
    lines.push([`# ${name}`, payload.action ?? ''].join(' ').trimEnd(), ...told)
  }
  return { lines, messages }
}

function exampleOf(name: string): Event | undefined {
  return events.find((event) => event.name === name)
}

function snapshot(t: TestContext, name: string, lines: readonly string[]): void {
  const file = `${import.meta.dirname}/golden/github/${name}.txt`
  t.assert.fileSnapshot(`${lines.join('\n')}\n`, file, { serializers: [String] })
}
