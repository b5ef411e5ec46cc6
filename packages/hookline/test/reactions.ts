// Bots that react, their files, and their records.
import assert from 'node:assert/strict'
import type { DeliveryRecord } from '../src/store/deliveryrows.ts'
import type { Rig } from './rig.ts'

export function botFile(name: string, trigger: string, output: string): string {
  const parts = ['channels: ["#log"]', ...(output === '' ? [] : [output])]
  return `bot: {name: ${name}, owner: spark-ori}\ntrigger: {${trigger}}\noutput: {${parts.join(', ')}}\n`
}

export function allRecords(rig: Rig): Promise<readonly DeliveryRecord[]> {
  return rig.server.store.deliveries.list({ limit: 1_000 })
}

/** Resolves once that many are recorded with an outcome; fails if there are more. */
export async function records(rig: Rig, count: number): Promise<readonly DeliveryRecord[]> {
  let found: readonly DeliveryRecord[] = []
  await until(rig, async () => {
    found = await allRecords(rig)
    return found.length >= count && found.every(({ status }) => status !== 'pending')
  })
  // What they triggered in turn is recorded before this answer of the store.
  found = await allRecords(rig)
  assert.equal(found.length, count, JSON.stringify(found, undefined, 1))
  return found
}

export async function until(rig: Rig, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > end)
      assert.fail(`not within a minute: ${JSON.stringify(await allRecords(rig), undefined, 1)}`)
    await rig.server.store.deliveries.pending()
  }
}
