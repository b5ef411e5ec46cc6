// What a terminal is asked. Python's pty is one.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../bin/hookline.js', import.meta.url))
const TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
const WIDE = ['sh', '-c', 'stty cols 80 rows 24; exec "$0" "$@"']

test('Ctrl-C at a question ends all of them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hookline-'))
  const child = spawn('python3', ['-c', TERMINAL, ...WIDE, process.execPath, bin, 'bot', 'create'], {
    env: { PATH: process.env['PATH'], HOME: home, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 60_000,
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let shown = ''
  let hasAnswered = false
  for await (const chunk of child.stdout) {
    shown += String(chunk)
    if (hasAnswered || !shown.includes('Short name of the bot')) continue
    hasAnswered = true
    child.stdin.write('\u0003')
  }
  assert.equal(await ended, 1)
  assert.match(shown, /nothing was created/)
  assert.doesNotMatch(shown, /Owner/)
  rmSync(home, { recursive: true })
})
