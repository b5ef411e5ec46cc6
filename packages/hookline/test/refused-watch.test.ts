// Under strace, which makes the system refuse to watch folders: an edit is read at `bot start`, and the log says so.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { hookline } from './command.ts'
import { post } from './post.ts'
import { temporaryHome, writeBots } from './rig.ts'
import { cannotTrace, startTraced } from './strace.ts'

const bot = 'spark-ori-ci'

test(
  'if the system watches no more folders, the bots run, and an edit counts from bot start on',
  { skip: cannotTrace },
  async (t) => {
    const home = temporaryHome(t)
    const save = (template: string): void =>
      writeBots(home, {
        [bot]: `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#log"], template: ${template}}\n`,
      })
    save('before')
    const refused = 'inject=inotify_add_watch:error=ENOSPC'
    const server = await startTraced(home, '/dev/null', '-e', refused)
    const said = async () => (await post(`${server.url}/${bot}`, {})).json['message']
    assert.equal(await said(), 'before')
    save('after')
    assert.equal((await hookline(home, 'bot', 'start', bot)).code, 0)
    assert.equal(await said(), 'after')

    const warnings = (await server.stop()).split('\n').filter((line) => line.includes('are not noticed'))
    assert.deepEqual(
      warnings.map((line) => (JSON.parse(line) as { folder: string }).folder),
      [home.bots, join(home.bots, bot)],
    )
  },
)
