// How SQLite executes each statement: what is fast with few rows must not read all of them when there are millions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Committer } from './committer.ts'
import { migrated } from '../../test/rigs/store.ts'

test('no statement scans a growing table, except those known to', () => {
  const known = [
    /^SELECT coalesce\(sum\(length\(body\)\), 0\)/, // once, and after a transaction that failed
    /^SELECT max\(time\) AS time FROM \(SELECT time FROM history ORDER BY seq DESC LIMIT 100\)/, // the last hundred
    /^DELETE FROM history_events WHERE folded\(account\) = \?/, // history erase --account
  ]
  const slow = statements().filter(
    ({ sql, plan }) =>
      plan.some((step) => /^SCAN (?:deliveries|history|history_events)(?: USING|$)/.test(step)) &&
      !known.some((each) => each.test(sql)),
  )
  assert.deepEqual(slow, [])
})

test('pending and failed deliveries are found among millions of posted ones', () => {
  const asking = statements().filter(({ sql }) =>
    /FROM deliveries WHERE status = '(?:pending|failed)'/.test(sql),
  )
  assert.equal(asking.length, 3)
  for (const { sql, plan } of asking)
    assert.match(plan.join(), /^SEARCH deliveries USING INDEX deliveries_unhappy \(status=\?/, sql)
})

function statements(): { sql: string; plan: string[] }[] {
  const db = migrated()
  const prepare = db.prepare.bind(db)
  const prepared = new Set<string>()
  db.prepare = (sql) => {
    prepared.add(sql)
    return prepare(sql)
  }
  new Committer({ db, expectInPlace: () => {} })
  return [...prepared].map((sql) => ({
    sql: sql.replaceAll(/\s+/g, ' ').trim(),
    plan: prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  }))
}
