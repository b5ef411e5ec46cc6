// What an isolated handler sees: its folder, its interpreter, and what bot.yaml adds.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { suite, test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import { error, rig, said } from '../../test/rigs/handler.ts'
import { findNamespace } from './namespace.ts'
import type { Isolation } from './openfiles.ts'

const namespace = await findNamespace()
const skip = !namespace.ok || namespace.bare ? 'nothing can be mounted for a handler here' : false

const ALONE: Isolation = { files: [], network: false }
const showing = (path: string, write = false): Isolation => ({ files: [{ path, write }], network: false })

function isolated(name: string, code: string, isolation = ALONE) {
  return rig(name, code, {}, undefined, isolation)
}

suite('an isolated handler', { skip }, () => {
  test('sees its own folder, read-only, and imports from it', async () => {
    const code = `import helper, os
def handle(p, b):
    try: open("new", "w")
    except OSError as error: return f"{helper.word} {os.getcwd()} {error.strerror}"
`
    await using bot = isolated('handler.py', code)
    writeFileSync(join(bot.folder, 'helper.py'), 'word = "helped"\n')
    assert.equal(said(await bot.call()), `helped ${bot.folder} Read-only file system`)
  })

  test('imports from its folder in Node too, and starts programs', async () => {
    const code = `import { execFileSync } from 'node:child_process'
import { word } from './helper.mjs'
export const handle = () => word + execFileSync('/bin/sh', ['-c', 'echo " $HOME"; cat </dev/null; ls /dev/fd/0 >/dev/null']).toString().trimEnd()
`
    await using bot = isolated('handler.mjs', code)
    writeFileSync(join(bot.folder, 'helper.mjs'), 'export const word = "helped"\n')
    assert.equal(said(await bot.call()), 'helped /tmp')
  })

  test('has a /tmp of its own, of 64 MiB in all', async () => {
    // Where the checkout or the bot is in there, so is the way to it.
    const shown = relative('/tmp', import.meta.dirname).split('/')[0]
    const code = `import os
def handle(p, b):
    before = [name for name in os.listdir("/tmp") if not name.startswith("hookline-") and name != "${shown}"]
    try:
        for n in range(3):
            with open(f"/tmp/{n}", "wb") as file:
                for _ in range(40): file.write(bytes(1 << 20))
    except OSError as error:
        return f"{before} {error.strerror} {n}"
`
    await using bot = isolated('handler.py', code)
    assert.equal(said(await bot.call()), '[] No space left on device 1')
  })

  test('uses processes and queues of multiprocessing', async () => {
    const code = `import multiprocessing
def double(n): return 2 * n
def handle(p, b):
    with multiprocessing.get_context("fork").Pool(2) as pool: return str(pool.map(double, [1, 2]))
`
    await using bot = isolated('handler.py', code)
    assert.equal(said(await bot.call()), '[2, 4]')
  })

  test('sees what a link in its folder leads to, if handler.files names the link', async (t) => {
    const code = 'import os\ndef handle(p, b): return " ".join(os.listdir("link"))\n'
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'report'), '')
    await using bot = isolated('handler.py', code, showing('link'))
    symlinkSync(folder, join(bot.folder, 'link'))
    assert.equal(said(await bot.call()), 'report')
  })

  test('sees what handler.files names, and writes only where that says so', async (t) => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'list'), 'tea')
    const code = `def handle(p, b):
    with open(${JSON.stringify(join(folder, 'list'))}) as file: read = file.read()
    try:
        with open(${JSON.stringify(join(folder, 'more'))}, "w") as file: file.write("milk")
    except OSError as error: return f"{read}, {error.strerror}"
    return f"{read}, written"
`
    await using reads = isolated('handler.py', code, showing(folder))
    assert.equal(said(await reads.call()), 'tea, Read-only file system')
    await using writes = isolated('handler.py', code, showing(folder, true))
    assert.equal(said(await writes.call()), 'tea, written')
    assert.equal(readFileSync(join(folder, 'more'), 'utf8'), 'milk')
  })

  test('keeps files in a folder of its own, if that may be written to', async () => {
    const code =
      'def handle(p, b):\n    with open("kept/now", "a") as file: file.write("x")\n    return open("kept/now").read()\n'
    await using bot = isolated('handler.py', code, showing('kept', true))
    mkdirSync(join(bot.folder, 'kept'))
    assert.equal(said(await bot.call()), 'x')
    await bot.restart()
    assert.equal(said(await bot.call()), 'xx')
  })

  test('has spaces, quotes and backslashes in what it sees', async (t) => {
    const folder = join(temporaryFolder(t), `a b'c"d\\e#f\tg`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'x y'), 'odd')
    const code = `def handle(p, b): return open(${JSON.stringify(join(folder, 'x y'))}).read()\n`
    await using bot = isolated('handler.py', code, showing(folder))
    assert.equal(said(await bot.call()), 'odd')
  })

  test('reaches this machine over the network if bot.yaml says so, else nothing', async (t) => {
    const listener = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    t.after(() => listener.close())
    const { port } = listener.address() as { port: number }
    const code = `import socket
def handle(p, b):
    try: return socket.create_connection(("127.0.0.1", ${port}), 5).recv(9).decode()
    except OSError as error: return error.strerror
`
    await using out = isolated('handler.py', code, { files: [], network: true })
    assert.equal(said(await out.call()), 'hello')
    await using alone = isolated('handler.py', code)
    assert.equal(said(await alone.call()), 'Network is unreachable')
  })

  test('its next call is in a new process when bot.yaml says something else', async () => {
    const code = 'import os\ndef handle(p, b): return str(os.path.exists("/var"))\n'
    await using bot = isolated('handler.py', code)
    assert.equal(said(await bot.call()), 'False')
    assert.equal(said(await bot.callWith(showing('/var'))), 'True')
    assert.equal(said(await bot.call()), 'False')
  })

  test('what it cannot be shown fails its call, with the reason', async (t) => {
    const folder = temporaryFolder(t)
    symlinkSync(folder, join(folder, 'link'))
    await using bot = isolated('handler.py', 'def handle(p, b): return "here"\n')
    for (const [files, reason] of [
      [['/nothing/there'], /handler.files: \/nothing\/there does not exist/],
      [['/'], /handler.files: \/ holds the bot itself/],
      [['.'], /handler.files: \. holds the bot itself/],
      [['/proc'], /is the system's own/],
      [[{ path: 'handler.py', write: true }], /only folders in it may be written to/],
      [[{ path: folder, write: true }, join(folder, 'link')], /which it may write to: leave it out/],
    ] as const) {
      const open = files.map((each) => (typeof each === 'string' ? { path: each, write: false } : each))
      assert.match(error(await bot.callWith({ files: open, network: false })), reason)
    }
    assert.equal(said(await bot.call()), 'here')
  })
})

