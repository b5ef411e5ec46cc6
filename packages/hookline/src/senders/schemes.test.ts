// The vendors' published examples are accepted, and whatever their formats allow.
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { secretFor, type SenderName, senders, sign } from '../../test/sign.ts'
import type { BotAuth } from './authschema.ts'
import { prove } from '../webhooks/auth.ts'
import { authOf, botWith } from '../../test/rigs/webhooks.ts'
import { checkFor } from './scheme.ts'
import { proofHeaders, schemesOf } from './schemes.ts'

const noon = Date.UTC(2026, 3, 3, 12)

// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
test('github: the vector of its documentation', () => {
  const auth = { type: 'github', secrets: ["It's a Secret to Everybody"] } as const
  const published = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
  assert.equal(proof(auth, { 'x-hub-signature-256': published }, 'Hello, World!'), 'proven')
  assert.equal(proof(auth, { 'x-hub-signature-256': published }, 'Hello, World'), 'forged')
})

// https://github.com/standard-webhooks/standard-webhooks, libraries/javascript: its test data.
test('standard: the vector of the specification’s own libraries, with both families of header names, for 300 s each way', () => {
  const auth = { type: 'standard', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] } as const
  const sent = 1_614_265_330_000
  for (const family of ['webhook', 'svix']) {
    const headers = {
      [`${family}-id`]: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      [`${family}-timestamp`]: '1614265330',
      [`${family}-signature`]: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const at = (now: number) => proof(auth, headers, '{"test": 2432232314}', now)
    assert.deepEqual([sent, sent + 300_000, sent - 300_000, sent + 300_001, sent - 300_001].map(at), [
      'proven',
      'proven',
      'proven',
      'stale',
      'stale',
    ])
  }
})

// https://docs.slack.dev/authentication/verifying-requests-from-slack
test('slack: the vector of its guide', () => {
  const auth = { type: 'slack', secrets: ['8f742231b10e8888abcd99yyyzzz85a5'] } as const
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
  const headers = {
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  }
  assert.equal(proof(auth, headers, body, 1_531_420_618_000), 'proven')
  assert.equal(proof(auth, headers, body, 1_531_421_000_000), 'stale')
})

