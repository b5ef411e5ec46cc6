// Ways out of a handler's isolation, tried by a handler of a real server.
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Home } from '../src/home/home.ts'
import { startBy } from './command.ts'
import { newFolder } from './folder.ts'
import { post } from './post.ts'
import { PATIENT, temporaryHome, writeBots } from './rig.ts'

/**
 * Each with Python that returns something if it gets through. `at` is what it looks for. Those that would harm this machine without
 * isolation are tried only with it.
 */
export const PROBES: Readonly<Record<string, { readonly python: string; readonly onlyIsolated?: true }>> = {
  "Hookline's home": { python: 'return open(at["home"] + "/server.yaml").read()' },
  'the database': { python: 'return open(at["home"] + "/data/hookline.db", "rb").read(16)' },
  'the control socket': { python: 'return connected(socket.AF_UNIX, at["home"] + "/control.sock")' },
  'TCP on this machine': { python: 'return connected(socket.AF_INET, ("127.0.0.1", at["port"]))' },
  "the server's environment": {
    python: `texts = [str(dict(os.environ))]
    for file in glob.glob("/proc/[0-9]*/environ"):
        try: texts.append(open(file, errors="replace").read())
        except OSError: pass
    return any(at["secret"] in text for text in texts)`,
  },
  'writing to /usr': {
    python: `os.close(os.open("/usr/.hookline-probe", os.O_CREAT | os.O_WRONLY))
    os.unlink("/usr/.hookline-probe")
    return True`,
  },
  "another bot's folder": { python: 'return open(at["home"] + "/bots/spark-ori-other/bot.yaml").read()' },
  'the process of the server': {
    python: `if os.path.exists(f"/proc/{at['server']}/status"): return True
    os.kill(at["server"], 0)
    return True`,
  },
  'an abstract unix socket': { python: 'return connected(socket.AF_UNIX, "\\0" + at["abstract"])' },
  'other machines': {
    python: `for kind, protocol in ((socket.SOCK_RAW, socket.IPPROTO_ICMP), (socket.SOCK_DGRAM, 0)):
        try:
            with socket.socket(socket.AF_INET, kind, protocol) as one:
                one.connect(("192.0.2.1", 9)) # sends nothing
                return one.getsockname()
        except OSError: pass`,
  },
  '/tmp of this machine': { python: 'return open(at["file"]).read()' },
  'tracing the server': { python: 'return libc.ptrace(SEIZE, at["server"], 0, 0) == 0' },
  'its own bot.yaml': { python: 'return open("bot.yaml", "a").close() is None' },
  "the kernel's settings": { python: 'return open("/proc/sys/kernel/core_pattern", "r+")' },
  'disks and memory': {
    python: `for file in glob.glob("/dev/[vsh]d*") + glob.glob("/dev/nvme*n*") + ["/dev/mem", "/dev/kmsg"]:
        try: return open(file, "rb")
        except OSError: pass`,
  },
  'its mounts, and namespaces of its own': {
    onlyIsolated: true,
    python: `if libc.umount2(b"/usr", DETACH) == 0: return "unmounted"
    if libc.mount(None, b"/usr", None, REMOUNT | BIND, None) == 0: return "remounted"
    return libc.unshare(NEWUSER | NEWNS) == 0`,
  },
  'the process that enclosed it': {
    onlyIsolated: true,
    python: `if libc.ptrace(SEIZE, 1, 0, 0) == 0: return "traced"
    for name in ("environ", "mem", "maps", "cwd", "root", "fd/0"):
        try: return open("/proc/1/" + name) if name in ("environ", "mem", "maps") else os.readlink("/proc/1/" + name)
        except OSError: pass`,
  },
}

/** The names of those that got through. */
export type Outcome = readonly string[]