test('where isolation is required, one that is not isolated does not run', { skip }, async () => {
  const code = 'def handle(p, b): return "here"\n'
  await using bot = rig('handler.py', code, { isolation: 'required' })
  assert.match(error(await bot.call()), /not isolated.*required: add this line to bot.yaml: handler: \{\}/)
  assert.equal(said(await bot.callWith(ALONE)), 'here')
})

test(
  'one without isolation sees no control socket and no database, even those that are made later',
  { skip },
  async (t) => {
    const folder = temporaryFolder(t)
    const [socket, data] = ['control.sock', 'data'].map((name) => join(folder, name))
    assert.ok(socket && data)
    mkdirSync(data)
    writeFileSync(join(data, 'hookline.db'), '')
    writeFileSync(join(folder, 'server.yaml'), 'text')
    const code = `import os
def handle(p, b):
    os.chdir(${JSON.stringify(folder)})
    return f"{sorted(os.listdir())} {os.listdir('data') if os.path.isdir('data') else ''} {open('server.yaml').read()}"
`
    const home = { folder, socket, data, isListening: () => false }
    await using bot = rig('handler.py', code, {}, undefined, undefined, home)
    await bot.call()
    const listener = createServer().listen(socket)
    await once(listener, 'listening')
    t.after(() => listener.close())
    assert.equal(said(await bot.call()), "['server.yaml']  text")
  },
)
