#!/usr/bin/env node
// The command. From a checkout it runs the sources, from a package what was built of them.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findNode, goOnWith, OLDEST } from './node24.js'

const sources = new URL('../src/cli/main.ts', import.meta.url)
const main = existsSync(sources) ? sources : new URL('../dist/cli/main.js', import.meta.url)
// Without the cache each start would strip the types of every source file again.
const cache = fileURLToPath(new URL('../../../node_modules/.cache/hookline', import.meta.url))

const node = findNode()
if (!node) {
  console.error(`error: hookline needs Node ${OLDEST} or newer; this is ${process.version}`)
  console.error('hint: in a checkout run `npm run setup`, which fetches it; elsewhere install Node 24')
  process.exit(2)
}
if (node === process.execPath) {
  if (main === sources) (await import('node:module')).enableCompileCache(cache)
  await import(main.href)
} else {
  goOnWith(node, [fileURLToPath(main), ...process.argv.slice(2)], {
    env: { NODE_COMPILE_CACHE: cache },
    lifeline: true,
  })
}
