import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findHost } from './host.ts'
import { path } from './path.ts'
import { scopeAdvice } from './scopes.ts'
import { findToken } from './token.ts'

test('the API address comes from the flag, the environment or the public default', () => {
  const rows = [
    [{}, {}, 'github', 'https://api.github.com', 'https://github.com'],
    [{ host: 'github.com' }, {}, 'github', 'https://api.github.com', 'https://github.com'],
    [{ host: 'GitHub.com' }, {}, 'github', 'https://api.github.com', 'https://github.com'],
    [{ host: 'octo.ghe.com' }, {}, 'github', 'https://api.octo.ghe.com', 'https://octo.ghe.com'],
    [{ host: 'git.example.org' }, {}, 'github', 'https://git.example.org/api/v3', 'https://git.example.org'],
    [{ host: 'api.example.org' }, {}, 'github', 'https://api.example.org/api/v3', 'https://api.example.org'],
    [
      {},
      { CODEHOST_API_URL: 'https://g.example/api/v3/' },
      'github',
      'https://g.example/api/v3',
      'https://g.example',
    ],
    [
      { apiUrl: 'https://g.example/api/v1' },
      { CODEHOST_API_URL: 'https://x.example' },
      'gitea',
      'https://g.example/api/v1',
      'https://g.example',
    ],
    [
      {},
      { GH_HOST: 'Git.example.org' },
      'github',
      'https://git.example.org/api/v3',
      'https://git.example.org',
    ],
    [
      {},
      { GH_HOST: 'x.example', CODEHOST_API_URL: 'https://g.example/api/v3' },
      'github',
      'https://g.example/api/v3',
      'https://g.example',
    ],
    [{ apiUrl: 'http://127.0.0.1:9/x' }, {}, 'github', 'http://127.0.0.1:9/x', 'http://127.0.0.1:9/x'],
  ] as const
  for (const [flags, env, kind, api, web] of rows) {
    const host = findHost(flags, env)
    assert.ok(host.ok)
    assert.deepEqual([host.output.kind, host.output.api, host.output.web], [kind, api, web])
  }
})

test('an invalid address, or one that would expose the token, is refused', () => {
  for (const apiUrl of [
    'x',
    'ftp://g.example',
    'http://g.example/api/v3',
    'https://u:p@g.example',
    'https://g.example?x=1',
    'https://g.example#x',
  ])
    assert.ok(!findHost({ apiUrl }, {}).ok, apiUrl)
  for (const host of ['g.example/x', 'u@g.example', '-x', '']) assert.ok(!findHost({ host }, {}).ok, host)
  assert.ok(!findHost({ host: 'g.example', apiUrl: 'https://g.example' }, {}).ok)
})

test('a path segment stays one segment, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
      fc.pre(!/^\.{1,2}$/.test(name))
      const url = new URL(`https://h.example${path('repos', name, 'x')}`)
      const segments = url.pathname.split('/')
      assert.equal(segments.length, 4)
      assert.equal(decodeURIComponent(segments[2] ?? ''), name)
      assert.equal(url.search + url.hash, '')
    }),
  )
})

test('the missing scope is named', () => {
  const of = (headers: Record<string, string>) => scopeAdvice(headers, '/orgs/octo/repos')
  assert.match(
    of({ 'x-accepted-oauth-scopes': 'admin:org', 'x-oauth-scopes': 'repo' }),
    /lacks the scope admin:org \(it has repo\)/,
  )
  assert.match(
    of({ 'x-accepted-github-permissions': 'administration=write' }),
    /lacks the permission administration=write/,
  )
  assert.match(
    of({ 'x-github-sso': 'required; url=https://h.example/sso' }),
    /authorize the token at https:\/\/h.example\/sso/,
  )
  assert.match(
    of({ 'x-accepted-oauth-scopes': 'repo', 'x-oauth-scopes': 'repo' }),
    /repo, admin:repo_hook, admin:org/,
  )
})

test('GH_TOKEN and GITHUB_TOKEN go to the public host and a tenant of it that GH_HOST names, not to other hosts', () => {
  const rows = [
    [{}, {}, 'GH_TOKEN'],
    [{}, { GH_HOST: 'octo.ghe.com' }, 'GH_TOKEN'],
    [{ host: 'octo.ghe.com' }, {}, undefined],
    [{}, { GH_HOST: 'git.example.org' }, undefined],
    [{}, { GH_HOST: 'git.example.org', CH_TOKEN: 'own' }, 'CH_TOKEN'],
  ] as const
  for (const [typed, more, variable] of rows) {
    const env = { GH_TOKEN: 'gh', GITHUB_TOKEN: 'github', ...more }
    const host = findHost(typed, env)
    assert.ok(host.ok)
    const token = findToken(host.output, env)
    assert.equal(token.ok ? token.output.variable : undefined, variable)
  }
})

test('the API of GitLab is refused by name, and a wrong GH_HOST too', () => {
  for (const [typed, env, code] of [
    [{ apiUrl: 'https://gitlab.example/api/v4' }, {}, 1],
    [{ apiUrl: 'https://gitlab.example/api/v4/' }, {}, 1],
    [{}, { CODEHOST_API_URL: 'https://gitlab.example/api/v4' }, 2],
  ] as const) {
    const host = findHost(typed, env)
    assert.ok(!host.ok)
    assert.equal(host.error.code, code)
    assert.match(host.error.message, / is the API of GitLab, which Reposmith does not speak$/)
  }
  const host = findHost({}, { GH_HOST: 'https://git.example.org' })
  assert.ok(!host.ok)
  assert.deepEqual([host.error.code, host.error.message], [2, 'GH_HOST is not the name of a host'])
})
