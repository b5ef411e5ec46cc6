import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { untilNone } from '../../../test/processes.ts'
import { checkHandlers } from './check.ts'
import { findHandler } from './find.ts'
import type { HandlerFile } from './find.ts'
import { Handler } from './handler.ts'
import type { HandlerAnswer } from './handler.ts'
import { HANDLER_LIMITS } from './limits.ts'
import type { HandlerLimits } from './limits.ts'
import { findNamespace } from './namespace.ts'
import { reasonIn } from './reason.ts'
import { Starts } from './starts.ts'
import { Warm } from './warm.ts'

const about = {
  name: 'spark-ori-ci',
  nick: 'spark-ori-ci',
  owner: 'spark-ori',
  description: 'CI',
  created: null,
  channels: ['#builds'],
  mention: null,
  dm_owner: true,
  template: null,
  fallback: 'json',
  delivery_id: 'd1',
}

const starts = new Starts()
const plenty = new Warm(HANDLER_LIMITS.maxWarm)

/** A bot's folder with one handler, and a Handler that runs it. Disposed with its worker. */
function rig(name: string, code: string, limits: Partial<HandlerLimits> = {}, warm = plenty) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-handler-'))
  const log: string[] = []
  const printed = Promise.withResolvers<void>()
  const state = { kept: undefined as string | undefined, loads: 0, saves: 0, refuses: false }
  const options = {
    bot: about.name,
    folder,
    limits: { ...HANDLER_LIMITS, ...limits },
    log: {
      info: (data: object) => {
        log.push('line' in data ? String(data.line) : '')
        printed.resolve()
      },
      warn: (_: object, text: string) => void log.push(text),
    },
    starts,
    warm,
    state: {
      load: async () => {
        state.loads++
        return state.kept
      },
      save: async (json: string) => {
        if (state.refuses) throw new Error('disk full')
        state.kept = json
        state.saves++
      },
    },
  }
  writeFileSync(join(folder, name), code)
  let handler = new Handler(options)
  return {
    folder,
    log,
    printed: printed.promise,
    state,
    write: (text: string) => writeFileSync(join(folder, name), text),
    call: (payload = '{}', more: object = {}): Promise<HandlerAnswer> =>
      handler.call({ file: fileIn(folder), payload, about: { ...about, ...more } }),
    restart: async () => {
      await handler.close()
      handler = new Handler(options)
    },
    close: () => handler.close(),
    async [Symbol.asyncDispose]() {
      await handler.close()
      rmSync(folder, { recursive: true })
    },
  }
}

function fileIn(folder: string): HandlerFile {
  const { handler } = findHandler(folder)
  assert.ok(handler)
  return handler
}

function said(answer: HandlerAnswer): string | null {
  if (!answer.ok) assert.fail(answer.error)
  return answer.text
}

function error(answer: HandlerAnswer): string {
  return answer.ok ? `no error, but ${answer.text}` : answer.error
}

test('a Python handler gets exact numbers and every attribute', async () => {
  await using bot = rig(
    'handler.py',
    `async def handle(payload, bot):
    names = ['name', 'nick', 'owner', 'description', 'created', 'channels', 'mention', 'dm_owner', 'template', 'fallback', 'delivery_id', 'state']
    return f"{payload['n'] + 1} {[getattr(bot, name) for name in names]}"
`,
  )
  const expected =
    "9007199254740994 ['spark-ori-ci', 'spark-ori-ci', 'spark-ori', 'CI', None, ['#builds'], None, True, None, 'json', 'd1', {}]"
  assert.equal(said(await bot.call('{"n":9007199254740993}')), expected)
  assert.match(said(await bot.call(`{"n":1,"big":${'9'.repeat(5000)}}`)) ?? '', /^2 /)
})

