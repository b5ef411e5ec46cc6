import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPreset } from '../../../senders/presets.ts'
import { sampleOf } from './sample.ts'

test('a sample has what the template asks for, whatever the fields are called', () => {
  const bodies: readonly (readonly [template: string | null, body: object])[] = [
    [
      '{body.repo.name} {who}: {body.repo} {body.commits.0.id} { x } {}',
      { repo: { name: 'name' }, who: 'Ada' },
    ],
    [null, { text: 'the kettle is on' }],
    ['{{braces}} and {title|upper}', { title: 'title' }],
    ['{body.constructor}', { constructor: 'constructor' }],
  ]
  for (const [template, body] of bodies) assert.equal(bodyOf(template), JSON.stringify(body))
  assert.equal(bodyOf('{body.__proto__.x}'), '{"__proto__":{"x":"x"}}')
  assert.equal('x' in {}, false)
})

test('the same for a template in Liquid', () => {
  const { body } = sampleOf({
    engine: 'liquid',
    preset: null,
    template: '{{ issue.title | upcase }} {{-number}}',
  })
  assert.equal(JSON.stringify(body), '{"issue":{"title":"title"},"number":"number"}')
})

test('a bot with a preset is tried with what its service would send', () => {
  const github = { engine: 'tokens', preset: 'github' } as const
  assert.deepEqual(sampleOf({ ...github, template: null }), findPreset('github')?.sample)
  assert.equal(JSON.stringify(sampleOf({ ...github, template: '{ref}' }).body), '{"ref":"ref"}')
})

function bodyOf(template: string | null): string {
  return JSON.stringify(sampleOf({ engine: 'tokens', preset: null, template }).body)
}