// RFC 4231, 4.3 (test case 2): what a bare hex signature is.
test('gitea, forgejo, sentry: the vector of RFC 4231, as plain hex', () => {
  const key = { kind: 'shared', bytes: Buffer.from('Jefe') } as const
  for (const type of ['gitea', 'forgejo', 'sentry', 'grafana'] as const) {
    const [scheme] = schemesOf({ type, secrets: [] })
    assert.ok(scheme?.kind === 'signed')
    const headers = { [scheme.header]: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' }
    const body = Buffer.from('what do ya want for nothing?')
    assert.equal(checkFor(scheme, [key])({ headers, body, now: noon }), 'holds', type)
  }
})

// Published by the vendors: circleci.com/docs/validate-webhooks; Jira Cloud, Secure admin webhooks; and the payload that
// github.com/PagerDuty/go-pagerduty signs in webhookv3/webhookv3_test.go, with its key.
test('circleci, jira, pagerduty: the vectors that they publish', () => {
  const payload = readFileSync(new URL('../../test/vectors/pagerduty.txt', import.meta.url), 'utf8')
  const pagerdutyKey = 'lDQHScfUeXUKaQRNF+8XIiDKZ7XX3itBAYzwU0TARw8lJqRnkKl2iB1anSb0Z+IK'
  const vectors = [
    [
      'circleci',
      'secret',
      'hello world',
      'v1=734cc62f32841568f45715aeb9f4d7891324e6d948e4c6c60c0621cdac48623a',
    ],
    [
      'circleci',
      'another-secret',
      'lalala',
      'v1=daa220016c8f29a8b214fbfc3671aeec2145cfb1e6790184ffb38b6d0425fa00',
    ],
    [
      'circleci',
      'hunter123',
      'an-important-request-payload',
      'v1=9be2242094a9a8c00c64306f382a7f9d691de910b4a266f67bd314ef18ac49fa',
    ],
    [
      'jira',
      "It's a Secret to Everybody",
      'Hello World!',
      'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9',
    ],
    [
      'pagerduty',
      pagerdutyKey,
      payload,
      'v1=0c0b9495b893a39e70d1fea2fe11fbe0a825f88b9f67846f6cc07dd2bc5476cd',
    ],
  ] as const
  for (const [type, secret, text, signature] of vectors) {
    const [scheme] = schemesOf({ type, secrets: [] })
    assert.ok(scheme?.kind === 'signed')
    const check = checkFor(scheme, [{ kind: 'shared', bytes: Buffer.from(secret) }])
    const verdict = (body: string) =>
      check({ headers: { [scheme.header]: signature }, body: Buffer.from(body), now: noon })
    assert.deepEqual([verdict(text), verdict(`${text} `)], ['holds', 'forged'], type)
  }
})

// RFC 2202, 3 and RFC 4231, 4.2 (test case 1 of each).
test('hmac: sha1, sha256 and sha512, in hex and in base64', () => {
  const published = {
    sha1: 'b617318655057264e28bc0b6fb378c8ef146be00',
    sha256: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    sha512:
      '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
  }
  const key = Buffer.alloc(20, 0x0b)
  for (const hash of ['sha1', 'sha256', 'sha512'] as const) {
    for (const encoding of ['hex', 'base64'] as const) {
      const auth: BotAuth = {
        type: 'hmac',
        secrets: [key.toString('base64')],
        header: 'X-Mac',
        prefix: 'mac ',
        hash,
        encoding,
        key: 'base64',
      }
      const signature = Buffer.from(published[hash], 'hex').toString(encoding)
      assert.equal(proof(auth, { 'x-mac': `mac ${signature}` }, 'Hi There'), 'proven', `${hash} ${encoding}`)
      assert.equal(proof(auth, { 'x-mac': signature }, 'Hi There'), 'forged')
    }
  }
})

test('hmac: id, time and body in any order, the time in a field, a header or the body', () => {
  const secrets = ['a made-up secret']
  const seconds = String(noon / 1000)
  const mac = (text: string) =>
    createHmac('sha256', secrets[0] ?? '')
      .update(text)
      .digest('hex')
  const base = { type: 'hmac', secrets, header: 'X-Mac' } as const
  const field = {
    ...base,
    prefix: 's=',
    separator: ';',
    signed: '{body}|{ts}',
    timestamp: { field: 'at', unit: 's' },
  } as const
  assert.equal(proof(field, { 'x-mac': `at=${seconds};s=${mac(`{}|${seconds}`)}` }, '{}'), 'proven')
  assert.equal(
    proof(field, { 'x-mac': `at=${seconds};at=1;s=${mac(`{}|${seconds}`)}` }, '{}'),
    'missing',
    'two times',
  )
  const header = {
    ...base,
    id: 'X-Id',
    signed: '{id}/{ts}/{body}',
    timestamp: { header: 'X-At', unit: 'ms' },
  } as const
  const send = (id: string, more = '') =>
    proof(header, { 'x-mac': mac(`${id}/${noon}/${more}{}`), 'x-id': id, 'x-at': String(noon) }, `${more}{}`)
  assert.equal(send('a'), 'proven')
  assert.equal(send('a/1'), 'missing', 'an id that could be read as id and time')
  const body = { ...base, timestamp: { body: 'sent.at', unit: 's' }, tolerance: 10 } as const
  const timed = (at: string) => {
    const json = `{"sent":{"at":${at}}}`
    return proof(body, { 'x-mac': mac(json) }, json)
  }
  for (const at of [`${noon / 1000 + 9}`, `${seconds}.123`, `${seconds}.120`, `${seconds}.000`])
    assert.equal(timed(at), 'proven', at)
  for (const at of [`${noon / 1000 - 11}`, `${noon / 1000 - 11}.50`, '"x"', 'null', '{}'])
    assert.equal(timed(at), 'stale', at)
})

test('grafana: both header names are configurable, and a time is signed with the body', () => {
  const secret = 'a made-up secret'
  const auth = {
    type: 'grafana',
    secrets: [secret],
    header: 'X-Sig',
    timestamp: { header: 'X-At', unit: 's' },
  } as const
  const seconds = String(noon / 1000)
  const headers = {
    'x-at': seconds,
    'x-sig': createHmac('sha256', secret).update(`${seconds}:{}`).digest('hex'),
  }
  assert.equal(proof(auth, headers, '{}'), 'proven')
  assert.equal(proof(auth, headers, '{}', noon + 301_000), 'stale')
  assert.equal(proof({ ...auth, tolerance: 400 }, headers, '{}', noon + 301_000), 'proven')
  assert.equal(proof(auth, { ...headers, 'x-at': '' }, '{}'), 'missing')
})

test('each type: any of its secrets is accepted, in any of several signatures; hex in either case', () => {
  for (const name of Object.keys(senders) as SenderName[]) {
    const auth = authOf(name, ...[0, 1, 2].map((n) => secretFor(name, n)))
    const body = `{"webhookTimestamp":${noon}}`
    for (const n of [0, 1, 2]) {
      const { headers } = sign(name, { secret: secretFor(name, n), body, at: noon })
      assert.equal(proof(auth, headers, body), 'proven', `${name} ${n}`)
    }
    const { headers } = sign(name, { secret: secretFor(name, 3), body, at: noon })
    assert.equal(proof(auth, headers, body), 'forged', name)
  }
  const { headers } = sign('gitea', { secret: secretFor('gitea'), body: '{}' })
  const loud = { 'x-gitea-signature': headers['x-gitea-signature']?.toUpperCase() }
  assert.equal(proof({ type: 'gitea', secrets: [secretFor('gitea')] }, loud, '{}'), 'proven')
})

test('standard: a list of signatures; ed25519 where the bot has the public key; other versions are ignored', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const whpk = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`
  const secret = secretFor('standard')
  const { headers } = sign('standard', { secret, body: '{}', id: 'msg_1', at: noon })
  const signature = headers['webhook-signature'] ?? ''
  const v1a = `v1a,${signWith(null, Buffer.from(`msg_1.${noon / 1000}.{}`), privateKey).toString('base64')}`
  const send = (secrets: readonly string[], list: string) =>
    proof({ type: 'standard', secrets }, { ...headers, 'webhook-signature': list }, '{}')
  assert.equal(send([secret], `v1,${'A'.repeat(43)}= v2,x ${signature}`), 'proven')
  assert.equal(send([whpk], v1a), 'proven')
  assert.equal(send([whpk, secret], signature), 'proven')
  assert.equal(send([secret], v1a), 'forged')
  assert.equal(send([whpk], signature), 'forged')
  assert.equal(send([whpk], v1a.replace('v1a', 'v1')), 'forged')
  assert.equal(send([secret], signature.replace('v1,', 'v2,')), 'forged')
  assert.equal(
    send([secret], Array.from({ length: 20 }, () => 'v1,x').join(' ') + ` ${signature}`),
    'forged',
    'the 21st',
  )
})

test('every authentication header is known by name, so that it is not kept', () => {
  for (const name of Object.keys(senders) as SenderName[]) {
    const sent = Object.keys(sign(name, { secret: secretFor(name), body: '{}' }).headers)
    assert.ok(
      proofHeaders(authOf(name)).some((header) => sent.includes(header)),
      name,
    )
  }
  assert.deepEqual(proofHeaders({ type: 'hmac', secrets: [], header: 'X-Plain-Name' }), ['x-plain-name'])
  assert.deepEqual(proofHeaders({ type: 'none', secrets: [] }), [])
})

function proof(auth: BotAuth, headers: Record<string, string | undefined>, body: string, now = noon): string {
  const answer = prove(botWith(auth), headers, Buffer.from(body), now)
  return answer.kind === 'unproven' ? answer.reason : answer.kind
}
