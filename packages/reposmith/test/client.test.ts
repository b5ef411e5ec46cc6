// How the host is asked: tries, waits, redirects, addresses, the token.
import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createPlainServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import type { Failure } from '../src/failure.ts'
import { makePlan } from '../src/plan/plan.ts'
import { runPlan } from '../src/plan/run.ts'
import type { Plan } from '../src/plan/step.ts'
import { clientFor } from './client.ts'
import { testClock } from './clock.ts'
import { count, startHost, TOKEN, writes } from './host.ts'
import { listen } from './listen.ts'
import { asJson, bin, reposmith, reposmithProcess, succeed, temporaryFolder, writeTool } from './rig.ts'

const SET_TOPICS = {
  kind: 'request',
  title: 'set the topics',
  op: 'update',
  method: 'PUT',
  path: '/repos/octo/widget/topics',
  body: { names: [] },
  asked: true,
} as const
const APPLY = ['repo', 'create', 'widget', '--org', 'octo', '--apply']

// Each mostly waits, and need not wait for the others.
describe('waits', { concurrency: true }, () => {
  test('a failing server is asked again, also after a read that found nothing', async () => {
    await using host = await startHost()
    host.fail({ on: 'PUT /repos/octo/widget/actions/permissions', status: 502 })
    const ran = await reposmith(APPLY, { url: host.url })
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(count(host, 'PUT /repos/octo/widget/actions/permissions'), 2)
    assert.equal(ran.stderr, 'waiting 1 s: the host answered 502\n')
  })

  test('--max-wait bounds all waiting: 1, 2 and 4 s would be more than 4', async () => {
    await using host = await startHost()
    host.fail({ on: 'GET /user', status: 503, times: 9 })
    const ran = await reposmith(['whoami', '--max-wait', '4', '--json'], { url: host.url })
    assert.equal(ran.code, 4)
    assert.equal(count(host, 'GET /user'), 3)
    assert.equal(asJson<Failure>(ran.stderr).retryable, true, 'one line of JSON, and no word of waiting')
  })

  test('a rate limit within --max-wait is waited for', async () => {
    await using host = await startHost()
    const body = { message: 'You have exceeded a secondary rate limit' }
    host.fail({ on: 'GET /user', status: 403, body, headers: { 'retry-after': '1' } })
    const ran = await reposmith(['whoami'], { url: host.url })
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(ran.stderr, 'waiting 1 s: the host has a rate limit\n')
  })

  test('a Retry-After alone is also waited for', async () => {
    await using host = await startHost()
    for (const status of [429, 403])
      host.fail({ on: 'GET /user', status, body: { message: 'slow down' }, headers: { 'retry-after': '1' } })
    const ran = await reposmith(['whoami'], { url: host.url })
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(ran.stderr, 'waiting 1 s: the host has a rate limit\n'.repeat(2))
  })

  test('no wait is announced after the last try', async () => {
    await using host = await startHost()
    host.fail({ on: 'PUT /repos/octo/widget/actions/permissions', status: 502, times: 9 })
    const ran = await reposmith([...APPLY, '--max-wait', '7'], { url: host.url })
    assert.equal(ran.code, 4)
    assert.deepEqual(ran.stderr.match(/waiting \d+ s/g), ['waiting 1 s', 'waiting 2 s', 'waiting 4 s'])
  })

  test('a host that says when it is back is asked then, also for what it did not create', async () => {
    await using host = await startHost()
    const headers = { 'retry-after': '2' }
    host.fail({ on: 'GET /repos/octo/widget', status: 503, headers })
    host.fail({ on: 'POST /orgs/octo/repos', status: 503, headers })
    const ran = await reposmith(APPLY, { url: host.url })
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(ran.stderr, 'waiting 2 s: the host answered 503\n'.repeat(2))

    host.fail({ on: 'GET /user', status: 503, headers: { 'retry-after': '900' } })
    const away = await reposmith(['whoami', '--json'], { url: host.url })
    const { remediation, retry_after_s: after } = asJson<Failure>(away.stderr)
    assert.deepEqual([after, remediation], [900, 'run it again in 900 s, or let it wait: --max-wait 900'])
  })

  test('a timer that wakes a little early does not cause a second wait', async () => {
    await using host = await startHost()
    const on = 'GET /user'
    host.fail({ on, status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '1' } })
    let now = 0
    const clock = {
      now: () => now,
      sleep: async (ms: number) => void (now += await Promise.resolve(ms - 0.5)),
    }
    const waits: number[] = []
    const client = clientFor(host, {
      clock,
      maxWaitSeconds: 60,
      onWait: (seconds) => void waits.push(seconds),
    })
    assert.ok((await client.send('GET', '/user')).ok)
    assert.deepEqual(waits, [1])
  })

  test('after ten writes there is one per second', async () => {
    await using host = await startHost()
    host.seed('octo/widget')
    const clock = testClock()
    const client = clientFor(host, { clock })
    for (let writes = 0; writes < 12; writes++)
      assert.ok((await client.send('PUT', '/repos/octo/widget/topics', { names: [] })).ok)
    assert.deepEqual(clock.slept, [1000, 1000])
  })

  test('Ctrl-C before the turn of a write: it is not sent, and is not called failed', async () => {
    await using host = await startHost()
    host.seed('octo/widget')
    const stop = new AbortController()
    const steps = Array.from({ length: 12 }, (_, index) => ({ ...SET_TOPICS, id: String(index) }))
    const applied = await runPlan(
      makePlan({ host: host.url, target: 'octo/widget', state: 'read' }, steps),
      {
        wire: clientFor(host, { stop: stop.signal }),
        stop: stop.signal,
        now: () => 0,
        // Ten are sent at once, so that this one waits by then.
        onStep: ({ id }) => void (id === '10' && queueMicrotask(() => stop.abort())),
      },
      'again',
    )
    assert.equal(writes(host).length, 10)
    const { message, partial } = applied.failure ?? {}
    assert.equal(message, 'stopped; 10 of 12 steps were applied')
    assert.deepEqual([partial?.failed, partial?.not_reached], [null, ['10', '11']])
  })

  test('a secondary limit that continues is waited for longer each time', async () => {
    await using host = await startHost()
    const fault = {
      on: 'GET /user',
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit' },
    }
    host.fail({ ...fault, headers: { 'retry-after': '1' } })
    host.fail(fault)
    let said = ''
    const onStart = (child: ChildProcess): void => {
      child.stderr?.on('data', (text) => {
        said += String(text)
        if (said.split('waiting').length > 2) child.kill('SIGINT')
      })
    }
    const ran = await reposmithProcess(['whoami', '--max-wait', '600'], { url: host.url, onStart })
    assert.match(
      ran.stderr,
      /^waiting 1 s: the host has a rate limit\nwaiting 120 s: the host has a rate limit\n/,
    )
  })

  test('an expired limit still causes a pause, and no hint names a --max-wait that would not help', async () => {
    const paused = `${'waiting 1 s: the host has a rate limit\n'.repeat(2)}hint: run it again in 1 s\n`
    const past = new Date(Date.now() - 60_000).toUTCString()
    const rows = [
      [{ 'retry-after': '1' }, paused],
      [{ 'retry-after': past }, paused],
      [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }, paused],
      [{ 'retry-after': '3' }, 'hint: run it again in 3 s, or let it wait: --max-wait 3\n'],
    ] as const
    const seen = rows.map(async ([headers, says]) => {
      await using host = await startHost()
      host.fail({ on: 'GET /user', status: 429, headers, times: 9 })
      const ran = await reposmith(['whoami', '--max-wait', '2'], { url: host.url })
      assert.equal(ran.stderr.replace(/^error: .*\n/m, ''), says)
    })
    await Promise.all(seen)
  })
})

