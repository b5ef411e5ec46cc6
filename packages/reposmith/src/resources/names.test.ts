import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNames } from './names.ts'

test('a name that would make another path, or that no host takes, is refused with advice', () => {
  for (const [names, message, remediation] of [
    [{ repository: '.' }, '"." cannot be the name of a repository', /use only letters/],
    [{ repository: '..' }, '".." cannot be the name of a repository', /use only letters/],
    [{ repository: 'a/b' }, '"a/b" cannot be the name of a repository', /organization is named with --org/],
    [{ owner: '-octo' }, '"-octo" cannot own a repository', /letters, digits, - _ and \., and begin with/],
    [{ topics: ['cli', '-cli'] }, '"-cli" cannot be a topic', /at most 50, and begin with a letter or digit/],
    [{ environment: '' }, '"" cannot be the name of an environment', /another/],
    [{ environment: '.' }, '"." cannot be the name of an environment', /another/],
    [{ environment: '..' }, '".." cannot be the name of an environment', /another/],
    [{ environment: 'in\ndex' }, '"in\\ndex" cannot be the name of an environment', /another/],
    [{ environment: '\ud800' }, '"\\ud800" cannot be the name of an environment', /another/],
    [
      { environment: 'x'.repeat(256) },
      `"${'x'.repeat(256)}" cannot be the name of an environment`,
      /another/,
    ],
  ] as const) {
    const checked = checkNames(names)
    assert.ok(!checked.ok)
    assert.deepEqual([checked.error.code, checked.error.message], [1, message])
    assert.match(checked.error.remediation, remediation)
  }
})