test('a plain def works, None posts nothing, and what it prints goes to the log', async () => {
  await using bot = rig(
    'handler.py',
    'import os\ndef handle(payload, bot):\n    print("hello")\n    os.system("echo child")\n    return payload.get("say")\n',
  )
  assert.equal(said(await bot.call('{"say":"é😀\\n2"}')), 'é😀\n2')
  assert.equal(said(await bot.call()), null)
  await bot.close()
  assert.deepEqual(bot.log.toSorted(), ['child', 'child', 'hello', 'hello'])
})

test('prints without end are cut and counted', async () => {
  await using bot = rig(
    'handler.py',
    'def handle(p, b):\n    print("x" * 5000)\n    for n in range(5000): print(n)\n    return "ok"\n',
  )
  assert.equal(said(await bot.call()), 'ok')
  await bot.close()
  assert.equal(bot.log[0], 'x'.repeat(1000))
  assert.equal(bot.log.length, 101)
  assert.match(bot.log[100] ?? '', /prints too much/)
})

test('anything but text or None fails and says so', async () => {
  await using bot = rig('handler.py', 'def handle(p, b):\n    return p["v"]\n')
  assert.match(error(await bot.call('{"v":5}')), /^handle returned int: return a str/)
  assert.match(
    error(await bot.call(`{"v":"${'é'.repeat(32769)}"}`)),
    /^handle returned 65538 bytes: 65536 are allowed/,
  )
  assert.equal(said(await bot.call(`{"v":"${'é'.repeat(32768)}"}`)), 'é'.repeat(32768))
  assert.equal(said(await bot.call('{"v":"\\ud800"}')), '\ud800')
})

