// What a handler receives, what it returns, and how it fails.
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { untilNone } from '../../test/processes.ts'
import { reasonIn } from './reason.ts'
import { error, rig, said } from '../../test/rigs/handler.ts'

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

test('a Python handler may use processes that import it anew', async () => {
  await using bot = rig(
    'handler.py',
    `import multiprocessing
def double(n): return 2 * n
def handle(payload, bot):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return str(pool.apply(double, [21]))
`,
  )
  assert.equal(said(await bot.call()), '42')
})

test('endless output is cut and counted', async () => {
  await using bot = rig(
    'handler.py',
    'def handle(p, b):\n    print("x" * 5000)\n    for n in range(500): print(n)\n    return "ok"\n',
  )
  assert.equal(said(await bot.call()), 'ok')
  await bot.close()
  assert.equal(bot.log[0], 'x'.repeat(1000))
  assert.equal(bot.log.length, 101)
  assert.match(bot.log[100] ?? '', /prints too much/)
})

test('returning anything but text or None fails with a message', async () => {
  await using bot = rig('handler.py', 'def handle(p, b):\n    return p["v"]\n')
  assert.match(error(await bot.call('{"v":5}')), /^handle returned int: return a str/)
  assert.match(
    error(await bot.call(`{"v":"${'é'.repeat(32769)}"}`)),
    /^handle returned 65538 bytes: 65536 are allowed/,
  )
  assert.equal(said(await bot.call(`{"v":"${'é'.repeat(32768)}"}`)), 'é'.repeat(32768))
  assert.equal(said(await bot.call('{"v":"\\ud800"}')), '\ud800')
})

