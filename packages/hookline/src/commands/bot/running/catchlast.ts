// Writes a bot's received payloads to its folder; asynchronously, so that the server keeps working.
import { keepCaptured } from '../../../bots/captured.ts'
import type { Running } from '../../context.ts'

/** Captures the newest deliveries that still have a body, among the newest 1,000; counts those that were not there already. */
export async function catchLast(
  { store }: Running,
  { name, folder }: { readonly name: string; readonly folder: string },
  last: number,
): Promise<number> {
  const rows = await store.deliveries.list({ bot: name, limit: 1_000 })
  let [caught, written] = [0, 0]
  for (const { id } of rows.toReversed()) {
    if (caught === last) break
    const row = await store.deliveries.get(id)
    if (!row?.body) continue
    caught++
    if (await keepCaptured(folder, { ...row, body: row.body })) written++
  }
  return written
}