test('an exception is its traceback, from the handler on', async () => {
  await using bot = rig(
    'handler.py',
    'import sys\ndef handle(p, b):\n    if "exit" in p: sys.exit(3)\n    return p["missing"]\n',
  )
  const text = error(await bot.call())
  assert.match(text, /^Traceback[^]*handler\.py", line 4, in handle\n[^]*KeyError: 'missing'\n$/)
  assert.ok(!text.includes('worker.py'))
  assert.match(error(await bot.call('{"exit":1}')), /SystemExit: 3/)
})

test('of an exception with a cause, of several in one, and of one at import the reason says what went wrong', async () => {
  const group = `import asyncio
async def boom():
    raise ValueError("in a task")
async def handle(p, b):
    if "cancel" in p:
        task = asyncio.create_task(asyncio.sleep(60))
        task.cancel()
        await task
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(boom())
`
  await using python = rig('handler.py', group)
  assert.equal(reasonIn(error(await python.call())), 'ValueError: in a task')
  const cancelled = error(await python.call('{"cancel":1}'))
  assert.match(cancelled, /^Traceback[^]*line 8, in handle\n[^]*CancelledError\n$/)

  const code = `export async function handle(payload) {
  if (payload.any) return Promise.any([1, 2].map(async (n) => { throw new Error('no ' + n) }))
  const loop = new Error('again')
  loop.cause = loop
  throw payload.loop ? loop : new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
}
`
  await using node = rig('handler.mjs', code)
  const failed = error(await node.call())
  assert.match(
    failed,
    /^TypeError: fetch failed\n    at handle [^]*\ncaused by: Error: connect ECONNREFUSED\n    at handle/,
  )
  assert.equal(reasonIn(failed), 'TypeError: fetch failed, caused by: Error: connect ECONNREFUSED')
  assert.match(
    error(await node.call('{"any":1}')),
    /^AggregateError: [^]*\ncaused by: Error: no 1\n[^]*\ncaused by: Error: no 2/,
  )
  assert.match(error(await node.call('{"loop":1}')), /^Error: again\n/)
  node.write('import { nothing } from "node:fs"\n')
  const missing = error(await node.call())
  assert.match(
    reasonIn(missing),
    /^SyntaxError: The requested module 'node:fs' does not provide an export named 'nothing'$/,
  )
  assert.doesNotMatch(missing, / at .*node:internal/)
})

test('an exception that fails when it is looked at is told at once', async () => {
  const code = `class Odd(Exception):
    def __str__(self):
        raise ValueError("no words")

class Numbered(Exception):
    @property
    def errno(self):
        raise ValueError("no number")

def handle(p, b):
    raise Odd() if "odd" in p else Numbered("hot")
`
  await using bot = rig('handler.py', code)
  assert.match(error(await bot.call('{"odd":1}')), /^Traceback[^]*in handle\n[^]*Odd: /)
  assert.match(error(await bot.call()), /^Traceback[^]*in handle\n[^]*Numbered: hot\n$/)
})

test('bot.state is kept between calls and restarts, and a failed call leaves it as it was', async () => {
  await using bot = rig(
    'handler.py',
    `async def handle(payload, bot):
    bot.state["n"] = bot.state.get("n", 0) + payload.get("add", 0)
    if payload.get("set") == "bad": bot.state["n"] = {1, 2}
    if payload.get("set") == "big": bot.state["big"] = "x" * 300000
    if payload.get("fail"): raise ValueError("no")
    total = str(bot.state["n"])
    if payload.get("set") == "list": bot.state = []
    return total
`,
  )
  assert.equal(said(await bot.call('{"add":2}')), '2')
  assert.equal(said(await bot.call('{"add":3}')), '5')
  await bot.restart()
  assert.equal(said(await bot.call()), '5')
  assert.equal(bot.state.saves, 2)
  assert.match(error(await bot.call('{"add":1,"fail":1}')), /ValueError: no/)
  assert.match(error(await bot.call('{"set":"bad"}')), /^bot\.state is not JSON: .*set/)
  assert.match(error(await bot.call('{"set":"list"}')), /^bot\.state is list: it must stay a dict/)
  assert.match(error(await bot.call('{"set":"big"}')), /^bot\.state has \d+ bytes: 262144 are allowed/)
  bot.state.refuses = true
  assert.match(error(await bot.call('{"add":1}')), /could not be saved/)
  bot.state.refuses = false
  assert.equal(said(await bot.call()), '5')
  assert.equal(bot.state.kept, '{"n":5}')
})

test('a slow call is cancelled and the worker lives on', async () => {
  const code =
    'import asyncio, uuid\nme = str(uuid.uuid4())\nasync def handle(p, b):\n    if p: await asyncio.sleep(60)\n    return me\n'
  await using bot = rig('handler.py', code, { callMs: 300, graceMs: 5000 })
  const who = said(await bot.call())
  const slow = error(await bot.call('{"slow":1}'))
  assert.match(
    slow,
    /^handler took longer than 0.3 s and was cancelled: do less.*\nTraceback[^]*line 4, in handle\n.*asyncio\.sleep/,
  )
  assert.match(reasonIn(slow), /^handler took longer than 0.3 s and was cancelled: do less/)
  assert.equal(said(await bot.call()), who)
})

for (const [name, code] of [
  [
    'handler.py',
    `import asyncio
async def handle(payload, bot):
    bot.state["n"] = bot.state.get("n", 0) + 1
    try:
        if payload: await asyncio.sleep(60)
    except asyncio.CancelledError:
        pass
    return str(bot.state["n"])
`,
  ],
  [
    'handler.mjs',
    `export async function handle(payload, bot) {
  bot.state.n = (bot.state.n ?? 0) + 1
  if (payload.slow) await new Promise((resolve) => bot.signal.addEventListener('abort', resolve))
  return String(bot.state.n)
}
`,
  ],
] as const) {
  test(`a cancelled call of ${name} that answers all the same leaves bot.state as it was`, async () => {
    await using bot = rig(name, code, { callMs: 300, graceMs: 5000 })
    assert.equal(said(await bot.call()), '1')
    assert.match(error(await bot.call('{"slow":1}')), /and was cancelled: do less/)
    assert.equal(said(await bot.call()), '2')
    assert.equal(bot.state.kept, '{"n":2}')
  })
}

test('a call that hangs is killed with everything it started', async () => {
  const code = `import subprocess
def handle(p, b):
    if not p: return "fine"
    subprocess.Popen(["sleep", "60"])
    while True: pass
`
  await using bot = rig('handler.py', code, { callMs: 500, graceMs: 100 })
  assert.match(error(await bot.call('{"hang":1}')), /^handler took longer than 0.5 s and was killed: do less/)
  await untilNone(bot.folder)
  assert.equal(said(await bot.call()), 'fine')
})

test('memory has a limit, and running into it harms nobody', async () => {
  await using bot = rig(
    'handler.py',
    'def handle(p, b):\n    return str(len(bytearray(p["mib"] * 1024 * 1024)))\n',
  )
  assert.match(error(await bot.call('{"mib":600}')), /MemoryError/)
  assert.equal(said(await bot.call('{"mib":1}')), '1048576')
})

test('a crash fails its call with the exit and the last lines, and the next call waits longer each time', async () => {
  const code = `import os, sys
open("starts", "a").write("x")
def handle(p, b):
    if not p: return "fine"
    print("last words", file=sys.stderr)
    if "signal" in p: os.kill(os.getpid(), 11)
    os._exit(7)
`
  await using bot = rig('handler.py', code, { backOffMs: [300, 10_000] })
  assert.equal(
    error(await bot.call('{"a":1}')),
    'handler crashed (exit code 7):\nlast words\nA handler that cannot go on raises an exception; it does not end its process.',
  )
  assert.match(error(await bot.call('{"signal":1}')), /^handler crashed \(signal SIGSEGV\):\nlast words/)
  const started = performance.now()
  assert.match(error(await bot.call('{"a":1}')), /exit code 7/)
  assert.ok(performance.now() - started >= 595, 'the second wait is twice the first')
  assert.equal(said(await bot.call()), 'fine')
  assert.equal(readFileSync(join(bot.folder, 'starts'), 'utf8'), 'xxxx')
})

test('a handler that fails to import says why, and an edit is tried at once', async () => {
  await using bot = rig('handler.py', 'import nothing_of_that_name\n', { backOffMs: [600_000, 600_000] })
  assert.match(error(await bot.call()), /ModuleNotFoundError: No module named 'nothing_of_that_name'/)
  bot.write('x = 1\n')
  assert.match(error(await bot.call()), /handler\.py has no function handle/)
  bot.write('def handle(p, b):\n    return "mended"\n')
  assert.equal(said(await bot.call()), 'mended')
  bot.write('def handle(p, b):\n    return "edited"\n')
  assert.equal(said(await bot.call()), 'edited')
})

test('calls are answered one at a time and in order; the queue has a bound', async () => {
  const code =
    'import asyncio\nbusy = 0\nasync def handle(p, b):\n    global busy\n    busy += 1\n    await asyncio.sleep(0.01)\n    busy -= 1\n    return f"{p[\'n\']} {busy}"\n'
  await using bot = rig('handler.py', code, { queueCalls: 3 })
  const answers = await Promise.all([1, 2, 3, 4].map((n) => bot.call(`{"n":${n}}`)))
  assert.deepEqual(answers.slice(0, 3).map(said), ['1 0', '2 0', '3 0'])
  assert.match(error(answers[3] ?? assert.fail()), /^handler queue full/)
})

test('of many that are called at once a few start at a time, and who is stopped waits no longer', async () => {
  await using all = new AsyncDisposableStack()
  const code = 'def handle(p, b):\n    return "here"\n'
  const bots = Array.from({ length: 40 }, () => all.use(rig('handler.py', code)))
  const answers = bots.map((bot) => bot.call())
  await Promise.race(answers)
  const begun = bots.filter(({ state }) => state.loads > 0).length
  assert.ok(begun < 20, `${begun} of 40 had begun when the first was there`)

  await Promise.all(bots.slice(1).map((bot) => bot.close()))
  const [first, ...others] = await Promise.all(answers)
  assert.equal(first && said(first), 'here')
  assert.equal(error(others.at(-1) ?? assert.fail()), 'the bot was stopped')
})

test('an import that takes its time lets others start', async () => {
  const slow =
    'import os, time\nwhile not os.path.exists("go"): time.sleep(0.01)\ndef handle(p, b):\n    return "late"\n'
  await using all = new AsyncDisposableStack()
  const slowOnes = Array.from({ length: availableParallelism() }, () => all.use(rig('handler.py', slow)))
  await using last = rig('handler.py', 'def handle(p, b):\n    return "here"\n')
  const answers = slowOnes.map((bot) => bot.call())
  assert.equal(said(await last.call()), 'here')
  for (const { folder } of slowOnes) writeFileSync(join(folder, 'go'), '')
  assert.deepEqual(
    (await Promise.all(answers)).map(said),
    slowOnes.map(() => 'late'),
  )
})

test('the worker sees nothing of our environment but what it needs, in the bot’s folder', async () => {
  process.env['HOOKLINE_TEST_SECRET'] = 'hidden'
  await using bot = rig(
    'handler.py',
    'import os, resource\ndef handle(p, b):\n    return f"{sorted(os.environ)} {os.getcwd()} {resource.getrlimit(resource.RLIMIT_CORE)[0]}"\n',
  )
  const text = said(await bot.call()) ?? ''
  delete process.env['HOOKLINE_TEST_SECRET']
  assert.ok(
    !text.includes('SECRET') && text.includes('HOOKLINE_BOT') && text.endsWith(`${bot.folder} 0`),
    text,
  )
  assert.deepEqual(readdirSync(bot.folder), ['handler.py'])
})

test('an idle worker stops, and the next call starts one', async () => {
  const code = 'import uuid\nme = str(uuid.uuid4())\ndef handle(p, b):\n    return me\n'
  await using bot = rig('handler.py', code, { idleMs: 20 })
  const first = said(await bot.call())
  await untilNone(bot.folder)
  assert.notEqual(said(await bot.call()), first)
})

test('beyond the bound the worker that has rested longest stops, and its next call starts one with its state', async () => {
  const code = `import uuid
me = str(uuid.uuid4())
def handle(p, b):
    b.state["n"] = b.state.get("n", 0) + 1
    return f"{me} {b.state['n']}"
`
  await using all = new AsyncDisposableStack()
  const warm = new Warm(2)
  const [ann, bob, cid] = [0, 1, 2].map(() => all.use(rig('handler.py', code, {}, warm)))
  assert.ok(ann && bob && cid)
  const who = async (bot: typeof ann) => (said(await bot.call()) ?? '').split(' ')
  const [firstAnn] = await who(ann)
  const [firstBob] = await who(bob)
  assert.deepEqual(await who(ann), [firstAnn, '2'])

  const [firstCid] = await who(cid)
  await untilNone(bob.folder)
  assert.deepEqual(await who(cid), [firstCid, '2'])
  assert.deepEqual(await who(ann), [firstAnn, '3'], 'it was used after the one that stopped')
  const [secondBob, n] = await who(bob)
  assert.notEqual(secondBob, firstBob)
  assert.equal(n, '2')
  await untilNone(cid.folder)
})

test('a worker at work is not stopped for another, and calls that wait keep theirs', async () => {
  const code = `import os, time, uuid
me = str(uuid.uuid4())
def handle(p, b):
    if "until" in p: print("waits", flush=True)
    while "until" in p and not os.path.exists(p["until"]): time.sleep(0.01)
    return me
`
  await using all = new AsyncDisposableStack()
  const warm = new Warm(1)
  const [slow, quick] = [0, 1].map(() => all.use(rig('handler.py', code, {}, warm)))
  assert.ok(slow && quick)
  const answers = [slow.call('{"until":"go"}'), slow.call(), slow.call()]
  await slow.printed
  assert.notEqual(said(await quick.call()), null)
  await untilNone(quick.folder)
  writeFileSync(join(slow.folder, 'go'), '')
  const [first, ...others] = (await Promise.all(answers)).map(said)
  assert.deepEqual(others, [first, first])
  assert.equal(said(await slow.call()), first)
})

test('closing ends a busy worker and fails its call', async () => {
  await using bot = rig(
    'handler.py',
    'import os\ndef handle(p, b):\n    print(os.getpid(), flush=True)\n    while True: pass\n',
  )
  const answers = Promise.all([bot.call(), bot.call()])
  await bot.printed
  await bot.close()
  assert.deepEqual((await answers).map(error), ['the bot was stopped', 'the bot was stopped'])
  await untilNone(bot.folder)
})

for (const [name, hang] of [
  ['handler.py', 'import os\ndef handle(p, b):\n    print(os.getpid(), flush=True)\n    while True: pass\n'],
  [
    'handler.py',
    'import os, signal\ndef handle(p, b):\n    print("stopping", flush=True)\n    os.kill(os.getpid(), signal.SIGSTOP)\n',
  ],
  ['handler.mjs', 'export const handle = () => { process.stdout.write(`${process.pid}\\n`); for (;;) {} }\n'],
] as const) {
  test(`a ${hang.includes('SIGSTOP') ? 'stopped' : 'busy'} ${name} does not outlive a server that is killed`, async (t) => {
    if (hang.includes('SIGSTOP') && !(await findNamespace()).ok)
      return t.skip('only the end of a namespace ends a stopped process')
    await using bot = rig(name, hang)
    const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href)
    const server = `
      import { findHandler } from ${here('find.ts')}
      import { Handler } from ${here('handler.ts')}
      import { HANDLER_LIMITS as limits } from ${here('limits.ts')}
      import { Starts } from ${here('starts.ts')}
      import { Warm } from ${here('warm.ts')}
      const starts = new Starts()
      const warm = new Warm(limits.maxWarm)
      const folder = ${JSON.stringify(bot.folder)}
      const log = { info: ({ line }) => console.log(line), warn: console.error }
      const state = { load: async () => undefined, save: async () => {} }
      new Handler({ bot: 'x', folder, limits, log, starts, warm, state }).call({ file: findHandler(folder).handler, payload: '{}', about: {} })
    `
    const child = spawn(process.execPath, ['--input-type=module', '--eval', server], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await untilNone(bot.folder)
  })
}

const detaches = `import os
def handle(p, b):
    if not p: return "fine"
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: os.execv("/bin/sleep", ["sleep", "600"])
        os._exit(0)
    if "answer" in p: return "answered"
    while True: pass
`
for (const isolation of ['auto', 'none'] as const) {
  test(`isolation ${isolation}: what left the group and the session of its worker ends with it`, async () => {
    await using bot = rig('handler.py', detaches, { isolation, callMs: 500, graceMs: 50 })
    assert.match(error(await bot.call('{"hang":1}')), /took longer than 0.5 s and was killed/)
    await untilNone(bot.folder)
    assert.equal(said(await bot.call('{"answer":1}')), 'answered')
    await bot.close()
    await untilNone(bot.folder)
  })
}

test('what a handler forges on the pipe to the server is not believed', async () => {
  const code = `import json, os, time
def handle(p, b):
    if not p: return f"{b.state}"
    call = {"call": 1, "text": "forged", **p}
    os.write(3, (json.dumps(call) + "\\n").encode() * p.get("times", 1))
    time.sleep(60)
`
  await using bot = rig('handler.py', code, { backOffMs: [1, 1] })
  for (const state of ['not JSON', '[]', `{"a":"${'x'.repeat(300_000)}"}`]) {
    assert.match(error(await bot.call(JSON.stringify({ state }))), /^bot\.state came back broken/)
  }
  assert.equal(said(await bot.call('{"times":2}')), 'forged', 'the first of them is its answer')
  await untilNone(bot.folder)
  assert.equal(said(await bot.call()), '{}')
  assert.equal(bot.state.saves, 0)
})

test('in its namespace a worker sees itself and the shell that collects the dead, and nobody else', async (t) => {
  const namespace = await findNamespace()
  if (!namespace.ok) return t.skip(namespace.reason)
  const code = `import os
def handle(p, b):
    return " ".join(sorted((name for name in os.listdir("/proc") if name.isdigit()), key=int))
`
  await using bot = rig('handler.py', code)
  assert.equal(said(await bot.call()), '1 2', 'a shell that collects the dead, and the worker')
})

for (const name of ['handler.ts', 'handler.mjs', 'handler.js']) {
  test(`${name} works the same way`, async () => {
    const typed = name === 'handler.ts' ? ': Record<string, unknown>' : ''
    const code = `export async function handle(payload${typed}, bot${typed && ': any'}) {
  console.log('hello')
  bot.state.n = (bot.state.n ?? 0) + 1
  if (payload.bad) bot.state.self = bot.state
  if (payload.number) return 5
  if (payload.throw) throw new TypeError('no')
  if (payload.map) bot.state.seen = new Map([['a', 1]])
  if (payload.none) return
  return [bot.name, bot.dm_owner, bot.created, bot.delivery_id, bot.state.n].join(' ')
}
`
    await using bot = rig(name, code)
    assert.equal(said(await bot.call()), 'spark-ori-ci true  d1 1')
    assert.match(error(await bot.call('{"number":1}')), /^handle returned number: return a string/)
    assert.match(error(await bot.call('{"throw":1}')), /^TypeError: no\n    at handle .*handler\.\w+:6:28\)$/)
    assert.match(error(await bot.call('{"bad":1}')), /^bot\.state is not JSON/)
    assert.match(
      error(await bot.call('{"map":1}')),
      /^bot\.state is not JSON: a Map cannot be kept: use an object/,
    )
    assert.equal(said(await bot.call('{"none":1}')), null)
    await bot.restart()
    assert.equal(said(await bot.call()), 'spark-ori-ci true  d1 3')
    await bot.close()
    assert.deepEqual(
      bot.log,
      Array.from({ length: 7 }, () => 'hello'),
    )
  })
}

