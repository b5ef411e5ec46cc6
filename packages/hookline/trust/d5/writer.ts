// Opens the data folder that is named, records deliveries, and prints the id of each that was acknowledged. Stopped by its disk, or when
// it has been refused and been acknowledged again.
import { openStore } from '../../src/store/store.ts'
import { silent } from '../../test/log.ts'
import { delivery, outcome, row } from '../../test/rigs/store.ts'

const [folder = '', count = ''] = process.argv.slice(2)
const store = await openStore(folder, { log: silent, retryMs: 20 })
let next = 0
await Promise.all(Array.from({ length: 4 }, work))
await store.close()

async function work(): Promise<void> {
  while (next < Number(count)) {
    const id = `d-${next++}`
    const said = row({ id: `m-${id}`, text: id, delivery: id })
    const body = Buffer.from(JSON.stringify({ id, pad: 'x'.repeat(3_000) }))
    try {
      await store.deliveries.record(delivery({ id, body }), outcome({ history: [said] }))
      process.stdout.write(`${id}\n`)
    } catch {
      // Refused: its sender knows.
      process.stdout.write('refused\n')
    }
  }
}
