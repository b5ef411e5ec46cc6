// H1: secrets in places where others read. Twelve that can be told from everything else go through every door, at level debug.
import { execFile, execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bin, environment, hookline, hooklineBy, inShell, startBy } from '../test/command.ts'
import { call } from '../test/control.ts'
import { temporaryFolder } from '../test/folder.ts'
import { Person } from '../test/person.ts'
import { ask, post } from '../test/post.ts'
import { temporaryHome, writeBots } from '../test/rig.ts'
import { senders } from '../test/sign.ts'
import { hashPassword } from '../src/accounts/passwords.ts'
import type { Home } from '../src/home/home.ts'
import { figure } from './figure.ts'

/** By what they are secrets of. */
const CANARIES = {
  account: 'canary-account-31d7',
  registered: 'canary-registered-88f0',
  changed: 'canary-changed-5c21',
  oper: 'canary-oper-e904',
  server: 'canary-server-7ab3',
  gateway: 'canary-gateway-06de',
  github: 'canary-github-secret-b41c',
  bearer: 'canary-bearer-secret-95aa',
  basic: 'canary-basic-secret-2f6e',
  url: 'canary-url-secret-c8d4',
  fromFile: 'canary-from-a-file-1b90',
  fromEnvironment: 'canary-from-env-4e77',
} as const
type Of = keyof typeof CANARIES

export default figure({
  id: 'H1',
  promise:
    'No secret is in a log, an answer, a command line, the record of a delivery or the listing of a backup, and no password is in the database',
  goal: '0 of 12 canaries found at level debug, after every door has seen each of them',
  small: {},
  whole: {},
  async measure() {
    const home = temporaryHome()
    await settings(home)
    const watched = watchCommandLines()
    const answers: string[] = []
    const by = inShell(`export CANARY=$(cat ${join(home.folder, 'env')}); exec "$@"`)
    await using server = await startBy(by, home)
    answers.push(
      ...(await inTheChat(server.ircPort)),
      ...(await webhooks(server.url)),
      ...(await commands(home)),
    )
    const archive = join(temporaryFolder(), 'backup.tar')
    await hookline(home, 'server', 'backup', archive)
    answers.push(execFileSync('tar', ['-tf', archive], { encoding: 'utf8' }))
    const lines = await server.stop()
    const database = globSync(`${home.data}/*`).map((file) => readFileSync(file, 'latin1'))
    const commandLines = watched.end()
    const seen = [
      ...found('the log', lines, KEYS),
      ...found('an answer', answers.join('\n'), KEYS),
      ...found('a command line', commandLines.join('\n'), KEYS),
      ...found('the database', database.join('\n'), KEYS),
    ]
    return {
      figure: `${seen.length} found${seen.length > 0 ? ` (${seen.join(', ')})` : ''} in ${lines.split('\n').length} lines of the log, ${answers.length} answers and ${commandLines.length} command lines`,
      isMet: seen.length === 0,
    }
  },
})

const KEYS = Object.keys(CANARIES) as Of[]

/** Also as base64 and percent-encoded, as they travel. */
function found(where: string, text: string, keys: readonly Of[]): string[] {
  return keys.flatMap((key) => {
    const plain = CANARIES[key]
    const forms = [
      plain,
      Buffer.from(`ori:${plain}`).toString('base64'),
      Buffer.from(plain).toString('base64'),
    ]
    return forms.some((form) => text.includes(form)) ? [`${key} in ${where}`] : []
  })
}

async function settings(home: Home): Promise<void> {
  const hash = (key: Of) => hashPassword(CANARIES[key], 4)
  writeFileSync(join(home.folder, 'env'), CANARIES.fromEnvironment)
  writeFileSync(
    home.config,
    `logging: {level: debug}
limits: {flood_protection: false}
accounts: {password_cost: 4, failures_per_minute: 1000, failures_per_hour: 10000}
server:
  password_hash: "${await hash('server')}"
  webirc: [{hosts: [127.0.0.1], password_hash: "${await hash('gateway')}"}]
opers: [{name: root, password_hash: "${await hash('oper')}"}]
`,
  )
  const file = (name: string, auth: string) =>
    `bot: {name: ${name}, owner: spark-ori}\ntrigger: {auth: ${auth}}\noutput: {channels: ['#tea']}\n`
  const secrets = {
    github: CANARIES.github,
    token: CANARIES.bearer,
    url: CANARIES.url,
    basic: `ori:${CANARIES.basic}`,
  }
  for (const [type, secret] of Object.entries(secrets))
    writeBots(home, {
      [`spark-ori-${type}`]: file(`spark-ori-${type}`, `{type: ${type}, secrets: ["${secret}"]}`),
    })
  mkdirSync(join(home.bots, 'spark-ori-file'))
  writeFileSync(join(home.bots, 'spark-ori-file', 'secret'), CANARIES.fromFile)
  writeBots(home, {
    'spark-ori-file': file('spark-ori-file', '{type: token, secrets: ["file:secret"]}'),
    'spark-ori-env': file('spark-ori-env', '{type: token, secrets: ["env:CANARY"]}'),
    // What a handler prints of its own bot's secrets, and raises.
    'spark-ori-github/handler.py': `def handle(payload, bot):\n    print("${CANARIES.github}")\n    raise ValueError("${CANARIES.github}")\n`,
  })
}

