// H2: what strangers write into the log. A line that they could begin would be one that an operator believes.
import { writeFileSync } from 'node:fs'
import { startCommand } from '../test/command.ts'
import { call } from '../test/control.ts'
import { KETTLE } from '../test/operator.ts'
import { Person } from '../test/person.ts'
import { ask, post } from '../test/post.ts'
import { temporaryHome, writeBots } from '../test/rig.ts'
import { figure } from './figure.ts'

const bot = 'spark-ori-ci'
const closed = 'spark-ori-closed'
const CONFIG = `logging: {level: debug}
limits: {flood_protection: false}
accounts: {password_cost: 4}
opers: [{name: root, password_hash: "${KETTLE}"}]
`

export default figure({
  id: 'H2',
  promise:
    'Whatever strangers put into names and bodies, each event stays one line of JSON in the log, and no attempt at a password or command is left out',
  goal: '0 broken lines, 0 control characters, one line for each OPER, failed login and command',
  small: { count: 100 },
  whole: { count: 1_000 },
  async measure({ count }) {
    const home = temporaryHome()
    writeFileSync(home.config, CONFIG)
    writeBots(home, {
      [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ['#tea'], template: '{body.a}'}\n`,
      [closed]: `bot: {name: ${closed}, owner: spark-ori}\ntrigger: {auth: {type: token, secrets: [a-secret-of-ours]}}\noutput: {channels: ['#tea']}\n`,
    })
    await using server = await startCommand(home)
    const expected = { opers: 0, logins: 0, commands: 0 }
    for (let n = 0; n < count; n++) {
      const evil = HOSTILE[n % HOSTILE.length] ?? ''
      const inLine = evil.replaceAll(/[\r\n\0]/g, '\u001B').replaceAll(' ', '_')
      using person = await Person.connect(server.ircPort)
      person.type(`NICK n${n}`, `USER u${inLine} 0 * :${inLine}`)
      const welcome = await person.until(/ (422|376) |^ERROR|^:\S+ 4\d\d /)
      if (!/ (422|376) /.test(welcome)) throw new Error(`${JSON.stringify(inLine)}: ${welcome}`)
      person.type(
        `OPER ${inLine}x kettle`,
        'OPER root no',
        `NS IDENTIFY ${inLine}${n} no`,
        `PRIVMSG #tea :${inLine}`,
      )
      person.type(`QUIT :${inLine}`)
      await person.gone()
      expected.opers += 2
      expected.logins++
      await post(`${server.url}/${bot}`, { a: evil, [evil]: evil }, { 'X-GitHub-Event': inHeader(evil) })
      await post(`${server.url}/${bot}`, `${evil}{"a":`)
      await post(`${server.url}/${closed}`, { a: evil }, { Authorization: `Bearer ${inHeader(evil)}` })
      await ask(`${server.url}/${encodeURIComponent(evil)}`, { method: 'POST', body: evil })
      const answer = await call(home, 'send', { target: '#tea', text: `a${evil}`, as: 'kim' })
      if (answer.ok) expected.commands++
      await call(home, 'account drop', { name: evil })
    }
    const lines = (await server.stop()).split('\n').filter((line) => line !== '')
    return judge(lines, expected)
  },
})

function judge(lines: readonly string[], expected: { opers: number; logins: number; commands: number }) {
  const read = lines.map(parse)
  const broken = read.filter((each) => each === undefined).length
  // oxlint-disable-next-line no-control-regex
  const raw = lines.filter((line) => /[\u0000-\u001F\u007F]/.test(line)).length
  const count = (test: (message: string) => boolean): number =>
    read.filter((each) => test(each?.msg ?? '')).length
  const opers = count((msg) => msg.includes('OPER'))
  const logins = count((msg) => msg === 'a login failed')
  const commands = count((msg) => msg === 'a command from this machine')
  return {
    figure: `${lines.length} lines, ${broken} broken, ${raw} with control characters; ${opers} of ${expected.opers} OPER, ${logins} of ${expected.logins} failed logins, ${commands} of ${expected.commands} commands`,
    isMet:
      broken + raw === 0 &&
      opers === expected.opers &&
      logins === expected.logins &&
      commands === expected.commands &&
      commands > 0,
  }
}

interface Line {
  readonly level: number
  readonly time: string
  readonly msg: string
}

function parse(line: string): Line | undefined {
  try {
    const { level, time, msg } = JSON.parse(line) as Partial<Line>
    return level === undefined || time === undefined || msg === undefined ? undefined : { level, time, msg }
  } catch {
    return undefined
  }
}

function inHeader(text: string): string {
  return text.replaceAll(/[^\t\u0020-\u007E\u0080-\u00FF]/g, '?').trim()
}

const FORGED = '{"level":30,"time":"2026-01-01T00:00:00.000Z","msg":"a server operator","nick":"root"}'
const HOSTILE = [
  `\n${FORGED}`,
  `\r\n${FORGED}\r\n`,
  '\u001B[2J\u001B[H',
  '\u001B]0;owned\u0007',
  `"}\n${FORGED}`,
  '\\u000a\\n',
  'a\u0000b\u007F',
  '\u009B31m',
  '\u2028\u2029\u0085',
  '\u202Egnp.exe',
  '%0a%1b[31m',
]
