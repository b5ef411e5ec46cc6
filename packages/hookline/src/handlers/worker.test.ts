// Handler processes: how many start and stay, what they see, and what ends with them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { untilNone } from '../../test/processes.ts'
import { findNamespace } from './namespace.ts'
import { error, rig, said } from '../../test/rigs/handler.ts'
import { HOLD_MS } from './starts.ts'
import { Warm } from './warm.ts'

test('a call that hangs is killed with everything it started', async () => {
  const code = `import subprocess
def handle(p, b):
    if not p: return "fine"
    subprocess.Popen(["sleep", "60"])
    while True: pass
`
  await using bot = rig('handler.py', code, { callMs: 1_500, graceMs: 100 })
  assert.match(error(await bot.call('{"hang":1}')), /^handler took longer than 1.5 s and was killed: do less/)
  await untilNone(bot.folder)
  assert.equal(said(await bot.call()), 'fine')
})

test('when many are called at once, a few start at a time, and a stopped one does not wait', async () => {
  await using all = new AsyncDisposableStack()
  const code = 'def handle(p, b):\n    return "here"\n'
  const count = 20 * availableParallelism()
  const bots = Array.from({ length: count }, () => all.use(rig('handler.py', code)))
  const asked = performance.now()
  const answers = bots.map((bot) => bot.call())
  await Promise.race(answers)
  const begun = bots.filter(({ state }) => state.loads > 0).length
  // Where a start takes longer than they are held back for it, as many again have begun each time.
  const rounds = 1 + Math.ceil((performance.now() - asked) / HOLD_MS)
  assert.ok(
    begun <= availableParallelism() * rounds,
    `${begun} had begun when the first was there, in round ${rounds}`,
  )

  await Promise.all(bots.slice(1).map((bot) => bot.close()))
  const [first, ...others] = await Promise.all(answers)
  assert.equal(first && said(first), 'here')
  assert.equal(error(others.at(-1) ?? assert.fail()), 'the bot was stopped')
})

test('a slow import does not keep others from starting', async () => {
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

test('the worker runs in the bot’s folder and sees only the environment variables that it needs', async () => {
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

test('beyond the bound the longest idle worker stops, and its next call starts a new one with its state', async () => {
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

test('a busy worker is not stopped for another, and waiting calls keep theirs', async () => {
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
      const home = { folder: '/nonexistent', socket: '/nonexistent/control.sock', data: '/nonexistent/data', isListening: () => false }
      const log = { info: ({ line }) => console.log(line), warn: console.error }
      const state = { load: async () => undefined, save: async () => {} }
      new Handler({ bot: 'x', folder, limits, home, log, starts, warm, state }).call({ file: findHandler(folder).handler, payload: '{}', about: {} })
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
  test(`isolation ${isolation}: a process that left its worker’s group and session still ends with it`, async () => {
    await using bot = rig('handler.py', detaches, { isolation, callMs: 1_500, graceMs: 50 })
    assert.match(error(await bot.call('{"hang":1}')), /took longer than 1.5 s and was killed/)
    await untilNone(bot.folder)
    assert.equal(said(await bot.call('{"answer":1}')), 'answered')
    await bot.close()
    await untilNone(bot.folder)
  })
}

test('in its namespace a worker sees only itself and the shell that reaps processes', async (t) => {
  const namespace = await findNamespace()
  if (!namespace.ok) return t.skip(namespace.reason)
  const code = `import os
def handle(p, b):
    return " ".join(sorted((name for name in os.listdir("/proc") if name.isdigit()), key=int))
`
  await using bot = rig('handler.py', code)
  assert.match(said(await bot.call()) ?? '', /^1 \d+$/, 'a shell that collects the dead, and the worker')
})
