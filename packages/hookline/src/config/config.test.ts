import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ConfigSources, loadConfig } from './config.ts'
import { chatSettings } from './settings.ts'
import { findHome, type Home } from '../home/home.ts'
import { formatProblem } from '../yaml/yamlfile.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-config-'))
after(() => rmSync(folder, { recursive: true }))
const hash = '$scrypt$ln=4,r=8,p=1$YSBzYWx0IG9mIHNpeHRlZQ$Uv8wBAGk5dZ6GBsGy2Qrz5KnokdH1cpdIDYv2VWCrlI'

function newHome(): Home {
  return findHome({ HOOKLINE_HOME: mkdtempSync(join(folder, 'home-')) })
}

function load(
  text: string | Buffer | undefined,
  { home = newHome(), flags = {}, env = {}, ...more }: Partial<ConfigSources> = {},
) {
  if (text !== undefined) writeFileSync(home.config, text)
  return loadConfig({ home, flags, env, ...more })
}

function loaded(text: string | Buffer | undefined, sources?: Partial<ConfigSources>) {
  const read = load(text, sources)
  assert(read.ok, read.ok ? '' : read.problems.map(formatProblem).join('\n'))
  return read
}

/** `3:5 listeners.0.port: …`, a line for each. */
function complaints(text: string | Buffer | undefined, sources?: Partial<ConfigSources>): string[] {
  const read = load(text, sources)
  assert(!read.ok)
  return read.problems.map((problem) => formatProblem(problem).replace(`${problem.file}:`, ''))
}

test('without a file everything has a default, reachable only from this machine', () => {
  const { config, warnings } = loaded(undefined)
  assert.equal(config.name, 'local')
  assert.deepEqual(config.listeners, [
    { host: '127.0.0.1', port: 6667, tls: undefined, isWebSocket: false, isForProxies: false },
  ])
  assert.equal(config.webhooks.host, '127.0.0.1')
  assert.equal(config.webhooks.port, 7680)
  assert.equal(config.limits.flood_protection, true)
  assert.deepEqual(warnings, [])
  assert.deepEqual(loaded('').config.limits, config.limits)
  assert.deepEqual(loaded('# nothing yet\r\n\r\n  # at all').config.limits, config.limits)
})

test('relative files are found beside it, and the database at an absolute path', () => {
  const home = newHome()
  const text =
    'server: {motd_file: motd}\nlisteners: [{port: 6697, tls: {cert: tls/cert.pem, key: /etc/key.pem}}]\n'
  const { config } = loaded(text, { home })
  assert.equal(config.server.motd_file, join(home.folder, 'motd'))
  const files = { cert: join(home.folder, 'tls', 'cert.pem'), key: '/etc/key.pem' }
  assert.deepEqual(config.listeners[0]?.tls, [files])
  assert.deepEqual(complaints('data_dir: db'), [
    '1:11 data_dir: must be an absolute path, such as /var/lib/hookline',
  ])
})

test('a flag overrides the environment, which overrides the file, which overrides the default', () => {
  const file = 'server: {name: filed}\nlisteners: [{port: 1001}, {port: 1002}]\nwebhooks: {port: 1003}\n'
  const env = {
    HOOKLINE_NAME: 'env',
    HOOKLINE_PORT: '2001',
    HOOKLINE_WEBHOOK_PORT: '2003',
    HOOKLINE_HOST: '',
  }
  const flags = { name: 'flag', port: 3001, webhookPort: 3003, webhookHost: '127.0.0.2' }
  const shown = (sources: Partial<ConfigSources>) => {
    const { config } = loaded(file, sources)
    return [config.name, config.listeners.map(({ port }) => port), config.webhooks.port, config.webhooks.host]
  }
  assert.deepEqual(shown({}), ['filed', [1001, 1002], 1003, '127.0.0.1'])
  assert.deepEqual(shown({ env: { ...env, HOOKLINE_HOST: undefined } }), [
    'env',
    [2001, 1002],
    2003,
    '127.0.0.1',
  ])
  assert.deepEqual(shown({ env: { HOOKLINE_PORT: '2001' }, flags }), [
    'flag',
    [3001, 1002],
    3003,
    '127.0.0.2',
  ])
  const empty = { HOOKLINE_NAME: '', HOOKLINE_PORT: '', HOOKLINE_WEBHOOK_HOST: '' }
  assert.deepEqual(shown({ env: empty }), ['filed', [1001, 1002], 1003, '127.0.0.1'])
})

