// Answers as the public host really gave them: a refusal, redirects, pages, a whole repository.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Created } from '../src/verbs/create.ts'
import { readRepository } from '../src/resources/repository.ts'
import { clientFor } from '../test/client.ts'
import { asJson, reposmith } from '../test/rig.ts'
import { play } from './recording.ts'

const OWNER = 'octokit-fixture-org'

test('a 422 names the field, and the page of the manual', async () => {
  await using recording = await play('errors')
  const body = { name: 'foo', color: 'invalid' }
  const sent = await clientFor(recording).send('POST', `/repos/${OWNER}/errors/labels`, body)
  assert.ok(!sent.ok)
  const { code, kind, details, docs, errors, retryable } = sent.error
  assert.deepEqual([code, kind, retryable], [4, 'validation', false])
  assert.deepEqual(details, ['Label.color: invalid'])
  assert.deepEqual(errors, [{ resource: 'Label', code: 'invalid', field: 'color' }])
  assert.equal(docs, 'https://docs.github.com/rest/reference/issues#create-a-label')
})

test('301 and 307 of a renamed repository are followed, with method and body kept; it is not taken for the old one', async () => {
  await using recording = await play('rename-repository')
  const client = clientFor(recording)
  const path = `/repos/${OWNER}/rename-repository`
  const name = 'rename-repository-newname'
  assert.ok((await client.send('PATCH', path, { name })).ok)
  const read = await readRepository(client, OWNER, 'rename-repository')
  assert.deepEqual(read, { ok: true, output: { state: 'absent', formerOf: `${OWNER}/${name}` } })
  const sent = await client.send('PATCH', path, { name, description: 'test description' })
  assert.ok(sent.ok)
  assert.equal((sent.output.data as { full_name: string }).full_name, `${OWNER}/${name}`)
  assert.deepEqual(recording.played, [
    `PATCH ${path} 200`,
    `GET ${path} 301`,
    'GET /repositories/1000 200',
    `PATCH ${path} 307`,
    'PATCH /repositories/1000 200',
  ])
})

test('Link headers lead through all five pages', async () => {
  await using recording = await play('paginate-issues')
  const listed = await clientFor(recording).list(`/repos/${OWNER}/paginate-issues/issues`)
  assert.ok(listed.ok)
  const numbers = (listed.output as readonly { number: number }[]).map(({ number }) => number)
  assert.deepEqual(numbers, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  assert.equal(recording.played.length, 5)
})

test('a repository is recognized in the host’s own answer, and differences are reported', async () => {
  await using recording = await play('get-repository')
  const args = ['repo', 'create', 'hello-world', '--org', OWNER, '--private', '--refresh', '--json']
  const ran = await reposmith(args, { url: recording.url })
  assert.equal(ran.code, 0, ran.stderr)
  const { already_existed: existed, repo_url: url, warnings } = asJson<Created>(ran.stdout)
  assert.deepEqual([existed, url], [true, `https://github.com/${OWNER}/hello-world`])
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [`${OWNER}/hello-world has visibility "public", not "private": it was left unchanged`],
  )
})
