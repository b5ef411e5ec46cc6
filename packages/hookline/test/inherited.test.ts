// What whoever starts the server has open does not reach a handler: a folder would be a way out of everything that isolates it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inShell, startBy } from './command.ts'
import { post } from './post.ts'
import { temporaryHome, writeBots } from './rig.ts'

const bot = 'spark-ori-ci'
const handler = `import os

def leads_to(fd):
    try:
        return os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return ""

async def handle(payload, bot):
    return " ".join(fd for fd in os.listdir("/proc/self/fd") if leads_to(fd) == "/")
`

test('a handler inherits no descriptor of whoever started the server', async (t) => {
  const home = temporaryHome(t)
  const file = `bot: {name: ${bot}, owner: spark-ori}\noutput: {channels: ["#c"]}\n`
  writeBots(home, { [bot]: file, [`${bot}/handler.py`]: handler })
  // dash names only descriptors of one digit; Python keeps higher ones open, too.
  const python = 'import os, sys; os.dup2(7, 200); os.execvp(sys.argv[1], sys.argv[1:])'
  const by = [...inShell('exec "$@" 7</'), 'python3', '-c', python]
  await using server = await startBy(by, home)
  const { status, json } = await post(`${server.url}/${bot}`, {})
  assert.deepEqual([status, json['message']], [200, null])
  await server.stop()
})
