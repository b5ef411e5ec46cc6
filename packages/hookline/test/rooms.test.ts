// ARCHITECTURE.md's stairs: every import goes down, and only to the rooms named here. No file of either package imports itself in a circle.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'

/** Room or file → what it may import: rooms, files beside the rooms, `node:` and packages. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  irc: [],
  wire: [
    'irc',
    'http.ts',
    'listening.ts',
    'networks.ts',
    'startfailure.ts',
    'tally.ts',
    'thrown.ts',
    'node:',
    'ws',
  ],
  chat: ['irc', 'refusal.ts'],
  store: [
    'controlchars.ts',
    'crashpoint.ts',
    'folders.ts',
    'idlegarbage.ts',
    'ids.ts',
    'log.ts',
    'thrown.ts',
    'node:',
  ],
  accounts: ['store', 'irc', 'log.ts', 'logthrottle.ts', 'trimmed.ts', 'node:'],
  config: [
    'bots',
    'chat',
    'accounts',
    'irc',
    'home.ts',
    'listening.ts',
    'networks.ts',
    'startfailure.ts',
    'thrown.ts',
    'yamlfile.ts',
    'node:',
    'zod',
  ],
  keeping: ['chat', 'accounts', 'store', 'irc', 'ids.ts', 'log.ts', 'node:'],
  bots: [
    'chat',
    'irc',
    'home.ts',
    'log.ts',
    'nearest.ts',
    'networks.ts',
    'refusal.ts',
    'runningtime.ts',
    'thrown.ts',
    'trimmed.ts',
    'yamlfile.ts',
    'node:',
    'croner',
    'liquidjs',
    'yaml',
    'zod',
  ],
  webhooks: [
    'bots',
    'chat',
    'store',
    'irc',
    'crashpoint.ts',
    'http.ts',
    'ids.ts',
    'listening.ts',
    'log.ts',
    'networks.ts',
    'startfailure.ts',
    'logthrottle.ts',
    'tally.ts',
    'node:',
    'prom-client',
  ],
  triggers: ['bots', 'webhooks', 'chat', 'store', 'irc', 'log.ts'],
  control: [
    'accounts',
    'bots',
    'webhooks',
    'config',
    'wire',
    'chat',
    'store',
    'irc',
    'folders.ts',
    'home.ts',
    'ids.ts',
    'listening.ts',
    'log.ts',
    'nearest.ts',
    'startfailure.ts',
    'thrown.ts',
    'yamlfile.ts',
    'node:',
  ],
  server: [
    'control',
    'triggers',
    'webhooks',
    'bots',
    'keeping',
    'chat',
    'wire',
    'accounts',
    'store',
    'irc',
    'config',
    'home.ts',
    'ids.ts',
    'log.ts',
    'networks.ts',
    'logthrottle.ts',
    'startfailure.ts',
    'thrown.ts',
    'yamlfile.ts',
    'node:',
    'unicode-confusables',
  ],
  cli: [
    'server',
    'control',
    'config',
    'controlchars.ts',
    'home.ts',
    'listening.ts',
    'nearest.ts',
    'startfailure.ts',
    'idlegarbage.ts',
    'server.ts',
    'thrown.ts',
    'yamlfile.ts',
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

test('files beside the rooms that they import know no room but irc', () => {
  const { cli, ...rooms } = MAY_IMPORT
  assert(cli, 'which starts the server')
  const beside = new Set(
    Object.values(rooms)
      .flat()
      .filter((each) => each.endsWith('.ts')),
  )
  const strays: string[] = []
  // The set grows by what they import in turn.
  for (const file of beside) {
    for (const specifier of importsOf(readFileSync(`${root}/${file}`, 'utf8'))) {
      const owner = ownerOf(specifier, file)
      if (owner.endsWith('.ts')) beside.add(owner)
      else if (owner !== 'irc' && Object.hasOwn(MAY_IMPORT, owner)) strays.push(`${file} imports ${owner}`)
    }
  }
  assert.deepEqual(strays, [])
})

/** Circles that still stand, each by its files in `packages`. The list may only shrink. */
const CIRCLES: readonly (readonly string[])[] = [
  ['hookline/src/bots/botfile.ts', 'hookline/src/bots/triggerschema.ts', 'hookline/src/bots/triggertypes.ts'],
  [
    'hookline/src/bots/causes.ts',
    'hookline/src/bots/composer.ts',
    'hookline/src/bots/fallback.ts',
    'hookline/src/bots/plan.ts',
  ],
  ['hookline/src/bots/event.ts', 'hookline/src/bots/path.ts'],
  [
    'hookline/src/chat/audit.ts',
    'hookline/src/chat/command.ts',
    'hookline/src/chat/departures.ts',
    'hookline/src/chat/dispatch.ts',
    'hookline/src/chat/features/accept.ts',
    'hookline/src/chat/features/account.ts',
    'hookline/src/chat/features/away.ts',
    'hookline/src/chat/features/cap.ts',
    'hookline/src/chat/features/channelregistration.ts',
    'hookline/src/chat/features/chanserv.ts',
    'hookline/src/chat/features/chanservredact.ts',
    'hookline/src/chat/features/chathistory.ts',
    'hookline/src/chat/features/clockmended.ts',
    'hookline/src/chat/features/forward.ts',
    'hookline/src/chat/features/help.ts',
    'hookline/src/chat/features/historyquery.ts',
    'hookline/src/chat/features/index.ts',
    'hookline/src/chat/features/info.ts',
    'hookline/src/chat/features/invite.ts',
    'hookline/src/chat/features/isupport.ts',
    'hookline/src/chat/features/join.ts',
    'hookline/src/chat/features/joinreplay.ts',
    'hookline/src/chat/features/kick.ts',
    'hookline/src/chat/features/kill.ts',
    'hookline/src/chat/features/list.ts',
    'hookline/src/chat/features/login.ts',
    'hookline/src/chat/features/lusers.ts',
    'hookline/src/chat/features/markread.ts',
    'hookline/src/chat/features/metadata.ts',
    'hookline/src/chat/features/metadatachange.ts',
    'hookline/src/chat/features/metadatafaults.ts',
    'hookline/src/chat/features/metadatasubs.ts',
    'hookline/src/chat/features/metadatasync.ts',
    'hookline/src/chat/features/missed.ts',
    'hookline/src/chat/features/mode.ts',
    'hookline/src/chat/features/modesettle.ts',
    'hookline/src/chat/features/monitor.ts',
    'hookline/src/chat/features/motd.ts',
    'hookline/src/chat/features/multiline.ts',
    'hookline/src/chat/features/names.ts',
    'hookline/src/chat/features/nick.ts',
    'hookline/src/chat/features/nickserv.ts',
    'hookline/src/chat/features/nickservadmin.ts',
    'hookline/src/chat/features/nickservghost.ts',
    'hookline/src/chat/features/nickservproofs.ts',
    'hookline/src/chat/features/nickservset.ts',
    'hookline/src/chat/features/oper.ts',
    'hookline/src/chat/features/override.ts',
    'hookline/src/chat/features/part.ts',
    'hookline/src/chat/features/pass.ts',
    'hookline/src/chat/features/ping.ts',
    'hookline/src/chat/features/playback.ts',
    'hookline/src/chat/features/puppet.ts',
    'hookline/src/chat/features/quit.ts',
    'hookline/src/chat/features/redact.ts',
    'hookline/src/chat/features/register.ts',
    'hookline/src/chat/features/registration.ts',
    'hookline/src/chat/features/rehash.ts',
    'hookline/src/chat/features/relaymsg.ts',
    'hookline/src/chat/features/rename.ts',
    'hookline/src/chat/features/roleplay.ts',
    'hookline/src/chat/features/sasl.ts',
    'hookline/src/chat/features/say.ts',
    'hookline/src/chat/features/search.ts',
    'hookline/src/chat/features/serverban.ts',
    'hookline/src/chat/features/services.ts',
    'hookline/src/chat/features/sessions.ts',
    'hookline/src/chat/features/setname.ts',
    'hookline/src/chat/features/sts.ts',
    'hookline/src/chat/features/thisserver.ts',
    'hookline/src/chat/features/topic.ts',
    'hookline/src/chat/features/uban.ts',
    'hookline/src/chat/features/userhost.ts',
    'hookline/src/chat/features/usermode.ts',
    'hookline/src/chat/features/wallops.ts',
    'hookline/src/chat/features/webirc.ts',
    'hookline/src/chat/features/who.ts',
    'hookline/src/chat/features/whois.ts',
    'hookline/src/chat/output/burst.ts',
    'hookline/src/chat/output/fanout.ts',
    'hookline/src/chat/output/flusher.ts',
    'hookline/src/chat/output/keyvalue.ts',
    'hookline/src/chat/output/outbox.ts',
    'hookline/src/chat/output/pieces.ts',
    'hookline/src/chat/output/replay.ts',
    'hookline/src/chat/output/response.ts',
    'hookline/src/chat/reader.ts',
    'hookline/src/chat/rules/account.ts',
    'hookline/src/chat/rules/history.ts',
    'hookline/src/chat/rules/lookalike.ts',
    'hookline/src/chat/rules/metadata.ts',
    'hookline/src/chat/rules/nick.ts',
    'hookline/src/chat/rules/serverban.ts',
    'hookline/src/chat/service.ts',
    'hookline/src/chat/session.ts',
    'hookline/src/chat/spine.ts',
    'hookline/src/chat/timeouts.ts',
  ],
  ['hookline/src/chat/rules/oper.ts', 'hookline/src/chat/state.ts'],
  ['hookline/src/cli/detach.ts', 'hookline/src/cli/start.ts'],
  ['hookline/src/server/notices.ts', 'hookline/src/server/reload.ts', 'hookline/src/server/rooms.ts'],
  [
    'hookline/src/store/batch.ts',
    'hookline/src/store/emptied.ts',
    'hookline/src/store/erase.ts',
    'hookline/src/store/history.ts',
    'hookline/src/store/operations.ts',
    'hookline/src/store/pages.ts',
    'hookline/src/store/queue.ts',
    'hookline/src/store/retention.ts',
    'hookline/src/store/search.ts',
    'hookline/src/store/storeclock.ts',
  ],
  ['hookline/trust/page.ts', 'hookline/trust/trust.ts'],
]

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
  assert.deepEqual(circlesOf(imports), CIRCLES)
})

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

/** The room, or the file beside the rooms, or the package, that a specifier in `file` means. */
function ownerOf(specifier: string, file: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  if (!specifier.startsWith('.')) return specifier
  return posix.join(posix.dirname(file), specifier).split('/')[0] ?? ''
}
