// What a hostile handler reaches: nothing that is not its own, whoever the server runs as.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNamespace } from '../src/handlers/namespace.ts'
import { hookline } from './command.ts'
import { AS_NOBODY, cannotBeNobody, NOBODY } from './nobody.ts'
import { HANDLERS, probe, PROBES } from './probes.ts'
import { temporaryHome, writeBots } from './rig.ts'
import { ROUNDS } from './rounds.ts'

const namespace = await findNamespace()
const skip =
  (!namespace.ok && namespace.reason) ||
  (namespace.ok && namespace.bare ? 'nothing can be mounted here' : false)
const asNobody = [...AS_NOBODY, '--no-new-privs']

// For every change each file once, as one user or the other.
for (const [n, file] of (Object.keys(HANDLERS) as (keyof typeof HANDLERS)[]).entries()) {
  if (ROUNDS > 1 || n % 2 === 0 || cannotBeNobody) {
    test(`${file}: isolated, nothing gets through`, { skip }, async () => {
      assert.deepEqual(await probe({ file, handler: 'handler: {}' }), [])
    })
  }
  if (ROUNDS > 1 || n % 2 === 1) {
    test(
      `${file}: isolated, nothing gets through if the server is an ordinary user`,
      {
        skip: skip || cannotBeNobody,
      },
      async () => {
        assert.deepEqual(await probe({ file, handler: 'handler: {}', by: () => asNobody, uid: NOBODY }), [])
      },
    )
  }
}

test(
  'a handler without that line runs as before, but reaches neither the database nor the control socket',
  { skip },
  async () => {
    const through = await probe({ file: 'handler.py', handler: '' })
    for (const way of ["Hookline's home", 'TCP on this machine', "another bot's folder", 'its own bot.yaml'])
      assert.ok(through.includes(way), way)
    for (const way of [
      'the database',
      'the control socket',
      'the process of the server',
      'tracing the server',
    ])
      assert.ok(!through.includes(way), way)
  },
)

test(
  'without namespaces every way is open, or this would show nothing',
  { skip: process.getuid?.() !== 0 && 'needs root' },
  async () => {
    const config = 'handlers: {isolation: none}\n'
    const through = await probe({ file: 'handler.py', handler: 'handler: {}', config })
    // A machine need not have a disk that is a device.
    const tried = Object.keys(PROBES).filter(
      (way) => !PROBES[way]?.onlyIsolated && way !== 'disks and memory',
    )
    assert.deepEqual(
      tried.filter((way) => !through.includes(way)),
      [],
    )
  },
)

test(
  'a bot that `bot create` made is isolated once it has a handler; for others the line to add is named',
  { skip },
  async (t) => {
    const home = temporaryHome(t)
    await hookline(home, 'bot', 'create', 'new', '--owner', 'spark-ori')
    const code = 'def handle(payload, bot): return None\n'
    writeBots(home, {
      'spark-ori-old': 'bot: {name: spark-ori-old, owner: spark-ori}\noutput: {channels: ["#a"]}\n',
      'spark-ori-old/handler.py': code,
      'spark-ori-new/handler.py': code,
    })
    const names = /handler\.py is not isolated: .* add this line to bot\.yaml: handler: \{\}/
    const [validated, old, made] = await Promise.all([
      hookline(home, 'bot', 'validate'),
      hookline(home, 'bot', 'inspect', 'spark-ori-old'),
      hookline(home, 'bot', 'inspect', 'spark-ori-new'),
    ])
    assert.match(validated.stdout + validated.stderr, names)
    assert.match(old.stdout, /handler\.py \(used instead of the template\), not isolated/)
    assert.match(old.stdout, names)
    assert.match(made.stdout, /handler\.py \(used instead of the template\), isolated/)
    assert.doesNotMatch(made.stdout, names)
  },
)