test('a Node handler that exits, hangs, fails to load or eats memory fails its call only', async () => {
  const code = `export async function handle(payload, bot) {
  if (payload.exit) process.exit(4)
  if (payload.late) setTimeout(() => { throw new Error('too late') }, 1), await new Promise(() => {})
  if (payload.wait) await new Promise((_, reject) => bot.signal.addEventListener('abort', () => reject(bot.signal.reason)))
  while (payload.hang) {}
  const kept = []
  while (payload.eat) kept.push(new Array(100_000).fill(kept.length))
  return 'fine'
}
`
  await using bot = rig('handler.mjs', code, { callMs: 1500, graceMs: 300, heapMiB: 32, backOffMs: [1, 1] })
  assert.equal(said(await bot.call()), 'fine')
  assert.match(error(await bot.call('{"exit":1}')), /^handler crashed \(exit code 4\)/)
  assert.match(error(await bot.call('{"late":1}')), /^handler crashed \(exit code 1\)[^]*too late/)
  assert.match(error(await bot.call('{"wait":1}')), /and was cancelled: do less/)
  assert.match(error(await bot.call('{"hang":1}')), /and was killed: do less/)
  assert.match(error(await bot.call('{"eat":1}')), /^handler crashed \(signal SIGABRT\)[^]*heap/)
  assert.equal(said(await bot.call()), 'fine')
  bot.write('export const other = 1\n')
  assert.match(error(await bot.call()), /exports no function handle/)
  bot.write('throw new Error("at import")\n')
  assert.match(error(await bot.call()), /at import/)
})