test('an unreachable host is not asked again', async () => {
  const gone = await startHost()
  await gone[Symbol.asyncDispose]()
  for (const url of [gone.url, 'http://127.0.0.1:1']) {
    const ran = await reposmith(['whoami'], { url })
    assert.equal(ran.code, 4)
    assert.match(ran.stderr, /^error: GET \/user: cannot reach 127\.0\.0\.1:\d+: (ECONNREFUSED|bad port)\n/)
  }
  // The port stays blocked: whoever goes by `retryable` would try for ever.
  const blocked = await reposmith(['whoami', '--json'], { url: 'http://127.0.0.1:1' })
  const { retryable, remediation } = asJson<Failure>(blocked.stderr)
  assert.equal(retryable, false)
  assert.match(remediation, /have the host listen on another/)
})

test('a host without TLS is not asked again', async () => {
  await using plain = await startHost()
  const ran = await reposmith(['whoami'], { url: plain.url.replace('http:', 'https:') })
  assert.equal(ran.code, 4)
  assert.match(ran.stderr, /^error: GET \/user: cannot reach 127\.0\.0\.1:\d+: ERR_SSL_/)
})

test('a refusal names the variable of the token, or the path of the API', async () => {
  await using host = await startHost()
  const env = { CODEHOST_TOKEN: '', CH_TOKEN: 'wrong' }
  const refused = await reposmith(['whoami'], { url: host.url, env })
  assert.match(refused.stderr, /hint: the token in CH_TOKEN is wrong or has expired: set it to a new one\n/)
  const lost = await reposmith(['whoami'], { url: `${host.url}/wrong` })
  assert.match(
    lost.stderr,
    /hint: check --api-url \(or CODEHOST_API_URL\): the API may be under another path/,
  )
})

