// docs/metadata.md: its conversations are played, its settings are those that there are, and every answer is in its table.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { serverSchema } from '../src/config/schema.ts'
import { readYaml } from '../src/yamlfile.ts'
import { play } from './conversation.ts'
import { blocksOf, tableOf } from './docs.ts'

const page = 'metadata'

test('every conversation of the page goes as the page says, under its settings too', async () => {
  const settings = blocksOf(page).filter(({ info }) => info === 'yaml server')
  assert.equal(settings.length, 1)
  for (const { info, line, lines } of blocksOf(page)) {
    const [language, ...caps] = info.split(' ')
    if (info === 'yaml server') continue
    assert.equal(language, 'irc', `${page}.md:${line}: nobody knows what to do with ${info}`)
    const config = settings[0]?.lines.map((each) => `  ${each}`) ?? []
    const script = lines.map((each) => each.replace(/^(\w+ < .*)BATCH \+1/, '$1BATCH +{ref}'))
    const refs = script.map((each) => each.replace(/batch=1 |BATCH -1/, (ref) => ref.replace('1', '{ref}')))
    await play(['# from the page', '@ server.yaml', ...config, `ann + ${caps.join(' ')}`, ...refs].join('\n'))
  }
})

test('the page has all the settings', () => {
  const text =
    blocksOf(page)
      .find(({ info }) => info === 'yaml server')
      ?.lines.join('\n') ?? ''
  const read = readYaml(text, `${page}.md`, serverSchema())
  assert.ok(read.ok, JSON.stringify(read))
  const named = Array.from(text.matchAll(/^ {2}(\w+):/gm), ([, name = '']) => name)
  assert.deepEqual(named.toSorted(), Object.keys(read.value.metadata).toSorted())
})

test('the table has every code that METADATA answers with', () => {
  const features = new URL('../src/chat/features/', import.meta.url)
  const sources = ['metadata.ts', 'metadatafaults.ts', 'metadatasubs.ts'].map((name) =>
    readFileSync(new URL(name, features), 'utf8'),
  )
  const codes = sources.flatMap((text) =>
    Array.from(text.matchAll(/'([A-Z]+_[A-Z_]+)'/g), ([, code = '']) => code),
  )
  const told = tableOf(page, 'code').flatMap(([code = '', older = '']) => [code, older])
  const named = new Set(told.map((code) => code.replaceAll('`', '')).filter((code) => code !== ''))
  assert.deepEqual([...new Set(codes)].toSorted(), [...named].toSorted())
})
