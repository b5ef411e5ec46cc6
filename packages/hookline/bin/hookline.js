#!/usr/bin/env node
// The command. In a checkout it runs the sources, with the Node that setup found; in a package what was built of them.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const sources = new URL('../src/cli/main.ts', import.meta.url)
if (existsSync(sources)) await fromCheckout()
else if (isEnough(process.versions.node)) await import('../dist/cli/main.js')
else refuse('install Node 24')

async function fromCheckout() {
  const { findNode, goOnWith } = await import(new URL('../../../scripts/node24.mjs', import.meta.url).href)
  // Without the cache each start would strip the types of every source file again.
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/hookline', import.meta.url))
  const node = findNode()
  if (!node) return refuse('run `npm run setup`, which fetches it')
  if (node !== process.execPath) {
    const args = [fileURLToPath(sources), ...process.argv.slice(2)]
    return goOnWith(node, args, { env: { NODE_COMPILE_CACHE: cache }, lifeline: true })
  }
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(cache)
  // For the store's thread and a server in the background, which have no other way to know it.
  process.env.NODE_COMPILE_CACHE ??= cache
  await import(new URL('../../../scripts/sources.mjs', import.meta.url).href)
  await import(sources.href)
}

function isEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 15)
}

function refuse(hint) {
  console.error(`error: hookline needs Node 24.15 or newer; this is ${process.version}`)
  console.error(`hint: ${hint}`)
  process.exitCode = 2
}