test('a wrong flag or variable is named', () => {
  const number = 'must be a whole number from 0 to 65535'
  const env = { HOOKLINE_PORT: '1.5', HOOKLINE_WEBHOOK_PORT: 'many', HOOKLINE_HOST: '[::1]' }
  assert.deepEqual(complaints('', { env }), [
    'HOOKLINE_HOST must be an address, such as 127.0.0.1 or ::1 (without brackets)',
    `HOOKLINE_PORT ${number}`,
    `HOOKLINE_WEBHOOK_PORT ${number}`,
  ])
  // For JavaScript these are the numbers 0, 4096 and 80.
  for (const port of [' ', '0x1000', '8e1'])
    assert.deepEqual(complaints('', { env: { HOOKLINE_PORT: port } }), [`HOOKLINE_PORT ${number}`])
  assert.deepEqual(complaints('', { env, flags: { webhookPort: 70_000, port: 1, host: '::1' } }), [
    `--webhook-port ${number}`,
  ])
  assert.match(complaints('', { flags: { host: '[::1]' } }).join(), /^--host must be an address, .* brackets/)
  assert.match(complaints('', { flags: { name: 'a b' } }).join(), /^--name must be letters, digits/)
  assert.match(complaints('', { env: { HOOKLINE_NAME: 'a b' } }).join(), /^HOOKLINE_NAME must be letters/)
  assert.match(
    complaints('', { flags: { name: 'a'.repeat(64) } }).join(),
    / at most 63, and begin with a letter/,
  )
})

test('a complaint has the line and column of its subject', () => {
  assert.deepEqual(complaints('server:\n  name: tea\nlisteners:\n  - host: 127.0.0.1\n    port: many\n'), [
    '5:11 listeners.0.port: must be a whole number from 0 to 65535',
  ])
  assert.deepEqual(complaints('listeners:\n  - host: 127.0.0.1\n'), ['2:5 listeners.0.port: is required'])
  assert.match(complaints('limits:\n  nick_length: 1000\n')[0] ?? '', /^2:16 limits\.nick_length: .*64/)
  assert.match(complaints('limits: {\n')[0] ?? '', /^\d+:\d+: /)
})

test('an unknown key is named with the nearest known one', () => {
  assert.deepEqual(complaints('limits:\n  flood_protectoin: false\nserver: {motd: x}\n'), [
    '2:3 limits.flood_protectoin: unknown key: did you mean flood_protection?',
    ...complaints('\n\nserver: {motd: x}\n'),
  ])
  assert.match(
    complaints('server: {nmae: x}\n')[0] ?? '',
    /^1:10 server\.nmae: unknown key: did you mean name\?/,
  )
})

test('unsupported settings are refused or accepted with a warning, never silently ignored', () => {
  assert.deepEqual(complaints('server: {casemapping: rfc1459}\n'), [
    '1:23 server.casemapping: must be one of ascii, precis',
  ])
  const both = 'listeners: [{port: 0, proxy_protocol: required, tls: {cert: a, key: b}}]\n'
  assert.match(complaints(both).join(), /proxy_protocol goes with a listener without tls/)
  assert.match(complaints('server: {trusted_proxies: [proxy]}\n').join(), /must be an address or a network/)
  assert.match(
    complaints('server: {default_user_modes: "+io"}\n').join(),
    /has a letter that is not one of these/,
  )
  assert.match(complaints('server: {cloak: {ipv4: [16, 24]}}\n').join(), /from the longest to the shortest/)
  assert.deepEqual(loaded('metadata: {max_value_bytes: 333}\n').warnings, [])
  const { warnings, config } = loaded('metadata: {max_value_bytes: 480}\n')
  assert.equal(chatSettings(config, '0.0.0').metadata?.maxValueBytes, 333)
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0] ?? '',
    /metadata\.max_value_bytes is 480, but only 333 fit in a line .*: 333 is used$/,
  )
})

