// The schemas in the package are those of the code, and the examples are what they describe.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { botSchema, parseBotFile } from '../src/bots/file/botfile.ts'
import { loadConfig } from '../src/config/config.ts'
import { findHome } from '../src/home/home.ts'
import { serverSchema } from '../src/config/schema.ts'
import { readYaml } from '../src/yaml/yamlfile.ts'

const root = `${import.meta.dirname}/../../..`

for (const [file, schema] of Object.entries(jsonSchemas())) {
  test(`schemas/${file} matches what the code checks`, (t) => {
    t.assert.fileSnapshot(schema, `${import.meta.dirname}/../schemas/${file}`, {
      serializers: [(value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`],
    })
  })
}

test('examples/server.yaml is valid, and shows every setting and the defaults', () => {
  const text = readFileSync(`${root}/examples/server.yaml`, 'utf8')
  const missing = keysIn(jsonSchemas()['server.schema.json']).filter((key) => !text.includes(`${key}:`))
  assert.deepEqual(missing, [])
  const read = readYaml(text, 'examples/server.yaml', serverSchema())
  assert.ok(read.ok, JSON.stringify(read))
  const home = findHome({ HOOKLINE_HOME: '/nowhere' })
  const { server: _, ...shown } = read.value
  const bare = readYaml('{}', '', serverSchema())
  assert.ok(bare.ok)
  const { server: __, ...defaults } = bare.value
  assert.deepEqual(shown, defaults)
  assert.ok(loadConfig({ home, file: `${root}/examples/server.yaml`, flags: {}, env: {} }).ok)
})

test('every bot.yaml of the examples is valid', () => {
  const files = globSync(`${root}/examples/**/bot.yaml`)
  assert.ok(files.length > 0)
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const name = /^\s*name:\s*"?([\w-]+)/m.exec(text)?.[1] ?? basename(dirname(file))
    const read = parseBotFile(text, file, name)
    assert.ok(read.ok, JSON.stringify(read))
  }
})

/** Of a JSON Schema and all below it. */
function keysIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([word, below]: [string, unknown]) =>
    word === 'properties'
      ? Object.entries(below as object).flatMap(([key, each]) => [key, ...keysIn(each)])
      : keysIn(below),
  )
}

/** Draft 7, which YAML language servers read; keys with a default are optional. */
function jsonSchemas(): Readonly<Record<'server.schema.json' | 'bot.schema.json', object>> {
  return {
    'server.schema.json': { title: 'Hookline server.yaml', ...draft7(serverSchema()) },
    'bot.schema.json': { title: 'Hookline bot.yaml', ...draft7(botSchema) },
  }
}

function draft7(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
}
