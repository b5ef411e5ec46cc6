// L13: whoever can use the control socket can do everything. Only the server's own user can, and nobody can wear it out.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hookline, startCommand } from '../test/command.ts'
import { outputOf } from '../test/control.ts'
import { AS_NOBODY } from '../test/nobody.ts'
import { temporaryHome } from '../test/rig.ts'
import { figure } from './figure.ts'

const LINE_MIB = 10

export default figure({
  id: 'L13',
  promise: 'The control socket is for its own user, survives what lies in its place, and cannot be worn out',
  goal: 'modes 0600 and 0700, another user refused, no file lost, 10 MiB in a line and 1,000 clients survived',
  small: { clients: 1_000 },
  whole: { clients: 1_000 },
  async measure({ clients }) {
    const home = temporaryHome()
    const wrong: string[] = []
    const expect = (isSo: boolean, what: string): void => void (isSo || wrong.push(what))
    try {
      // A link in its place: what it leads to stays.
      const victim = join(home.folder, 'victim')
      writeFileSync(victim, 'precious')
      symlinkSync(victim, home.socket)
      {
        await using server = await startCommand(home)
        expect(readFileSync(victim, 'utf8') === 'precious', 'what a link led to was lost')
        expect(lstatSync(home.socket).isSocket(), 'a link stayed in its place')
        server.child.kill('SIGKILL')
        await server.exit
      }

      // The socket of a dead server; then one of somebody else.
      await using server = await startCommand(home)
      const modes = [home.socket, home.folder].map((path) => (statSync(path).mode & 0o777).toString(8))
      expect(modes.join() === '600,700', `modes ${modes.join()}`)
      const other = await squatted()
      expect(other === undefined, other ?? '')

      const refused = process.getuid?.() === 0 ? refusedToOthers(home.socket, home.folder) : undefined
      expect(refused !== false, 'another user got in')

      const before = residentMib(server.child.pid)
      const answer = await afterLine(home.socket, LINE_MIB << 20)
      expect(answer.includes('more than'), `a line of ${LINE_MIB} MiB: ${answer}`)
      const grown = residentMib(server.child.pid) - before
      expect(grown < 64, `${LINE_MIB} MiB in a line cost ${grown} MiB`)

      const { served, busy, cut } = await crowd(home.socket, clients)
      expect(
        served <= 16 && served + busy + cut === clients,
        `of ${clients} clients ${served} were served, ${busy} told busy, ${cut} cut off`,
      )
      const began = performance.now()
      await outputOf(home, 'server status', {})
      const backMs = performance.now() - began
      expect(backMs < 1_000, `afterwards an answer took ${backMs} ms`)
      await server.stop()

      const whose = refused === undefined ? 'another user not tried (not root)' : 'another user refused'
      const told = `modes ${modes.join(' ')}, ${whose}, ${grown} MiB for ${LINE_MIB}, of ${clients} clients ${served} served, ${busy} told busy, ${cut} cut off, then ${Math.round(backMs)} ms`
      return { figure: [told, ...wrong].join('; '), isMet: wrong.length === 0 }
    } finally {
      rmSync(home.folder, { recursive: true, force: true })
    }
  },
})

/** Undefined if a server leaves alone what listens in the place of its socket. */
async function squatted(): Promise<string | undefined> {
  const home = temporaryHome()
  const squatter = createServer((socket) => void socket.end('{"hello":1}\n')).listen(home.socket)
  await once(squatter, 'listening')
  try {
    const { code } = await hookline(home, 'server', 'start', '--name', 'spark')
    const { ino } = lstatSync(home.socket)
    if (code === 0) return 'a server started beside another that listens there'
    return ino === 0 ? 'the socket of another is gone' : undefined
  } finally {
    squatter.close()
    rmSync(home.folder, { recursive: true, force: true })
  }
}

/** By the modes of the folder, and of the socket alone. */
function refusedToOthers(socket: string, folder: string): boolean {
  if ((statSync(tmpdir()).mode & 0o001) === 0) chmodSync(tmpdir(), 0o711)
  const code = 'import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])'
  const [command, ...as] = AS_NOBODY
  const gotIn = (): boolean => {
    const { status, stderr } = spawnSync(command, [...as, '/usr/bin/python3', '-c', code, socket], {
      encoding: 'utf8',
    })
    if (status !== 0 && !stderr.includes('PermissionError')) throw new Error(stderr)
    return status === 0
  }
  const byFolder = gotIn()
  chmodSync(folder, 0o711)
  const bySocket = gotIn()
  chmodSync(folder, 0o700)
  return !byFolder && !bySocket
}

/** What a client is told after so many bytes without an end of line. */
async function afterLine(path: string, bytes: number): Promise<string> {
  const socket = connect(path)
  // Cut off while it still writes.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.write(Buffer.alloc(bytes, 'x'))
  await closed
  return text
}

/** All at once, each with one call. */
async function crowd(path: string, count: number): Promise<Record<'served' | 'busy' | 'cut', number>> {
  const sockets: Socket[] = []
  const answers = Array.from({ length: count }, async () => {
    const socket = connect(path)
    sockets.push(socket)
    const first = Promise.withResolvers<string>()
    socket.on('data', (chunk) => first.resolve(String(chunk)))
    socket.on('error', () => {})
    socket.on('close', () => first.resolve(''))
    socket.write('{"id":1,"operation":"server status"}\n')
    return await first.promise
  })
  const told = await Promise.all(answers)
  for (const socket of sockets) socket.destroy()
  const countOf = (isSuch: (text: string) => boolean) => told.filter(isSuch).length
  return {
    served: countOf((text) => text.includes('"pid"')),
    busy: countOf((text) => text.includes('"busy"')),
    cut: countOf((text) => text === ''),
  }
}

function residentMib(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024)
}
