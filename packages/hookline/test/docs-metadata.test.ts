// docs/metadata.md: its conversations are played, its settings are those that there are, and every answer is in its table.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { serverSchema } from '../src/config/schema.ts'
import { readYaml } from '../src/yaml/yamlfile.ts'
import { play } from './conversation.ts'
import { type Block, blocksOf, playPage, tableOf } from './docs.ts'

const page = 'metadata'

test('every example of the page does what the page says, and the settings are all there are', async () => {
  const config = blocksOf(page).find(({ info }) => info === 'yaml server')?.lines ?? []
  const file = ['@ server.yaml', ...config.map((line) => `  ${line}`)]
  await playPage(page, {
    'yaml server': expectAll,
    'irc …': ({ info, lines }) => {
      const script = lines.map((each) => each.replace(/^(\w+ < .*)BATCH \+1/, '$1BATCH +{ref}'))
      const refs = script.map((each) => each.replace(/batch=1 |BATCH -1/, (ref) => ref.replace('1', '{ref}')))
      return play([...file, info.replace('irc', 'ann +'), ...refs].join('\n'))
    },
  })
})

test('the table has every code that METADATA answers with', () => {
  const features = new URL('../src/chat/features/metadata/', import.meta.url)
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

function expectAll({ lines }: Block): void {
  const text = lines.join('\n')
  const read = readYaml(text, `${page}.md`, serverSchema())
  assert.ok(read.ok, JSON.stringify(read))
  const named = Array.from(text.matchAll(/^ {2}(\w+):/gm), ([, name = '']) => name)
  assert.deepEqual(named.toSorted(), Object.keys(read.value.metadata).toSorted())
}
