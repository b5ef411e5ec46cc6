// B11: names that are paths. Under strace, which files the server opens for them.
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Chance } from '../test/fuzz/chance.ts'
import { hookline } from '../test/command.ts'
import { outputOf } from '../test/control.ts'
import { Person } from '../test/person.ts'
import { temporaryHome, UNLIMITED, writeBots } from '../test/rig.ts'
import { cannotTrace, startTraced } from '../test/strace.ts'
import { figure } from './figure.ts'

const UPS = [
  '..',
  '%2e%2e',
  '.%2e',
  '%252e%252e',
  '..%00',
  '..;',
  '...',
  '．．',
  '%c0%ae%c0%ae',
  '..\\',
  '%5c..',
  '~',
  '~root',
  '',
]
const JOINS = ['/', '%2f', '\\', '%5c', '//', '/./', '%252f', '∕']
const ENDS = [
  'etc/passwd',
  'server.yaml',
  'data/hookline.db',
  'bots/spark-ori-ci/bot.yaml',
  'control.sock',
  'SPARK-ORI-CI',
  'proc/self/environ',
]
/** What the process opens of the system by itself, whoever asks for what. */
const USUAL =
  /^\/(?:proc|sys|dev|usr|lib\w*|etc\/(?:ssl|localtime|ld\.so\.cache|resolv\.conf|hosts|nsswitch\.conf))\b|\/node_modules\/\.cache\/hookline\//

export default figure({
  id: 'B11',
  promise: 'No name in a request, a line or a command makes the server open a file outside its home',
  goal: '2,000 names, 0 files',
  small: { names: 200 },
  whole: { names: 2_000 },
  async measure({ names }, { seed }) {
    if (cannotTrace) return { figure: `not shown: ${cannotTrace}`, isMet: true }
    const chance = new Chance(seed)
    const home = temporaryHome()
    writeBots(home, { 'spark-ori-ci': 'bot: {name: spark-ori-ci, owner: spark-ori}\n' })
    writeFileSync(home.config, UNLIMITED)
    const trace = join(home.folder, 'trace')
    const server = await startTraced(home, trace, '-e', 'trace=open,openat,openat2,stat,unlink,rename,mkdir')
    const port = Number(new URL(server.url).port)
    // A call is answered once the server has loaded all commands.
    await outputOf(home, 'server status', {})
    const from = readFileSync(trace, 'utf8').length
    using ann = await Person.join(server.ircPort, 'ann')
    for (let n = 0; n < names; n++) {
      const path = Array.from(
        { length: 1 + chance.below(8) },
        () => chance.pick(UPS) + chance.pick(JOINS),
      ).join('')
      const name = path + chance.pick(ENDS)
      await answered(
        port,
        `POST /${name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
      )
      ann.type(`JOIN #${name}`, `NICK ${name}`, `METADATA * SET avatar :${name}`, `WHOWAS ${name}`)
      await ann.settle()
      if (n % 50 === 0) await hookline(home, 'bot', 'inspect', name)
    }
    await server.stop()
    const opened = [
      ...readFileSync(trace, 'utf8')
        .slice(from)
        .matchAll(/(?:AT_FDCWD, |\()"([^"]*)"/g),
    ].map(([, file = '']) => file)
    const outside = opened.filter(
      (file) => !file.startsWith(`${home.folder}/`) && file !== home.folder && !USUAL.test(file),
    )
    return {
      figure: `${names} names, ${outside.length} files outside${outside.length > 0 ? `: ${outside[0]}` : ''}`,
      isMet: outside.length === 0,
    }
  },
})

function answered(port: number, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('data', () => {})
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.write(bytes)
  })
}