test('a rate limit beyond it is exit 4 at once, with the time to retry', async () => {
  await using host = await startHost()
  const headers = {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 900),
  }
  host.fail({ on: 'GET /user', status: 403, headers })
  const ran = await reposmith(['whoami', '--json'], { url: host.url })
  assert.equal(ran.code, 4)
  const { kind, remediation, retry_after_s: after, http } = asJson<Failure>(ran.stderr)
  assert.equal(kind, 'rate_limited')
  assert.match(remediation, /^run it again in \d+ s, or let it wait: --max-wait \d+$/)
  assert.ok(after && after > 890 && after < 905, String(after))
  assert.deepEqual(http, { status: 403, method: 'GET', path: '/user', request_id: 'R1' })
})

test('no answer within --timeout is exit 4, timeout', async () => {
  await using host = await startHost()
  const { promise, resolve } = Promise.withResolvers<void>()
  host.fail({ on: 'GET /user', until: promise, times: 9 })
  const ran = await reposmith(['whoami', '--timeout', '1', '--max-wait', '0', '--json'], { url: host.url })
  resolve()
  assert.equal(ran.code, 4)
  const { kind, message } = asJson<Failure>(ran.stderr)
  assert.equal(kind, 'timeout')
  assert.match(message, /no answer from 127\.0\.0\.1:\d+ in 1 s/)
})

test('an untrusted certificate is reported at once, with a hint on naming its CA', async () => {
  using folder = temporaryFolder()
  await using server = await startTls(folder.path, (_, response) => {
    response.setHeader('content-type', 'application/json').end('{"login":"ada"}')
  })
  const { url, cert } = server
  const refused = await reposmith(['whoami', '--json'], { url })
  const trusted = await reposmithProcess(['whoami'], { url, env: { NODE_EXTRA_CA_CERTS: cert } })
  const byNumber = url.replace('localhost', '127.0.0.1')
  const misnamed = await reposmithProcess(['whoami'], { url: byNumber, env: { NODE_EXTRA_CA_CERTS: cert } })
  const { kind, message, remediation, retryable } = asJson<Failure>(refused.stderr)
  assert.deepEqual([refused.code, kind, retryable], [4, 'network', false])
  assert.match(message, /the certificate of localhost:\d+ is not trusted: DEPTH_ZERO_SELF_SIGNED_CERT/)
  assert.match(remediation, /NODE_EXTRA_CA_CERTS/)
  assert.equal(trusted.code, 0, trusted.stderr)
  assert.match(
    misnamed.stderr,
    /ERR_TLS_CERT_ALTNAME_INVALID\nhint: it is for another name: check --api-url\n$/,
  )
})

