// Runs its arguments with the right Node: node scripts/run.mjs --test packages/hookline/src/irc
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findNode, goOnWith } from './node24.mjs'

const node = findNode()
if (!node) {
  console.error('error: no Node that is new enough\nhint: run `npm run setup` first')
  process.exit(2)
}
const typed = process.argv.slice(2)
const isTest = typed.includes('--test')
const args = typed.map((arg) => (isTest && isFolder(arg) ? `${arg}/**/*.test.ts` : arg))
// Node keeps one processor for itself. Tests that start servers mostly wait, so with two files at a time two are busy.
const isSaid = args.some((arg) => arg.startsWith('--test-concurrency='))
const atOnce = isTest && !isSaid ? [`--test-concurrency=${availableParallelism()}`] : []
// Each test file is a process of its own, and would strip the types of everything that it imports again.
const cache = fileURLToPath(new URL('../node_modules/.cache/hookline', import.meta.url))
const sources = new URL('sources.mjs', import.meta.url).href
goOnWith(node, [`--import=${sources}`, ...atOnce, ...args], { env: { NODE_COMPILE_CACHE: cache } })

/** Node's test runner takes files and patterns. */
function isFolder(arg) {
  return statSync(arg, { throwIfNoEntry: false })?.isDirectory() ?? false
}
