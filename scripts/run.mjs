// Runs its arguments with the right Node: node scripts/run.mjs --test src
import { findNode, goOnWith } from './node24.mjs'

const node = findNode()
if (!node) {
  console.error('error: no Node that is new enough\nhint: run `npm run setup` first')
  process.exit(2)
}
goOnWith(node, process.argv.slice(2))
