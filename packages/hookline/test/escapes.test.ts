// What a terminal is shown of other people's words: nothing that it would act on.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ArchiveWriter, MANIFEST } from '../src/commands/server/backup/archive.ts'
import { openStore } from '../src/store/store.ts'
import { bin } from './command.ts'
import { temporaryFolder } from './folder.ts'
import { silent as log } from './log.ts'
import { temporaryHome, writeBots } from './rig.ts'
import { IN_TERMINAL } from './terminal.ts'

/** Sets a terminal's title. */
const ESCAPE = '\u001b]0;evil'

test('a result shows no escape sequence in a folder’s name', async (t) => {
  assert.match(await shown(t, 'exec "$0" "$@"', 'bot', 'list'), /spark-\]0;evil/)
})

test('a remark shows no escape sequence of a template, even if the result is redirected', async (t) => {
  const line = ['bot', 'test', 'spark-ori-ci', '--payload', '-'] as const
  const text = await shown(t, 'exec "$0" "$@" >/dev/null', ...line)
  assert.match(text, /no value for \{body\.\]0;evil\}/)
})

test('the log in a terminal shows no escape sequence in a folder’s name', async (t) => {
  const line = ['server', 'start', '--port', '0', '--webhook-port', '0', '--name', 'spark'] as const
  assert.match(await shown(t, 'exec "$0" "$@"', ...line), /bot not started: .*\]0;evil/)
})

test('a list of accounts shows no escape sequence of an address accepted by an earlier version', async (t) => {
  const script = `"$0" "$1" server start --name spark --port 0 --webhook-port 0 --detach >/dev/null 2>&1
"$0" "$@"
"$0" "$1" server stop >/dev/null`
  assert.match(await shown(t, script, 'account', 'list'), /ori@\]0;evil\.org/)
})

test('a restore shows no escape sequence of a forged backup', async (t) => {
  const file = join(temporaryFolder(t), 'backup.tar')
  const forged = { format: 1, schema: null, made_at: ESCAPE, server: ESCAPE, data_dir: null }
  const archive = new ArchiveWriter(file)
  archive.text(MANIFEST, JSON.stringify(forged))
  archive.close()
  const script = 'HOOKLINE_HOME="$HOOKLINE_HOME/new" exec "$0" "$@"'
  assert.match(await shown(t, script, 'server', 'restore', file), /made \]0;evil by \]0;evil/)
})

/** Everything a terminal is shown; a server is stopped once it is ready. */
async function shown(t: TestContext, script: string, ...args: readonly string[]): Promise<string> {
  const home = temporaryHome(t)
  writeBots(home, {
    [`spark-${ESCAPE}`]: 'x: [',
    'spark-ori-ci': `bot: {name: spark-ori-ci, owner: spark-ori}\noutput: {template: "{body.\\e]0;evil}"}`,
  })
  const store = await openStore(home.data, { log })
  const proofs = { password: null, scram: null, settings: '{}', suspended: null }
  await store.accounts.create({
    key: 'ori',
    name: 'ori',
    createdAt: 1,
    email: `ori@${ESCAPE}.org`,
    ...proofs,
  })
  await store.close()
  const input = `printf '{"a":1}' | { ${script}; }`
  const child = spawn('python3', [...IN_TERMINAL, 'sh', '-c', input, process.execPath, bin, ...args], {
    env: { PATH: process.env['PATH'], HOOKLINE_HOME: home.folder, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 60_000,
  })
  const ended = once(child, 'close')
  let text = ''
  for await (const chunk of child.stdout) {
    const before = text
    text += String(chunk)
    // It may come in two pieces.
    if (text.includes('is ready') && !before.includes('is ready')) child.stdin.write('\u0003')
  }
  await ended
  assert.ok(!text.includes(ESCAPE), JSON.stringify(text))
  return text
}