const PYTHON = `import ctypes, glob, json, os, socket, sys
libc = ctypes.CDLL(None)
SEIZE, DETACH, REMOUNT, BIND, NEWUSER, NEWNS = 0x4206, 2, 32, 4096, 0x10000000, 0x20000
def connected(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(5)
        one.connect(address)
        return True
${Object.values(PROBES)
  .map(({ python }, index) => `def probe${index}(at):\n    ${python}`)
  .join('\n')}
def probed(at):
    through = []
    for index in at["probes"]:
        try:
            if globals()[f"probe{index}"](at): through.append(index)
        except BaseException: pass
    return json.dumps(through)
`

/** The same probes by a process that the Node handler starts: it is where the handler is. */
export const HANDLERS = {
  'handler.py': `${PYTHON}\ndef handle(payload, bot): return probed(payload)\n`,
  'handler.mjs': `import { spawnSync } from 'node:child_process'
const code = ${JSON.stringify(`${PYTHON}\nprint(probed(json.load(sys.stdin)))\n`)}
export function handle(payload) {
  const ran = spawnSync('/usr/bin/python3', ['-c', code], { input: JSON.stringify(payload), encoding: 'utf8' })
  return ran.status === 0 ? ran.stdout.trim() : String(ran.error ?? ran.stderr)
}
`,
} as const

export interface Probing {
  readonly file: keyof typeof HANDLERS
  /** The line of bot.yaml. */
  readonly handler: string
  /** More of server.yaml. */
  readonly config?: string
  /** What runs the server, such as setpriv. */
  readonly by?: (home: Home) => readonly string[]
  /** Called once everything was tried. */
  readonly look?: (home: Home) => void
  /** Who it then is. */
  readonly uid?: number
}

/** Starts a server, has its handler try everything, and says what got through. */
export async function probe({
  file,
  handler,
  config = '',
  by = () => [],
  uid,
  look,
}: Probing): Promise<Outcome> {
  const bot = 'spark-ori-probe'
  const home = temporaryHome()
  using outside = newFolder()
  writeFileSync(join(outside.path, 'file'), 'outside', { mode: 0o644 })
  const abstract = `hookline-${process.pid}-${performance.now()}`
  const listener = createServer((socket) => socket.destroy()).listen(`\0${abstract}`)
  await once(listener, 'listening')
  writeBots(home, {
    [bot]: `bot: {name: ${bot}, owner: spark-ori}\n${handler}\n`,
    [`${bot}/${file}`]: HANDLERS[file],
    'spark-ori-other': 'bot: {name: spark-ori-other, owner: spark-ori}\n',
  })
  writeFileSync(home.config, `logging: {level: error}\n${PATIENT}${config}`)
  mkdirSync(home.data, { recursive: true, mode: 0o700 })
  if (uid !== undefined) {
    chownAll([home.folder, outside.path], uid)
    // Where a suite has a folder of its own for these, others may pass through.
    if ((statSync(tmpdir()).mode & 0o001) === 0) chmodSync(tmpdir(), 0o711)
  }
  const secret = 'canary-4e1c9b'
  try {
    const python = 'HOOKLINE_PYTHON=/usr/bin/python3'
    await using server = await startBy(['env', `HOOKLINE_SECRET=${secret}`, python, ...by(home)], home)
    const isIsolated = handler !== '' && !config.includes('none')
    const entries = Object.entries(PROBES)
    const probes = entries.flatMap(([, { onlyIsolated }], index) =>
      onlyIsolated && !isIsolated ? [] : [index],
    )
    const at = { home: home.folder, port: Number(new URL(server.url).port), server: server.child.pid }
    const { json } = await post(`${server.url}/${bot}`, {
      ...at,
      secret,
      abstract,
      probes,
      file: join(outside.path, 'file'),
    })
    const through = JSON.parse(String(json['message'])) as number[]
    look?.(home)
    return through.map((index) => entries[index]?.[0] ?? '')
  } finally {
    listener.close()
    rmSync(home.folder, { recursive: true, force: true })
  }
}

function chownAll(folders: readonly string[], uid: number): void {
  for (const folder of folders) {
    chownSync(folder, uid, uid)
    for (const entry of readdirSync(folder, { recursive: true }))
      chownSync(join(folder, String(entry)), uid, uid)
  }
}
