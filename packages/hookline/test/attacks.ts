// What a hostile handler can do: sixteen kinds, for Python and for Node. Each is bounded, so that a defence that
// fails harms no machine.

export interface Attack {
  readonly kind: string
  /**
   * What `handle` does. `payload.outside` is the namespace of our own processes. In it, `mark` is a text that what it starts
   * carries in its command.
   */
  readonly python: string
  readonly node: string
  /** The error of the delivery; none if the handler answers nevertheless. */
  readonly error?: RegExp
  /** If Node words it differently. */
  readonly nodeError?: RegExp
  /** Runs while the handler is being imported. */
  readonly atImport?: true
  /** Without one, it would harm whoever runs this test, or go unnoticed. */
  readonly needsNamespace?: true
}

const tooLong = /^handler took longer than 1 s and was killed: do less in it, or raise handlers\.timeout_ms/
const tooMuchMemory = /a handler has a limit on [\w, ]*memory: see `hookline explain handler`/i

export const PRINTS_SECRET: Attack = {
  kind: 'prints its secret and raises it',
  python: `secret = open("secret").read().strip()
    print("the secret is", secret)
    print("https://api.example/?token=" + payload["token"])
    print(dict(os.environ))
    raise ValueError(f"401 from https://api.example/?token={payload['token']} for {secret}")`,
  node: `const secret = readFileSync('secret', 'utf8').trim()
  console.log('the secret is', secret)
  console.log('https://api.example/?token=' + payload.token)
  console.log(process.env)
  throw new Error('401 from https://api.example/?token=' + payload.token + ' for ' + secret)`,
  error: /Error: 401 from https:\/\/api\.example\/\?token=\[secret\] for \[secret\]/,
}

