import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTH_TYPE_NAMES, secretForm } from './authtypes.ts'
import { problemsIn, required } from '../../test/rigs/bots.ts'
import { newSecret } from './secret.ts'

test('every type parses with a new secret of its form, and fails without one', () => {
  for (const type of AUTH_TYPE_NAMES) {
    const header = type === 'hmac' ? ', header: X-Sig' : ''
    const secret = JSON.stringify(newSecret(secretForm({ type })))
    assert.deepEqual(
      problems(`{type: ${type}${header}${type === 'none' ? '' : `, secrets: [${secret}]`}}`),
      [],
      type,
    )
    const [without = ''] = problems(`{type: ${type}${header}}`)
    if (type === 'none') assert.equal(without, '')
    else assert.match(without, /trigger\.auth\.secrets: (is required|must hold at least one secret)/, type)
  }
})

test('mistakes are named, with the key that was meant', () => {
  const wrong: readonly [string, RegExp][] = [
    [
      '{type: githb, secrets: [12345678]}',
      /auth\.type: must be one of github, .*none: did you mean github\?$/,
    ],
    ['{type: github, secret: ["12345678"]}', /auth\.secret: unknown key: did you mean secrets\?/],
    [
      '{type: hmac, header: X-S, secrets: ["12345678"], tolerence: 5}',
      /unknown key: did you mean tolerance\?/,
    ],
    [
      '{type: github, secrets: ["12345678"], header: X-S}',
      /auth\.header: is not for type github: it goes with hmac, token, grafana/,
    ],
    ['{type: github, secrets: ["12345678"], tolerance: 5}', /auth\.tolerance: is not for type github/],
    ['{type: none, secrets: ["12345678"]}', /auth\.secrets: must be left out/],
    ['{type: standard, secrets: ["no base 64!"]}', /secrets\.0: must be base64/],
    ['{type: standard, secrets: ["whpk_c2hvcnRzaG9ydA=="]}', /secrets\.0: must hold 32 bytes/],
    ['{type: basic, secrets: ["no-colon-here"]}', /secrets\.0: must be user:password/],
    ['{type: hmac, secrets: ["12345678"]}', /auth\.header: is required/],
    ['{type: hmac, header: "X S", secrets: ["12345678"]}', /auth\.header: must be the name of a header/],
    ['{type: hmac, header: X-S, secrets: ["12345678"], signed: "{ts}"}', /auth\.signed: must hold \{body\}/],
    [
      '{type: hmac, header: X-S, secrets: ["12345678"], signed: "{body}{body}"}',
      /auth\.signed: may hold \{body\} only once/,
    ],
    [
      '{type: hmac, header: X-S, secrets: ["12345678"], signed: "{time}{body}"}',
      /auth\.signed: \{time\} is unknown/,
    ],
    ['{type: hmac, header: X-S, secrets: ["12345678"], signed: "{id}.{body}"}', /auth\.id: is required/],
    [
      '{type: hmac, header: X-S, secrets: ["12345678"], signed: "{ts}.{body}"}',
      /auth\.timestamp: is required/,
    ],
    [
      '{type: hmac, header: X-S, secrets: ["12345678"], timestamp: {header: X-T}}',
      /auth\.signed: must hold \{ts\}/,
    ],
    [
      '{type: hmac, header: X-S, secrets: ["12345678"], timestamp: {}}',
      /auth\.timestamp: must name one place/,
    ],
    [
      '{type: hmac, header: X-S, secrets: ["12345678"], signed: "{ts}{body}", timestamp: {field: t}}',
      /auth\.separator: is required/,
    ],
    ['{type: hmac, header: X-S, secrets: ["12345678"], tolerance: 9}', /auth\.tolerance: needs timestamp/],
    ['{type: grafana, secrets: ["12345678"], tolerance: 9}', /auth\.tolerance: needs timestamp/],
    ['{type: grafana, secrets: ["12345678"], timestamp: {body: t}}', /auth\.timestamp: must be a header/],
  ]
  for (const [auth, expected] of wrong) {
    const found = problems(auth)
    assert.ok(
      found.some((problem) => expected.test(problem)),
      `${auth}\n${found.join('\n')}`,
    )
    assert.ok(!/12345678|no base 64|no-colon/.test(found.join()), 'a problem shows no secret')
  }
})

test('at most ten secrets are allowed', () => {
  const list = (count: number) => `[${Array.from({ length: count }, () => '"12345678"').join(', ')}]`
  assert.deepEqual(problems(`{type: github, secrets: ${list(10)}}`), [])
  assert.match(problems(`{type: github, secrets: ${list(11)}}`).join(), /must hold at most 10 secrets/)
})

function problems(auth: string): readonly string[] {
  return problemsIn(`${required}trigger: {auth: ${auth}}\n`)
}