test('a listener for proxies without trusted ones gets a warning that nobody can connect', () => {
  const door = 'listeners: [{port: 6667}, {port: 6668, proxy_protocol: required}]\n'
  const { warnings } = loaded(door)
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0] ?? '',
    /nobody can connect on 127\.0\.0\.1:6668: .*server\.trusted_proxies names none$/,
  )
  assert.deepEqual(loaded(`${door}server: {trusted_proxies: [127.0.0.1]}\n`).warnings, [])
})

test('sts without a TLS listener gets a warning', () => {
  const server = 'server: {sts: {port: 6697}, trusted_proxies: [127.0.0.1]}\n'
  const { warnings } = loaded(server)
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /server\.sts sends clients to port 6697 with TLS, but no listener has tls/)
  for (const door of ['tls: {cert: a, key: b}', 'proxy_protocol: required'])
    assert.deepEqual(loaded(`${server}listeners: [{port: 6667}, {port: 6697, ${door}}]\n`).warnings, [])
})

test('an operator whose name no OPER could give is refused', () => {
  for (const name of ['the root', ':root', ''])
    assert.deepEqual(complaints(`opers: [{name: "${name}", password_hash: "${hash}"}]\n`), [
      '1:16 opers.0.name: must be one word, as given to OPER, at most 64 characters',
    ])
  assert.equal(loaded(`opers: [{name: "ro:ot", password_hash: "${hash}"}]\n`).config.opers[0]?.name, 'ro:ot')
})

test('secrets do not show in a complaint', () => {
  const said = complaints(
    'server: {password_hash: hunter2}\nopers: [{name: root, password_hash: hunter2}]\n',
  ).join('\n')
  assert.match(said, /server\.password_hash: must be a PHC string/)
  assert.match(said, /opers\.0\.password_hash: must be a PHC string/)
  assert.doesNotMatch(said, /hunter2/)
})

test('the file that irctest writes is accepted', () => {
  const { config, warnings } = loaded(`server:
  name: "My.Little.Server"
  network: testnet
  description: "test server"
  password_hash: null
  motd_file: null
  casemapping: ascii
  default_user_modes: ""
  trusted_proxies:
    - "127.0.0.1"
listeners:
  - host: "127.0.0.1"
    port: 12345
    tls:
      cert: /tmp/ssl.pem
      key: /tmp/key.pem
data_dir: /tmp/data
logging:
  level: error
limits:
  nick_length: 32
  channel_length: 64
  topic_length: 390
  kick_length: 390
  away_length: 200
  channel_list_modes: 60
  monitor_targets: 100
  whowas_entries: 100
  multiline_bytes: 4096
  multiline_lines: 32
  flood_protection: false
accounts:
  sasl_mechanisms:
    - PLAIN
    - SCRAM-SHA-256
  password_cost: 4
  always_on: opt_in
  registration:
    enabled: true
channels:
  registration: true
  default_modes: "+nt"
history:
  enabled: true
  tagmsg_whitelist:
    - "+draft/persist"
metadata:
  enabled: true
relaymsg:
  enabled: true
  separators: "/"
roleplay:
  enabled: false
opers:
  - name: operuser
    password_hash: "${hash}"
    title: "is a server admin"
    privileges:
      - all
webhooks:
  enabled: false
`)
  assert.equal(config.name, 'My.Little.Server')
  assert.equal(config.server.network, 'testnet')
  assert.deepEqual(config.listeners[0]?.tls, [{ cert: '/tmp/ssl.pem', key: '/tmp/key.pem' }])
  assert.equal(config.dataDir, '/tmp/data')
  assert.equal(config.webhooks.enabled, false)
  assert.deepEqual(config.opers[0]?.privileges, ['all'])
  assert.deepEqual(warnings, [])
})

test('a named file must exist; the default server.yaml need not', () => {
  const [home, file] = [newHome(), join(folder, 'none.yaml')]
  const read = load(undefined, { home, file })
  assert(!read.ok)
  assert.match(
    read.problems.map(formatProblem).join(),
    /none\.yaml:1:1: there is no such file: name another, or make an empty one for the defaults/,
  )
  symlinkSync(file, home.config)
  assert.match(complaints(undefined, { home }).join(), /is a link to a file that does not/)
})