test('a redirect from https to plain http is not followed', async () => {
  using folder = temporaryFolder()
  await using plain = await startHost()
  await using server = await startTls(folder.path, (_, response) => {
    response.writeHead(302, { location: `${plain.url}/user` }).end()
  })
  const ran = await reposmithProcess(['whoami'], {
    url: server.url,
    env: { NODE_EXTRA_CA_CERTS: server.cert },
  })
  assert.deepEqual([ran.code, plain.requests.length], [4, 0])
  assert.match(ran.stderr, /answered 302, and leads to http:/)
})

/** An HTTPS server for the name localhost, and its certificate. */
async function startTls(folder: string, answer: RequestListener) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost'
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [...made.split(' '), ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer)
  const listening = await listen(server)
  return { ...listening, url: listening.url.replace('http://127.0.0.1', 'https://localhost'), cert }
}

test('a refusing proxy is named at once, without its password', async () => {
  let asked = 0
  const proxy = createPlainServer()
  proxy.on('connect', (_, socket) => {
    asked++
    socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n')
  })
  await using listening = await listen(proxy)
  const address = listening.url.replace('//', '//ada:pass-word@')
  const env = { CODEHOST_TOKEN: TOKEN, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: address }
  const args = ['whoami', '--api-url', 'https://git.example.invalid/api/v3', '--json']
  const ran = await reposmithProcess(args, { env })
  assert.deepEqual([ran.code, asked], [4, 1])
  const { message, remediation, retryable } = asJson<Failure>(ran.stderr)
  assert.match(message, /cannot reach git\.example\.invalid: the proxy answered 407$/)
  assert.match(remediation, /^check HTTPS_PROXY/)
  assert.equal(retryable, false)
  assert.doesNotMatch(ran.stderr, /pass-word/)
})

test('a truncated answer does not count: settings made by hand are read again, and kept', async () => {
  await using host = await startHost()
  const environment = { body: { wait_timer: 30, reviewers: [{ type: 'User', id: 41 }] }, policies: [] }
  host.seed('octo/widget').environments.set('index', environment)
  host.fail({ on: 'GET /repos/octo/widget/environments/index', drop: 'in the answer' })
  const ran = await reposmith(['repo', 'env', 'octo/widget', '--tag', 'v*', '--apply'], { url: host.url })
  assert.equal(ran.code, 0, ran.stderr)
  const body = host.repos.get('octo/widget')?.environments.get('index')?.body
  assert.deepEqual([body?.['wait_timer'], body?.['reviewers']], [30, [{ type: 'User', id: 41 }]])
})

test('an answer of more than 16 MiB does not count', async () => {
  await using host = await startHost()
  const body = { login: 'ada', id: 41, bio: 'a'.repeat(16 * 1024 * 1024) }
  host.fail({ on: 'GET /user', status: 200, body, isForeign: true })
  const ran = await reposmith(['whoami'], { url: host.url })
  assert.equal(ran.code, 4)
  assert.match(ran.stderr, /answered 200, but not as its API would/)
})

test('an HTML page instead of an answer is exit 4, and nothing is planned on it', async () => {
  await using host = await startHost()
  const page = { status: 200, body: '<html>log in</html>', headers: { 'content-type': 'text/html' } }
  const rows = [
    { ...page, says: /GET \/user: 127\.0\.0\.1:\d+ answered 200, but not as its API would/ },
    { body: {}, says: /does not say whose the token is/ },
  ]
  for (const { says, ...fault } of rows) {
    host.fail({ on: 'GET /user', status: 200, isForeign: true, ...fault })
    const ran = await reposmith(['repo', 'create', 'widget', '--apply'], { url: host.url })
    assert.equal(ran.code, 4, ran.stdout)
    assert.match(ran.stderr, says)
  }
  host.fail({ on: 'GET /user', status: 200, body: {}, isForeign: true })
  assert.equal((await reposmith(['whoami'], { url: host.url })).code, 4)
  host.fail({ on: 'GET /repos/octo/widget', status: 200, body: {}, isForeign: true })
  const unnamed = await reposmith(APPLY, { url: host.url })
  assert.deepEqual([unnamed.code, unnamed.stdout], [4, ''])
  assert.match(unnamed.stderr, /does not say which repository that is/)
  assert.deepEqual(writes(host), [])
})