/** Right ones, wrong ones, and in the wrong place. */
async function inTheChat(port: number): Promise<string[]> {
  const told: string[] = []
  const { account, registered, changed, oper, server, gateway } = CANARIES
  {
    using web = await Person.connect(port)
    web.type(`WEBIRC ${gateway} web host 192.0.2.7`, `PASS ${server}`, 'NICK web', 'USER web 0 * web')
    told.push(await web.until(/ 001 /))
    using wrong = await Person.connect(port)
    wrong.type(`WEBIRC ${gateway}x web host 192.0.2.7`)
    told.push(...(await wrong.gone()))
  }
  using ann = await Person.connect(port)
  ann.type(`PASS ${server}x`, `PASS ${server}`, 'NICK ann', 'USER ann 0 * ann')
  await ann.until(/ 001 /)
  ann.type(
    `REGISTER * * ${registered}`,
    'NS LOGOUT',
    `NS IDENTIFY ${registered}x`,
    `NS IDENTIFY ${registered} ann`,
  )
  ann.type(`NS IDENTIFY ann ${registered}`, `NS SET PASSWORD ${changed}`, `NS REGISTER ${changed}`, 'NS INFO')
  ann.type(`OPER ${oper} root`, `OPER root ${oper}x`, `OPER root ${oper}`, `NS SAREGISTER kim ${account}`)
  ann.type(
    `NS SAPASSWD kim ${account}`,
    `NS SAPASSWD nobody ${account}`,
    'REHASH',
    'STATS o',
    'TRACE',
    'KILL',
  )
  told.push(...(await ann.settle()))
  for (const [name, password] of [
    ['kim', account],
    ['kim', `${account}x`],
    [account, 'kim'],
  ]) {
    ann.type('NS LOGOUT', 'AUTHENTICATE PLAIN')
    await ann.until(/AUTHENTICATE \+$/)
    ann.type(`AUTHENTICATE ${Buffer.from(`\0${name}\0${password}`).toString('base64')}`)
    told.push(await ann.until(/ 90[34] /))
  }
  return [...told, ...(await ann.settle())]
}

async function webhooks(url: string): Promise<string[]> {
  const body = JSON.stringify({ text: 'hello' })
  const { github, bearer, basic, url: inUrl, fromFile, fromEnvironment } = CANARIES
  const signed = senders.github({ secret: github, body: Buffer.from(body), id: 'one' } as never) as object
  const authorization = (value: string) => ({ Authorization: value })
  const pair = (secret: string) => `Basic ${Buffer.from(`ori:${secret}`).toString('base64')}`
  const asked = [
    post(`${url}/spark-ori-github`, body, { ...signed }),
    post(`${url}/spark-ori-github`, body, { 'X-Hub-Signature-256': github }),
    ...['', 'x'].flatMap((wrong) => [
      post(`${url}/spark-ori-token`, body, authorization(`Bearer ${bearer}${wrong}`)),
      post(`${url}/spark-ori-file`, body, authorization(`Bearer ${fromFile}${wrong}`)),
      post(`${url}/spark-ori-env`, body, { 'X-Hookline-Token': fromEnvironment + wrong }),
      post(`${url}/spark-ori-basic`, body, authorization(pair(basic + wrong))),
      post(`${url}/spark-ori-url/${inUrl}${wrong}`, body),
      post(`${url}/spark-ori-url/${inUrl}${wrong}`, '{'),
      post(`${url}/spark-ori-url%2F${inUrl}`, body),
      post(`${url}/spark-ori-nobody/${inUrl}`, body),
    ]),
    ask(`${url}/spark-ori-url/${inUrl}`),
    ask(`${url}/metrics`),
  ]
  const answers = await Promise.all(asked)
  const taken = answers.filter(({ status }) => status === 200 || status === 422 || status === 502).length
  // Else the right ones were never seen.
  if (taken < 6) throw new Error(`of the right secrets only ${taken} were accepted`)
  return answers.map(({ status, headers, text }) => `${status} ${JSON.stringify(headers)} ${text}`)
}

/** As they are typed, each in a process of its own. */
async function commands(home: Home): Promise<string[]> {
  const typed: readonly (readonly string[])[] = [
    ['server', 'status', '--json'],
    ['server', 'check', '--json'],
    ['server', 'reload'],
    ['bot', 'list', '--json'],
    ['bot', 'deliveries', '--json'],
    ['bot', 'validate', '--json'],
    ['account', 'list', '--json'],
    ['account', 'show', 'ann', '--json'],
    ...['github', 'token', 'url', 'basic', 'file', 'env'].flatMap((name) => [
      ['bot', 'inspect', `spark-ori-${name}`, '--json'],
      ['bot', 'logs', `spark-ori-${name}`],
    ]),
  ]
  const answers: string[] = []
  for (const words of typed) {
    const { stdout, stderr } = await hooklineBy([], home, ...words)
    answers.push(stdout + stderr)
  }
  const listed = await call(home, 'bot deliveries', {})
  const ids = listed.ok ? (listed.output as { id: string }[]).map(({ id }) => id) : []
  for (const id of ids) answers.push(JSON.stringify(await call(home, 'bot deliveries show', { id })))
  answers.push(await piped(home, CANARIES.changed, 'account', 'passwd', 'ann', '--password', '-'))
  answers.push(await piped(home, CANARIES.account, 'account', 'create', 'lee', '--password', '-'))
  answers.push(await piped(home, CANARIES.oper, 'server', 'hash-password', '--password', '-'))
  return answers
}

async function piped(home: Home, input: string, ...words: readonly string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [bin, ...words], { env: environment(home) })
  run.child.stdin?.end(input)
  const { stdout, stderr } = await run
  return stdout + stderr
}

/** What others on this machine see of every process, again and again. */
function watchCommandLines() {
  const seen = new Set<string>()
  const look = (): void => {
    for (const file of globSync('/proc/[0-9]*/cmdline')) {
      try {
        seen.add(readFileSync(file, 'latin1'))
      } catch {
        // It has ended.
      }
    }
  }
  const timer = setInterval(look, 20)
  return {
    end(): readonly string[] {
      clearInterval(timer)
      look()
      return [...seen]
    },
  }
}
