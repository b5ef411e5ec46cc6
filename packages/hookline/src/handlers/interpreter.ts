// What runs a handler: which program, and where on disk it finds what it needs.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { HandlerFile } from './find.ts'

/** Python is `python3`, or what HOOKLINE_PYTHON names. */
export function pythonCommand(): string {
  return process.env['HOOKLINE_PYTHON'] || 'python3'
}

/** A file beside this one. */
export function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

export interface Interpreter {
  /** Without links of version managers, which look for their settings all over the disk. */
  readonly program: string
  /** The folders and files that it needs, outside of the system's. */
  readonly needs: readonly string[]
}

export async function interpreterOf({ language }: Pick<HandlerFile, 'language'>): Promise<Interpreter> {
  if (language === 'node') return { program: process.execPath, needs: [process.execPath] }
  const command = pythonCommand()
  const known = (python?.command === command ? python : undefined) ?? { command, found: whereIs(command) }
  python = known
  return (await known.found) ?? { program: command, needs: [] }
}

let python: { readonly command: string; readonly found: Promise<Interpreter | undefined> } | undefined

/** Asked once: a virtual environment names its own folder and that of the Python it was made from. */
function whereIs(command: string): Promise<Interpreter | undefined> {
  const ask = 'import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix]))'
  const options = { timeout: 10_000, killSignal: 'SIGKILL' } as const
  return new Promise((resolve) => {
    execFile(command, ['-I', '-c', ask], options, (error, stdout) => {
      try {
        const [program, ...needs] = JSON.parse(stdout) as string[]
        resolve(error || !program ? undefined : { program, needs: [...new Set([program, ...needs])] })
      } catch {
        resolve(undefined)
      }
    })
  })
}

/** What programs need of the system: themselves, their libraries, the time zone. */
export function systemPaths(): readonly string[] {
  return SYSTEM.filter((path) => existsSync(path))
}

/** What they need to find other machines by name, and to trust them. */
export function networkPaths(): readonly string[] {
  return NETWORK.filter((path) => existsSync(path))
}

const SYSTEM: readonly string[] = [
  '/usr',
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'nix/store'].map((path) => `/${path}`),
  ...['alternatives', 'ld.so.cache', 'localtime'].map((path) => `/etc/${path}`),
]

// Not /etc/ssl as a whole: keys are in it, which root may read.
const TLS = ['certs', 'cert.pem', 'openssl.cnf']
const NETWORK: readonly string[] = [
  ...TLS.map((name) => `ssl/${name}`),
  ...TLS.map((name) => `pki/tls/${name}`),
  ...'pki/ca-trust/extracted ca-certificates crypto-policies'.split(' '),
  ...'resolv.conf hosts nsswitch.conf gai.conf services'.split(' '),
].map((path) => `/etc/${path}`)