test('of several handlers the first wins, and a link is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-find-'))
  assert.deepEqual(findHandler(folder), { handler: undefined, problem: undefined, warnings: [] })
  for (const name of ['handler.js', 'handler.ts', 'handler.py']) writeFileSync(join(folder, name), '')
  const found = findHandler(folder)
  assert.equal(found.handler?.name, 'handler.py')
  assert.deepEqual(found.warnings, [
    'handler.ts is not used, because there is handler.py',
    'handler.js is not used, because there is handler.py',
  ])
  rmSync(join(folder, 'handler.py'))
  symlinkSync('/dev/null', join(folder, 'handler.py'))
  assert.match(findHandler(folder).problem ?? '', /handler\.py is a link or no file/)
  rmSync(folder, { recursive: true })
})

test('a file that is nearly called like a handler is no handler, and a warning says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-find-'))
  writeFileSync(join(folder, 'Handler.py'), '')
  writeFileSync(join(folder, 'handler_notes.md'), '')
  assert.deepEqual(findHandler(folder), {
    handler: undefined,
    problem: undefined,
    warnings: ['Handler.py is not used: a handler is called handler.py, handler.ts, handler.mjs, handler.js'],
  })
  rmSync(folder, { recursive: true })
})

test('a folder that had no handler for long is looked into again once something came or went', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-find-'))
  const later = Date.now() + 60_000
  assert.equal(findHandler(folder, later).handler, undefined)
  writeFileSync(join(folder, 'handler.py'), '')
  assert.equal(findHandler(folder, later).handler?.name, 'handler.py')
  rmSync(join(folder, 'handler.py'))
  assert.equal(findHandler(folder, later).handler, undefined)
  rmSync(folder, { recursive: true })
  assert.equal(findHandler(folder, later).handler, undefined)
})