test('JSON is read whatever the host calls it', async () => {
  const types = ['application/vnd.github+json; charset=utf-8', 'text/plain', undefined]
  const server = createPlainServer((_, response) => {
    const type = types.pop()
    if (type !== undefined) response.setHeader('content-type', type)
    // RFC 8259, 8.1: a byte order mark before it may be ignored.
    response.end(`${type === undefined ? '' : '\ufeff'} {"login":"ada"}`)
  })
  await using listening = await listen(server)
  while (types.length > 0) {
    const ran = await reposmith(['whoami', '--json'], { url: listening.url })
    assert.deepEqual([ran.code, asJson(ran.stdout)], [0, { login: 'ada' }], ran.stderr)
  }
})

test('a 404 that is no JSON does not prove that a repository is missing', async () => {
  await using host = await startHost()
  const page = '<!DOCTYPE html>\n<title>Not here</title>'
  for (const [type, body, says] of [
    ['text/html', page, ' with a page'],
    ['application/xhtml+xml', page, ' with a page'],
    ['text/plain; charset=utf-8', 'default backend - 404', ': default backend - 404'],
    // https://www.envoyproxy.io: as it answers where it has no route.
    ['text/plain', '', ''],
  ] as const) {
    host.requests.length = 0
    const headers = { 'content-type': type }
    host.fail({ on: 'GET /repos/octo/widget', status: 404, body, headers, isForeign: true })
    const ran = await reposmith(APPLY, { url: host.url })
    assert.deepEqual([ran.code, host.requests.length], [4, 1])
    assert.ok(ran.stderr.includes(` answered 404${says}\nhint: check --api-url`), ran.stderr)
  }
})

test('an answer that is no list, or never ends, does not count; null is an empty list', async () => {
  const on = 'GET /repos/octo/widget/environments/index/deployment-branch-policies'
  const policies = [{ id: 1, name: 'v*', type: 'tag' }]
  const more = { link: '</again>; rel="next"' }
  await using other = await startHost()
  const elsewhere = { link: `<${other.url}/again>; rel="next"` }
  for (const [body, headers, says] of [
    [{ message: 'hello' }, {}, /policies: the host does not say what is on the list\nhint: check --api-url/],
    [{ total_count: 0 }, {}, /policies: the host does not say what is on the list\n/],
    [{ total_count: 1, branch_policies: policies }, more, /does not say where the list ends\n/],
    // There the token would not go, and the answer would be that of a stranger.
    [
      { total_count: 1, branch_policies: policies },
      elsewhere,
      /does not say where the list ends\nhint: check --api-url/,
    ],
    [{ total_count: 0, branch_policies: null }, {}, undefined],
  ] as const) {
    await using host = await startHost()
    const mode = { protected_branches: false, custom_branch_policies: true }
    host.seed('octo/widget').environments.set('index', { body: { deployment_branch_policy: mode }, policies })
    for (const path of [on, 'GET /again'])
      host.fail({ on: path, status: 200, body, headers, times: 200, isForeign: true })
    const ran = await reposmith(['repo', 'env', 'octo/widget', '--tag', 'v*', '--reset'], { url: host.url })
    assert.equal(ran.code, says === undefined ? 0 : 4, ran.stdout)
    if (says) assert.match(ran.stderr, says)
    assert.ok(host.requests.length < 110)
    assert.deepEqual(other.requests, [])
  }
})

