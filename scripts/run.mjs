// Runs its arguments with the right Node: node scripts/run.mjs --test src
import { availableParallelism } from 'node:os'
import { findNode, goOnWith } from './node24.mjs'

const node = findNode()
if (!node) {
  console.error('error: no Node that is new enough\nhint: run `npm run setup` first')
  process.exit(2)
}
const args = process.argv.slice(2)
// Node keeps one processor for itself. Tests that start servers mostly wait, so with two files at a time two are busy.
const isSaid = args.some((arg) => arg.startsWith('--test-concurrency='))
const atOnce = args.includes('--test') && !isSaid ? [`--test-concurrency=${availableParallelism()}`] : []
goOnWith(node, [...atOnce, ...args])
