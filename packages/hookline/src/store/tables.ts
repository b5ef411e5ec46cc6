// What each operation does to the tables.
import type { DatabaseSync } from 'node:sqlite'
import { accountsTable } from './accounts.ts'
import { bodyBytes } from './bodybytes.ts'
import { botStateTable } from './botstate.ts'
import { deliveriesTable } from './deliveries.ts'
import { deliveryLists } from './deliverylists.ts'
import type { Begun, Replies } from './deliveryrows.ts'
import { eraser } from './erase.ts'
import { type HistoryTable, historyTable } from './history.ts'
import { keptTable } from './kept.ts'
import type { Redaction } from './historyrows.ts'
import { mender } from './mend.ts'
import type { Reads, Table, Writes } from './operations.ts'
import { overwriting } from './overwriting.ts'
import { packsTable } from './packs.ts'
import { pages } from './pages.ts'
import { pruner } from './prune.ts'
import { BOTS, recordsTable } from './records.ts'
import { RemovedCounts } from './removed.ts'
import { statements } from './rows.ts'
import { searchIndex } from './search.ts'
import { targets } from './targets.ts'
import { replyTags, threadsTable } from './threads.ts'
import { trimmer } from './trim.ts'
import { inTurn } from './roundrobin.ts'
import { HISTORY, type HistoryValues, type OutcomeValues, withTags } from './values.ts'

export interface Tables {
  /** Without `remember`: messages go into `history` in groups. */
  readonly writes: Table<Omit<Writes, 'remember'>>
  readonly reads: Table<Reads>
  readonly history: Pick<HistoryTable, 'add'>
  readonly beforeCommit: () => void
  readonly afterRollback: () => void
}

export function tablesOf(db: DatabaseSync): Tables {
  const accounts = accountsTable(db)
  const words = searchIndex(db)
  const history = historyTable(db, words)
  const size = bodyBytes(db)
  const packs = packsTable(db, size)
  const deliveries = deliveriesTable(db, packs, size)
  const kept = keptTable(db)
  const states = botStateTable(db)
  const records = recordsTable(db)
  const removed = new RemovedCounts()
  const { count } = removed
  const threads = threadsTable(db, count)
  const trim = trimmer(db, words, count)
  const prune = inTurn<Writes['prune']['in']>([
    ({ passed }) => threads.prune(passed),
    ({ passed, history: keep }) => trim({ passed, keep }),
    pruner(db, { size, packs, count }),
    () => {
      states.prune()
      return false
    },
  ])
  /** Adds the messages of an outcome: those that were said, and those that are kept for somebody. */
  const addMessages = ([, said, waiting, thread]: OutcomeValues): Replies | undefined => {
    const replies = thread && threads.join(said, thread)
    history.add(said.map((values) => tagged(values, replies?.[values[HISTORY.id]])))
    waiting.forEach(kept.add)
    return replies
  }
  /** No thread begins with it any more. */
  const takeBack = (id: string, redaction: Redaction): void => {
    const row = history.redact(id, redaction)
    if (row) threads.forget(row)
  }
  const writes: Tables['writes'] = {
    happened: (row) => history.addHappened(row),
    begin: (delivery) => deliveries.add(delivery),
    finish: (finished) => {
      const replies = finished.map(([id, outcome]) => {
        const [story] = outcome
        deliveries.finish(id, story)
        return addMessages(outcome)
      })
      return Object.assign({}, ...replies)
    },
    record: ([delivery, outcome]): Begun => {
      const [story] = outcome
      const begun = deliveries.add(delivery, story)
      if (begun.kind !== 'new') return begun
      const replies = addMessages(outcome)
      return replies === undefined ? begun : { kind: 'new', replies }
    },
    reopen: deliveries.reopen,
    redact: ({ id, redaction }) => overwriting(db, () => takeBack(id, redaction)),
    retract: ({ delivery, redaction, note }) =>
      overwriting(db, () => {
        const said = history.saidBy(delivery)
        for (const { id } of said) takeBack(id, redaction)
        const unheard = kept.withdraw(delivery)
        if (said.length + unheard > 0) deliveries.explain(delivery, note)
        return { said, unheard }
      }),
    rename: (renaming) => {
      history.rename(renaming)
      threads.rename(renaming)
    },
    keep: (messages) => messages.forEach(kept.add),
    'kept.done': ({ nick, ids, told }) => kept.done(nick, ids, told),
    'records.save': (saved) => saved.forEach(records.save),
    ...accounts.writes,
    'state.save': ({ bot, json }) => states.save(bot, json),
    'bots.forget': ({ bots, at }) => {
      for (const bot of bots) {
        states.forget(bot, at)
        threads.forgetBot(bot)
      }
      const [before] = records.all(BOTS)
      records.save({ kind: BOTS, key: 'removed', json: String(Math.max(at, Number(before?.json ?? 0))) })
    },
    index: words.grow,
    erase: eraser(db, words),
    prune: (asked) => {
      // What a step that was rolled back had removed.
      removed.take()
      return { hasMore: prune(asked), removed: removed.take() }
    },
    mend: mender(db),
  }
  const reads: Tables['reads'] = {
    history: history.heard,
    page: pages(db),
    targets: targets(db),
    search: words.search,
    latest: () => latest(db),
    message: history.get,
    delivery: deliveries.get,
    ...deliveryLists(db),
    kept: kept.of,
    'kept.recipients': kept.recipients,
    state: states.load,
    records: records.all,
    ...accounts.reads,
  }
  return {
    writes,
    reads,
    history,
    beforeCommit: () => {
      kept.trim()
      packs.save()
      size.save()
    },
    afterRollback: () => {
      packs.forget()
      size.forget()
    },
  }
}

function latest(db: DatabaseSync): Reads['latest']['out'] {
  // Each is written a little after its own time.
  const newest = statements(db)<Reads['latest']['out']>(`
    SELECT
      (SELECT max(time) FROM (SELECT time FROM history ORDER BY seq DESC LIMIT 100)) AS message,
      (SELECT max(received_at) FROM (SELECT received_at FROM deliveries ORDER BY seq DESC LIMIT 100)) AS delivery`)
  return newest.get() ?? { message: null, delivery: null }
}

/** With the tags of a reply, if it answers another. */
function tagged(values: HistoryValues, first: string | undefined): HistoryValues {
  return first === undefined ? values : withTags(values, JSON.stringify(Object.fromEntries(replyTags(first))))
}
