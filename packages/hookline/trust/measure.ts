// One figure in a process of its own: node measure.ts FILE small|whole SEED, told over IPC.
import type { Figure } from './figure.ts'

const [file = '', size = 'small', seed = '0'] = process.argv.slice(2)
const { default: figure } = (await import(`./${file}`)) as { default: Figure }
const measured = await figure.measure(size === 'whole' ? figure.whole : figure.small, { seed: Number(seed) })
// What it left running is not waited for.
process.send?.(measured, () => process.exit(0))