export const ATTACKS: readonly Attack[] = [
  PRINTS_SECRET,
  { kind: 'spins', python: 'while True: pass', node: 'for (;;);', error: tooLong },
  {
    kind: 'sleeps',
    python: 'time.sleep(600)',
    node: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    error: tooLong,
  },
  {
    kind: 'allocates 2 GiB',
    python: 'bytearray(2 << 30)',
    node: 'Buffer.alloc(2 ** 31)',
    error: tooMuchMemory,
  },
  {
    kind: 'forks 200 times, and each of them leaves its group',
    python: `for _ in range(200):
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
    while True: pass`,
    node: `for (let n = 0; n < 200; n++) spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).on('error', () => {})
  setTimeout(() => { for (;;); }, 50)
  await new Promise(() => {})`,
    // A user's 65th process is refused, root's 365th; on a busy machine the time may run out first.
    error: /^handler took longer than 1 s and was (?:killed|cancelled)|limit on processes/,
  },
  {
    kind: 'prints 64 MiB in short lines',
    python: `for _ in range(1024): os.write(1, b"x\\n" * 32768)
    while True: pass`,
    node: `const much = 'x\\n'.repeat(32768)
  for (let n = 0; n < 1024; n++) try { writeSync(1, much) } catch (error) { if (error.code !== 'EAGAIN') throw error; n-- }
  for (;;);`,
    // If it waits for us to read, its time may run out first.
    error: /^handler (crashed \(it printed 16 MiB within 10 s\):\nx\n[^]*\nPrint less|took longer)/,
  },
  {
    kind: 'stops, and reads no more of what it is sent',
    python: 'os.kill(os.getpid(), signal.SIGSTOP)',
    node: `process.kill(process.pid, 'SIGSTOP')
  for (;;);`,
    error: tooLong,
  },
  {
    kind: 'forks twice, leaves its session, its folder and its environment, and answers',
    needsNamespace: true,
    python: `if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            os.closerange(0, 256)
            os.execve("/bin/sh", ["sh", "-c", "sleep 600; exit", mark], {})
        os._exit(0)
    return "done"`,
    node: `const again = \`const { spawn } = require('node:child_process')
    spawn('/bin/sh', ['-c', 'sleep 600; exit', '\${mark}'], { cwd: '/', env: {}, detached: true, stdio: 'ignore' }).unref()\`
  spawn(process.execPath, ['-e', again], { detached: true, stdio: 'ignore' })
  return 'done'`,
  },
  {
    kind: 'ignores every signal that can be ignored',
    python: `for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}: signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
    while True: pass`,
    node: `for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']) process.on(name, () => {})
  for (;;);`,
    error: tooLong,
  },
  {
    kind: 'exits',
    python: 'os._exit(3)',
    node: 'process.reallyExit(3)',
    error: /^handler crashed \(exit code 3\)[^]*\nA handler that cannot go on raises/,
  },
  {
    kind: 'writes what is no JSON to the server',
    python: `os.write(3, b"}{ this is not JSON\\n" * 1000)
    while True: pass`,
    node: `writeSync(3, '}{ this is not JSON\\n'.repeat(1000))
  for (;;);`,
    error: /^handler crashed \(it wrote to descriptor 3\)[^]*\nPrint to standard output/,
  },
  {
    kind: 'closes every descriptor',
    python: `os.closerange(0, 256)
    return "nobody hears this"`,
    node: `for (let fd = 0; fd < 256; fd++) try { closeSync(fd) } catch {}
  for (;;);`,
    error: /^handler crashed \(exit code 74\)[^]*\nIt closed descriptor 3/,
    nodeError: /^handler (crashed \(signal SIG|took longer)/,
  },
  {
    kind: 'writes 1 GiB to a file',
    python: `with open("data/big", "wb") as file:
        file.seek(60 << 20) # most of it as a hole, which costs no time
        for _ in range(964): file.write(bytes(1 << 20))`,
    node: `const big = openSync('data/big', 'w')
  const piece = Buffer.alloc(1 << 20)
  for (let n = 60; n < 1024; n++) writeSync(big, piece, 0, piece.length, n << 20)`,
    error: /a handler has a limit on the size of one file: see `hookline explain handler`/i,
  },
  {
    kind: 'starts 500 threads',
    python: 'for _ in range(500): threading.Thread(target=time.sleep, args=(600,)).start()',
    node: `const { Worker } = await import('node:worker_threads')
  for (let n = 0; n < 20; n++) new Worker('setInterval(() => {}, 1000)', { eval: true })
  await new Promise(() => {})`,
    error: /a handler has a limit on processes, threads and memory: see `hookline explain handler`/,
    nodeError: /^handler crashed \(signal SIG(TRAP|ABRT|SEGV)\)/,
  },
  {
    kind: 'cannot be imported',
    python: 'import nothing_of_that_name',
    node: "await import('nothing-of-that-name')",
    atImport: true,
    error: /No module named 'nothing_of_that_name'/,
    nodeError: /Cannot find package 'nothing-of-that-name'/,
  },
  {
    kind: 'kills its parent, and then all that it can see',
    python: `os.kill(os.getppid(), signal.SIGKILL)
    if os.readlink("/proc/self/ns/pid") != payload["outside"]: os.kill(-1, signal.SIGKILL)
    while True: pass`,
    node: `process.kill(process.ppid, 'SIGKILL')
  if (readlinkSync('/proc/self/ns/pid') !== payload.outside) process.kill(-1, 'SIGKILL')
  for (;;);`,
    needsNamespace: true,
    // The first process of the namespace cannot be killed from within, and there is nobody else.
    error: /ProcessLookupError: \[Errno 3\] No such process/,
    nodeError: /kill ESRCH/,
  },
]

/** The whole of a handler: harmless while `payload.warm`, which answers with what marks its worker. */
export function pythonHandler({ python, atImport }: Attack, mark: string): string {
  return `import os, signal, threading, time
mark = ${JSON.stringify(mark)}
${atImport ? python : ''}
def handle(payload, bot):
    if "warm" in payload: return os.environ["HOOKLINE_WORKER"]
    ${atImport ? 'return None' : python}
`
}

export function nodeHandler({ node, atImport }: Attack, mark: string): string {
  return `import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, readlinkSync, writeSync } from 'node:fs'
const mark = ${JSON.stringify(mark)}
${atImport ? node : ''}
export async function handle(payload) {
  if ('warm' in payload) return process.env['HOOKLINE_WORKER']
  ${atImport ? '' : node}
}
`
}