test('an allowed host is a host name alone: with anything more no request would ever match', () => {
  for (const name of ['https://hooks.example.org', 'hooks.example.org:7680', '*.example.org', ''])
    assert.match(
      complaints(`webhooks: {allowed_hosts: ["${name}"]}`).join(),
      /allowed_hosts\.0: must be a host name alone/,
    )
  assert.match(
    complaints('server: {sts: {port: 1, hosts: ["irc.example.org:6697"]}}').join(),
    /hosts\.0: must/,
  )
  const { config } = loaded('webhooks: {allowed_hosts: [hooks.example.org, hooks_1, 192.0.2.1]}')
  assert.equal(config.webhooks.allowed_hosts.length, 3)
})

test('settings shown in the chat are one line, however YAML reads them', () => {
  for (const name of ['network', 'description', 'admin_location', 'admin_email'])
    assert.deepEqual(complaints(`server:\n  ${name}: |\n    My net\n`), [
      `2:${name.length + 5} server.${name}: must be one line: write it after the colon, in quotes`,
    ])
  const title =
    'opers: [{name: ada, title: "a\\nb", password_hash: "$argon2id$v=19$m=64,t=1,p=1$YSBzYWx0IG9m$YSBzYWx0IG9m"}]'
  assert.match(complaints(title).join(), /opers\.0\.title: must be one line/)
  assert.equal(
    loaded('server:\n  description: >-\n    folded\n    text\n').config.server.description,
    'folded text',
  )
})

test('two server operators cannot have the same name, since only the first password would count', () => {
  const entry = (name: string) => `  - {name: ${name}, password_hash: "${hash}"}\n`
  assert.equal(loaded(`opers:\n${entry('ada')}${entry('Ada')}`).config.opers.length, 2)
  assert.match(
    complaints(`opers:\n${entry('ada')}${entry('bob')}${entry('ada')}`).join(),
    /^4:12 opers\.2\.name: is used twice, and OPER would find only the first: choose another name$/,
  )
})

test('a file that is not text, is unreadable or uses an address twice is reported as such', () => {
  assert.deepEqual(complaints(Buffer.from('server: {description: caf\xe9}', 'latin1')), [
    '1:1: is not UTF-8: save it as UTF-8',
  ])
  assert.deepEqual(complaints('listeners: [{port: 6667}, {port: 6667, websocket: true}]'), [
    '127.0.0.1:6667 is used twice among listeners and webhooks: choose another port for one of them',
  ])
  for (const [one, other, isTwice] of [
    ['0.0.0.0', '127.0.0.1', true],
    ['127.0.0.1', '"::"', true],
    ['0.0.0.0', '"::1"', false],
    // A name may be of an IPv6 address alone.
    ['0.0.0.0', 'ip6-localhost', false],
  ] as const)
    assert.equal(
      load(`listeners: [{host: ${one}, port: 1}, {host: ${other}, port: 1}]`).ok,
      !isTwice,
      `${one} ${other}`,
    )
  for (const free of [
    'listeners: [{port: 0}, {port: 0}]\nwebhooks: {port: 0}',
    'listeners: [{port: 7680}]\nwebhooks: {enabled: false}',
  ])
    assert.ok(load(free).ok, free)
  assert.match(complaints('webhooks: {port: 6667}').join(), /^127\.0\.0\.1:6667 is used twice/)
  assert.match(complaints(undefined, { file: folder }).join(), /cannot be read: EISDIR/)
})

test('a pipe is refused: a reload would find it empty, and set everything back to its default', () => {
  const file = join(folder, 'pipe')
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', file])
  const writer = spawn('/bin/sh', ['-c', 'echo "server: {name: tea}" > "$0"', file])
  try {
    assert.deepEqual(complaints(undefined, { file }), [
      '1:1: is a pipe, which a reload could not read again: name a file',
    ])
  } finally {
    writer.kill()
  }
})
