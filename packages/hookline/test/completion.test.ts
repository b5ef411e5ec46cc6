// Tab in bash, with the script that `completion bash` prints.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { bin } from './command.ts'
import { temporaryFolder } from './folder.ts'

test('bash completes commands and bot names, runs nothing that is typed, and may load the script twice', (t) => {
  const home = temporaryFolder(t)
  for (const bot of ['spark-ori-a', 'spark-ori-b', 'other'])
    mkdirSync(join(home, 'bots', bot), { recursive: true })
  symlinkSync(bin, join(home, 'hookline'))
  const press = (...words: readonly string[]): readonly string[] => {
    const load = 'source <(hookline completion bash); '
    const script = `${load}${load}COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); __hookline_complete; printf '%s\\n' "\${COMPREPLY[@]}"`
    const path = [home, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
    const out = execFileSync('bash', ['--norc', '-ec', script, 'bash', ...words], {
      env: { PATH: path, HOOKLINE_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return String(out).split('\n').filter(Boolean)
  }
  assert.deepEqual(press('hookline', 'bot', 'st'), ['start', 'stop'])
  assert.deepEqual(press('hookline', 'bot', 'start', ''), ['other', 'spark-ori-a', 'spark-ori-b'])
  assert.deepEqual(press('hookline', 'bot', 'start', 'spark'), ['spark-ori-a', 'spark-ori-b'])
  assert.deepEqual(press('hookline', 'bot', 'edit', 'other', '--no-m'), ['--no-mention'])
  assert.deepEqual(press('hookline', 'bot', 'edit', 'other', '--no-mention', '--desc'), ['--description'])
  const typed = `$(touch ${home}/ran)`
  assert.deepEqual(press('hookline', 'bot', 'create', 'a', '--template', typed, '--ow'), ['--owner'])
  assert.ok(!existsSync(join(home, 'ran')))
})