test('handlers are checked without being run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-check-'))
  const ran = join(folder, 'ran')
  const cases: Record<string, [code: string, problem: RegExp | undefined]> = {
    'a.py': [`open(${JSON.stringify(ran)}, "w")\nasync def handle(p, b): pass\n`, undefined],
    'b.py': ['def handle(p, b)\n  pass\n', /b\.py:1:\d+: /],
    'c.py': ['x = 1\n', /has no function handle: write `async def handle/],
    'd.py': ['from other import handle\n', undefined],
    'e.py': [
      'try:\n    from fast import handle\nexcept ImportError:\n    def handle(p, b): pass\n',
      undefined,
    ],
    'f.py': ['return 1\n', /f\.py:1:\d+: 'return' outside function/],
    'g.py': ['def other():\n    handle = 1\n', /has no function handle/],
    'a.ts': [
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(ran)}, '')\nexport async function handle(p: object): Promise<string> { return '' }\n`,
      undefined,
    ],
    'b.mjs': ['\nexport function handle( {\n', /b\.mjs:\d+: /],
    'c.js': ['export const other = 1\n', /exports no function handle/],
    'e.js': ['exports.handle = async (p) => p.text\n', undefined],
    'f.js': ['async function handle(p) {}\nmodule.exports = { handle }\n', undefined],
    'g.mjs': ['exports.handle = async (p) => p.text\n', /exports no function handle/],
    'd.mjs': ["export { other as handle } from './x.mjs'\n", undefined],
    'e.ts': ['export enum handle { A }\n', /e\.ts.*enum/i],
  }
  const files = Object.entries(cases).map(([name, [code]]): HandlerFile => {
    const path = join(folder, name)
    writeFileSync(path, code)
    return { name, path, stamp: '', language: name.endsWith('.py') ? 'python' : 'node' }
  })
  const problems = await checkHandlers(files)
  for (const [name, [, expected]] of Object.entries(cases)) {
    const problem = problems.get(join(folder, name))
    if (expected) assert.match(problem ?? 'none', expected)
    else assert.equal(problem, undefined)
  }
  assert.equal(existsSync(ran), false)
  rmSync(folder, { recursive: true })
})

test('without Python the problem says how to get it', async () => {
  process.env['HOOKLINE_PYTHON'] = '/nowhere/python3'
  try {
    const problems = await checkHandlers([
      { name: 'handler.py', path: '/x/handler.py', language: 'python', stamp: '' },
    ])
    assert.match(
      problems.get('/x/handler.py') ?? '',
      /needs Python 3, and \/nowhere\/python3 cannot be run: install it/,
    )
    await using bot = rig('handler.py', 'def handle(p, b): pass\n')
    assert.match(
      error(await bot.call()),
      /^handler did not start \(exit code 127\):\n.*nowhere.*\nIts interpreter cannot be run: install it/,
    )
  } finally {
    delete process.env['HOOKLINE_PYTHON']
  }
})