test('a Retry-After may be a date, and a past one counts as a second', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
  for (const [value, low, high] of [
    [inAnHour, 3400, 3600],
    ['61.5', 62, 62],
    ['-5', 1, 1],
  ] as const) {
    await using host = await startHost()
    host.fail({ on: 'GET /user', status: 429, headers: { 'retry-after': value } })
    const ran = await reposmith(['whoami', '--max-wait', '0', '--json'], { url: host.url })
    const { retry_after_s: after } = asJson<Failure>(ran.stderr)
    assert.ok(typeof after === 'number' && after >= low && after <= high, `${value}: ${after}`)
  }
})

test('with --json no terminal control character of the host is printed unescaped', async () => {
  await using host = await startHost()
  const body = { login: 'ada', name: '\u009b2J\u202ead\u061ca' }
  host.fail({ on: 'GET /user', status: 200, body })
  const ran = await reposmith(['whoami', '--json'], { url: host.url })
  assert.doesNotMatch(ran.stdout.trimEnd(), /[\p{Cc}\p{Bidi_Control}]/u)
  assert.equal(asJson<typeof body>(ran.stdout).name, body.name)
})

test('a terminal is shown none of the host’s escape sequences, not even one that hides what follows', async () => {
  await using host = await startHost()
  host.fail({ on: 'GET /user', status: 200, body: { login: '\u001b[8mada', name: '\u001b[2Jada' } })
  const pty = 'import pty, sys; pty.spawn(sys.argv[1:])'
  const child = spawn('python3', ['-c', pty, process.execPath, bin, 'whoami'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm', CODEHOST_API_URL: host.url, CODEHOST_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const shown = await text(child.stdout)
  assert.match(shown, /^login +\[8mada\r\n/)
  assert.ok(!shown.includes('\u001b'), JSON.stringify(shown))
})

test('a redirect keeps the method and the body', async () => {
  await using host = await startHost()
  host.seed('octo/gadget')
  host.fail({
    on: 'PUT /repos/octo/widget/actions/permissions',
    status: 307,
    headers: { location: '/repos/octo/gadget/actions/permissions' },
  })
  const ran = await reposmith(APPLY, { url: host.url })
  assert.equal(ran.code, 0, ran.stderr)
  assert.deepEqual(host.repos.get('octo/gadget')?.actions, { enabled: true, allowed_actions: 'all' })
})

test('a redirect to another origin is not followed: without a token, that host would say what is not so', async () => {
  await using host = await startHost()
  await using other = await startHost()
  for (const [on, status] of [
    ['GET /user', 302],
    ['POST /user/repos', 307],
  ] as const) {
    const location = other.url + on.slice(on.indexOf('/'))
    host.fail({ on, status, headers: { location }, isForeign: true })
    const ran = await reposmith(['repo', 'create', 'widget', '--apply'], { url: host.url })
    assert.equal(ran.code, 4, ran.stdout)
    assert.ok(ran.stderr.includes(`answered ${status}, and leads to ${location}\n`), ran.stderr)
    assert.match(ran.stderr, /\nhint: check --api-url/)
  }
  assert.deepEqual(other.requests, [])
})

test('a write that is answered with a 303, as by the login page of a proxy, is not taken for done', async () => {
  await using host = await startHost()
  for (const [on, partial] of [
    ['POST /orgs/octo/repos', { applied: [], failed: 'repo', not_reached: ['actions', 'workflow-token'] }],
    [
      'PUT /repos/octo/widget/actions/permissions',
      { applied: ['repo'], failed: 'actions', not_reached: ['workflow-token'] },
    ],
  ] as const) {
    host.fail({ on, status: 303, headers: { location: '/login' }, isForeign: true })
    const ran = await reposmith([...APPLY, '--json'], { url: host.url })
    assert.equal(ran.code, 4, ran.stdout)
    const failure = asJson<Failure>(ran.stderr)
    assert.match(failure.message, /answered 303, and leads to \/login/)
    assert.deepEqual({ ...failure.partial, resume: '' }, { ...partial, resume: '' })
  }
})

test('a token is sent to the host that it belongs to, and to no other', async () => {
  await using host = await startHost()
  const rows = [
    [{ CODEHOST_TOKEN: TOKEN, CODEHOST_API_URL: host.url }, [], 0],
    [{ CH_TOKEN: TOKEN, CODEHOST_API_URL: host.url }, [], 0],
    [{ CH_TOKEN: TOKEN }, ['--api-url', host.url], 0],
    [{ CODEHOST_TOKEN: TOKEN, CH_TOKEN: 'other', CODEHOST_API_URL: host.url }, [], 0],
    [
      { CODEHOST_TOKEN: TOKEN, CODEHOST_API_URL: 'https://git.example.org/api/v3' },
      ['--api-url', host.url],
      2,
    ],
    [{ GITHUB_TOKEN: TOKEN, CODEHOST_API_URL: host.url }, [], 0],
    [{ GH_TOKEN: TOKEN, CODEHOST_API_URL: 'https://git.example.org/api/v3' }, [], 2],
  ] as const
  for (const [env, flags, code] of rows) {
    const ran = await reposmith(['whoami', ...flags], { env })
    assert.equal(ran.code, code, `${JSON.stringify(env)} ${flags.join(' ')}: ${ran.stderr}`)
    if (code === 2) assert.match(ran.stderr, /belongs to another host/)
  }
})

test('a token echoed by the host is not printed', async () => {
  const message = `${'not a valid key in the header: '.repeat(6)}'Bearer ${TOKEN}'`
  const faults = [
    { status: 403, body: { message, errors: [message] } },
    { status: 200, body: { login: 'ada', name: TOKEN } },
    { status: 302, headers: { location: `/user?token=${TOKEN}` } },
    { status: 422, body: `{"message":"${escaped(TOKEN)} is no key"}` },
  ]
  for (const fault of faults) {
    await using host = await startHost()
    host.fail({ on: 'GET /user', isForeign: true, times: 20, ...fault })
    for (const flags of [[], ['--json']]) {
      const ran = await reposmith(['whoami', ...flags], { url: host.url, env: { REPOSMITH_DEBUG: '1' } })
      assert.doesNotMatch(ran.stdout + ran.stderr, /test-token/)
    }
  }
})

/** As some hosts write JSON. */
function escaped(text: string): string {
  return text.replaceAll(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

test('an enterprise host has its API under a path, and gets the same requests', async () => {
  await using host = await startHost({ prefix: '/api/v3' })
  await succeed([...APPLY, '--visibility', 'internal', '--json'], { url: host.url })
  assert.equal(host.repos.get('octo/widget')?.data['visibility'], 'internal')
})

test('a repository gets at most as many topics as its host accepts', async () => {
  for (const [prefix, most] of [
    ['/api/v3', 20],
    ['/api/v1', 25],
  ] as const) {
    await using host = await startHost({ prefix })
    const create = async (count: number) => {
      const topics = Array.from({ length: count }, (_, index) => ['--topic', `topic-${index}`]).flat()
      return await reposmith([...APPLY, ...topics, '--json'], { url: host.url })
    }
    const refused = await create(most + 1)
    assert.equal(refused.code, 1)
    const { message } = asJson<Failure>(refused.stderr)
    assert.equal(message, `add topics: it would have ${most + 1}, and at most ${most} are allowed`)
    assert.deepEqual(writes(host), [])
    const taken = await create(most)
    assert.equal(taken.code, 0, taken.stderr)
  }
})

test('on Gitea missing features are blocked steps: skipped, or refused if asked for', async () => {
  await using host = await startHost({ prefix: '/api/v1' })
  const args = [...APPLY, '--topic', 'cli', '--json']
  const { plan, actions_permissions_set } = await succeed<{
    plan: { steps: { id: string; kind: string; status: string }[] }
    actions_permissions_set: boolean
  }>(args, { url: host.url })
  assert.equal(actions_permissions_set, false)
  assert.deepEqual(
    plan.steps.map(({ id, status }) => [id, status]),
    [
      ['repo', 'done'],
      ['settings', 'done'],
      ['topics', 'done'],
      ['actions', 'skipped'],
    ],
  )
  assert.deepEqual(
    writes(host).map(({ body }) => body),
    [
      { name: 'widget', private: false, auto_init: true },
      { has_issues: true, has_wiki: false, has_projects: false },
      { topics: ['cli'] },
    ],
  )
  assert.ok(host.requests.every(({ headers }) => headers.accept === 'application/json'))

  host.requests.length = 0
  const asked = await reposmith([...args, '--workflow-token', 'write'], { url: host.url })
  assert.equal(asked.code, 1)
  assert.equal(asJson<Failure>(asked.stderr).kind, 'blocked')
  const typed = ['repo', 'env', 'octo/widget', '--reviewer', 'nobody', '--apply', '--json']
  const env = await reposmith(typed, { url: host.url })
  assert.equal(env.code, 1)
  assert.match(asJson<Failure>(env.stderr).message, /has no environments/)
  assert.deepEqual(writes(host), [])
})

test('an archived repository takes no change: the dry-run says so, and nothing is sent', async () => {
  await using host = await startHost()
  host.seed('octo/widget', { archived: true })
  const environment = ['repo', 'env', 'octo/widget', '--branch', 'main', '--json']
  const { plan } = await succeed<{ plan: Plan }>([...environment, '--refresh'], { url: host.url })
  assert.match(plan.refusal ?? '', /^create the environment .*: the repository is archived/)
  const refused = await reposmith([...environment, '--apply'], { url: host.url })
  assert.equal(refused.code, 1)
  const { kind, message } = asJson<Failure>(refused.stderr)
  assert.deepEqual([kind, message], ['blocked', plan.refusal])

  const typed = ['repo', 'create', 'widget', '--org', 'octo', '--apply', '--json']
  const created = await succeed<{ plan: Plan; already_existed: boolean }>(typed, { url: host.url })
  assert.equal(created.already_existed, true)
  assert.equal(created.plan.refusal, null, 'what differs are defaults alone')
  assert.deepEqual(writes(host), [])
})

test('after our own two variables, the order is that of gh: GH_TOKEN, GITHUB_TOKEN, and last gh itself, which is said', async () => {
  await using host = await startHost()
  using folder = temporaryFolder()
  const { port } = new URL(host.url)
  writeTool(
    join(folder.path, 'gh'),
    `test "$*" = 'auth token --hostname 127.0.0.1:${port}' && echo '${TOKEN}'`,
  )
  const said = `no token is set: the one that gh has for 127.0.0.1:${port} is used (gh auth token)\n`
  const path = `${folder.path}:/usr/bin:/bin`
  const rows = [
    [{ CODEHOST_TOKEN: TOKEN, CH_TOKEN: 'x', GH_TOKEN: 'x', GITHUB_TOKEN: 'x' }, 0, ''],
    [{ CH_TOKEN: TOKEN, GH_TOKEN: 'x', GITHUB_TOKEN: 'x' }, 0, ''],
    [{ GH_TOKEN: TOKEN, GITHUB_TOKEN: 'x' }, 0, ''],
    [{ GITHUB_TOKEN: TOKEN }, 0, ''],
    [{ PATH: path }, 0, said],
    [{ PATH: path, GH_TOKEN: 'x' }, 3, undefined],
    [{}, 2, undefined],
  ] as const
  for (const [env, code, says] of rows) {
    const ran = await reposmith(['whoami', '--api-url', host.url], { env })
    assert.equal(ran.code, code, ran.stderr)
    if (says !== undefined) assert.equal(ran.stderr, says)
  }
  const json = await reposmith(['whoami', '--api-url', host.url, '--json'], { env: { PATH: path } })
  assert.deepEqual([json.code, json.stderr], [0, ''])
})