test('an exception is reported with its traceback, from the handler on', async () => {
  await using bot = rig(
    'handler.py',
    'import sys\ndef handle(p, b):\n    if "exit" in p: sys.exit(3)\n    return p["missing"]\n',
  )
  const text = error(await bot.call())
  assert.match(text, /^Traceback[^]*handler\.py", line 4, in handle\n[^]*KeyError: 'missing'\n$/)
  assert.ok(!text.includes('worker.py'))
  assert.match(error(await bot.call('{"exit":1}')), /SystemExit: 3/)
})

test('the reason names what went wrong for chained, grouped and import-time exceptions', async () => {
  const group = `import asyncio, sys
async def boom():
    raise ValueError("in a task")
async def handle(p, b):
    if "cancel" in p:
        task = asyncio.create_task(asyncio.sleep(60))
        task.cancel()
        await task
    if sys.version_info < (3, 11): await boom() # which knew no groups
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

test('whatever CommonJS exports as handle is called', async () => {
  for (const exported of [
    'module.exports = { a: 1, handle }',
    'module.exports = make()',
    'exports["handle"] = handle',
    'Object.defineProperty(exports, "handle", { enumerable: true, get: () => handle })',
    'module.exports = new (class { said = "hi"; handle() { return this.said } })()',
    'module.exports = { said: "hi", handle() { return this.said } }',
  ]) {
    const code = `const make = () => ({ handle })\nasync function handle() { return 'hi' }\n${exported}\n`
    await using bot = rig('handler.js', code)
    assert.equal(said(await bot.call()), 'hi', exported)
  }
})

test('an error in the syntax of a handler is shown with its line', async () => {
  const code = '\nexport function handle() {\n  return 1 +* 2\n}\n'
  for (const name of ['handler.mjs', 'handler.js', 'handler.ts'] as const) {
    await using bot = rig(name, code)
    const said = error(await bot.call())
    assert.match(said, new RegExp(`^/.*/${name}:3\n(?:.*\n)?  return 1 \\+\\* 2\n +\\^\n`), name)
    assert.match(reasonIn(said), /^SyntaxError/, name)
  }
})

test('an exception that fails when printed is reported at once', async () => {
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

  const thrown = `Object.defineProperty(new Error('hot'), 'code', { get: () => nothing })`
  await using node = rig('handler.mjs', `export function handle() { throw ${thrown} }`)
  assert.equal(error(await node.call()), 'thrown: something that cannot be printed')

  node.write(`export function handle() { throw { code: 5, why: '${'far too hot '.repeat(9)}' } }`)
  assert.match(error(await node.call()), /^thrown: \{ code: 5, why: 'far too hot .* ' \}$/)

  const coded = `Object.assign(new Error('cold'), { code: 'constructor' })`
  node.write(`export function handle() { throw ${coded} }`)
  assert.doesNotMatch(error(await node.call()), /has a limit/)
})

test('bot.state is kept between calls and restarts, and a failed call leaves it unchanged', async () => {
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
  await using bot = rig('handler.py', code, { callMs: 1_000, graceMs: 60_000 })
  const who = said(await bot.call())
  const slow = error(await bot.call('{"slow":1}'))
  assert.match(
    slow,
    /^handler took longer than 1 s and was cancelled: do less.*\nTraceback[^]*line 4, in handle\n.*asyncio\.sleep/,
  )
  assert.match(reasonIn(slow), /^handler took longer than 1 s and was cancelled: do less/)
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
  test(`a cancelled call of ${name} that still answers leaves bot.state unchanged`, async () => {
    await using bot = rig(name, code, { callMs: 1_000, graceMs: 60_000 })
    assert.equal(said(await bot.call()), '1')
    assert.match(error(await bot.call('{"slow":1}')), /and was cancelled: do less/)
    assert.equal(said(await bot.call()), '2')
    assert.equal(bot.state.kept, '{"n":2}')
  })
}

test('memory is limited, and reaching the limit harms nobody else', async () => {
  await using bot = rig(
    'handler.py',
    'def handle(p, b):\n    return str(len(bytearray(p["mib"] * 1024 * 1024)))\n',
  )
  assert.match(error(await bot.call('{"mib":600}')), /MemoryError/)
  assert.equal(said(await bot.call('{"mib":1}')), '1048576')
})

test('a crash fails its call with the exit status and the last output, and each restart is delayed longer', async () => {
  // A clock that is the same for all of them.
  const code = `import os, sys, time
def note(what): open("notes", "a").write(f"{what} {time.monotonic_ns() // 1_000_000}\\n")
note("start")
def handle(p, b):
    if not p: return "fine"
    print("last words", file=sys.stderr)
    note("crash")
    if "signal" in p: os.kill(os.getpid(), 11)
    os._exit(7)
`
  await using bot = rig('handler.py', code, { backOffMs: [300, 10_000] })
  assert.equal(
    error(await bot.call('{"a":1}')),
    'handler crashed (exit code 7):\nlast words\nA handler that cannot go on raises an exception; it does not end its process.',
  )
  assert.match(error(await bot.call('{"signal":1}')), /^handler crashed \(signal SIGSEGV\):\nlast words/)
  assert.match(error(await bot.call('{"a":1}')), /exit code 7/)
  assert.equal(said(await bot.call()), 'fine')
  const notes = readFileSync(join(bot.folder, 'notes'), 'utf8')
  const times = [...notes.matchAll(/\d+/g)].map(Number)
  const [, first = 0, second = 0, third = 0] = times.filter((_, i) => i % 2 === 0)
  const [crash = 0, next = 0, last = 0] = times.filter((_, i) => i % 2 === 1)
  assert.equal(notes.replaceAll(/ \d+/g, ''), `${'start\ncrash\n'.repeat(3)}start\n`)
  // A timer may be early by a millisecond.
  for (const [wait, ms] of [first - crash, second - next, third - last].entries())
    assert.ok(ms >= 300 * 2 ** wait - 5, `${ms} ms, each wait being twice the one before`)
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

test('messages that a handler forges on the pipe to the server are rejected', async () => {
  const code = `import json, os, time
def handle(p, b):
    if not p: return f"{b.state}"
    call = {"call": 1, "text": "forged", **p}
    os.write(3, (json.dumps(call) + "\\n").encode() * p.get("times", 1))
    time.sleep(60)
`
  await using bot = rig('handler.py', code, { backOffMs: [1, 1] })
  for (const state of ['not JSON', '[]', `{"a":"${'x'.repeat(300_000)}"}`]) {
    assert.match(error(await bot.call(JSON.stringify({ state }))), /^bot\.state came back damaged/)
  }
  assert.equal(said(await bot.call('{"times":2}')), 'forged', 'the first of them is its answer')
  await untilNone(bot.folder)
  assert.equal(said(await bot.call()), '{}')
  assert.equal(bot.state.saves, 0)
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
  await using bot = rig('handler.mjs', code, { heapMiB: 32, backOffMs: [1, 1] })
  assert.equal(said(await bot.call()), 'fine')
  assert.match(error(await bot.call('{"exit":1}')), /^handler crashed \(exit code 4\)/)
  assert.match(error(await bot.call('{"late":1}')), /^handler crashed \(exit code 1\)[^]*too late/)
  assert.match(
    error(await bot.call('{"eat":1}')),
    /^handler crashed \(signal SIGABRT\)[^]*the cause is memory/,
  )
  assert.equal(said(await bot.call()), 'fine')
  for (const [what, graceMs, why] of [
    ['wait', 60_000, /and was cancelled: do less/],
    ['hang', 300, /and was killed: do less/],
  ] as const) {
    await using hasty = rig('handler.mjs', code, { callMs: 1_000, graceMs })
    assert.match(error(await hasty.call(`{"${what}":1}`)), why)
    assert.equal(said(await hasty.call()), 'fine')
  }
  bot.write('export const other = 1\n')
  assert.match(error(await bot.call()), /exports no function handle/)
  bot.write('throw new Error("at import")\n')
  assert.match(error(await bot.call()), /at import/)
})

test('without Python a call explains how to install it', async () => {
  process.env['HOOKLINE_PYTHON'] = '/nowhere/python3'
  try {
    await using bot = rig('handler.py', 'def handle(p, b): pass\n')
    assert.match(
      error(await bot.call()),
      /^handler did not start \(exit code 127\):\n.*nowhere.*\nIts interpreter cannot be run: install it/,
    )
  } finally {
    delete process.env['HOOKLINE_PYTHON']
  }
})

test('a bot whose folder goes away before its handler starts is told so', async () => {
  await using bot = rig('handler.py', 'def handle(p, b): pass\n')
  const answer = bot.call()
  rmSync(bot.folder, { recursive: true })
  assert.match(error(await answer), /^handler did not start \(its folder is gone: \/.+\)$/)
})
