// Runs a batch: its writes in one transaction, then its reads.
import type { DatabaseSync } from 'node:sqlite'
import { accountsTable } from './accounts.ts'
import { bodyBytes, type BodyBytes } from './bodybytes.ts'
import { botStateTable } from './botstate.ts'
import type { OpenDatabase } from './database.ts'
import { deliveriesTable } from './deliveries.ts'
import { eraser } from './erase.ts'
import { failureOf } from './failure.ts'
import { type HistoryTable, historyTable } from './history.ts'
import { keptTable } from './kept.ts'
import { pages } from './pages.ts'
import { searchIndex } from './search.ts'
import { targets } from './targets.ts'
import { trimmer } from './trim.ts'
import type {
  Batch,
  BatchDone,
  Failed,
  Job,
  Output,
  Reads,
  Result,
  Table,
  WriteJob,
  Writes,
} from './operations.ts'
import { overwriting } from './overwriting.ts'
import { pruner } from './prune.ts'
import { recordsTable } from './records.ts'
import type { Begun, Replies } from './rows.ts'
import { NO_REPLIES, replyTags, threadsTable } from './threads.ts'
import { type HistoryValues, type OutcomeValues, withTags } from './values.ts'

export class Committer {
  readonly #db: DatabaseSync
  readonly #history: HistoryTable
  readonly #writes: Table<Omit<Writes, 'remember'>>
  readonly #reads: Table<Reads>
  readonly #trimKept: () => void
  readonly #bodies: BodyBytes
  readonly #expectInPlace: () => void

  constructor({ db, expectInPlace }: Pick<OpenDatabase, 'db' | 'expectInPlace'>) {
    this.#db = db
    this.#expectInPlace = expectInPlace
    const accounts = accountsTable(db)
    const words = searchIndex(db)
    const history = historyTable(db, words)
    this.#history = history
    const bodies = bodyBytes(db)
    this.#bodies = bodies
    const deliveries = deliveriesTable(db, bodies)
    const kept = keptTable(db)
    const states = botStateTable(db)
    const records = recordsTable(db)
    const threads = threadsTable(db)
    const prune = pruner(db, bodies)
    const trim = trimmer(db, words)
    /** What an outcome says, beside the record of its delivery. */
    const say = ([, said, letters, thread]: OutcomeValues): Replies => {
      const replies = threads.join(said, thread)
      history.add(said.map((values) => tagged(values, replies[values[0]])))
      letters.forEach(kept.add)
      return replies
    }
    this.#writes = {
      happened: (row) => history.addHappened(row),
      begin: deliveries.begin,
      finish: (finished) => {
        const replies = finished.map(([id, outcome]) => {
          deliveries.finish(id, outcome[0])
          return say(outcome)
        })
        return replies.every((each) => each === NO_REPLIES) ? NO_REPLIES : Object.assign({}, ...replies)
      },
      record: ([delivery, outcome]): Begun => {
        const begun = deliveries.record(delivery, outcome[0])
        if (begun.kind !== 'new') return begun
        const replies = say(outcome)
        return replies === NO_REPLIES ? begun : { kind: 'new', replies }
      },
      reopen: deliveries.reopen,
      redact: ({ id, redaction }) => {
        const row = overwriting(db, () => history.redact(id, redaction))
        if (row) threads.forget(row)
      },
      retract: ({ delivery, redaction, note }) =>
        overwriting(db, () => {
          const said = history.saidBy(delivery)
          for (const row of said) {
            history.redact(row.id, redaction)
            threads.forget(row)
          }
          const unheard = kept.withdraw(delivery)
          if (said.length + unheard > 0) deliveries.explain(delivery, note)
          return { said, unheard }
        }),
      rename: (renaming) => {
        history.rename(renaming)
        if (renaming.from !== renaming.to) threads.rename(renaming)
      },
      keep: (messages) => messages.forEach(kept.add),
      'kept.done': ({ nick, ids, told }) => kept.done(nick, ids, told),
      'records.save': (saved) => saved.forEach(records.save),
      'account.create': accounts.create,
      'account.change': accounts.change,
      'account.drop': accounts.drop,
      'token.add': accounts.addToken,
      'token.remove': accounts.removeToken,
      'token.used': accounts.tokenUsed,
      'certificate.add': accounts.addCertificate,
      'certificate.remove': accounts.removeCertificate,
      'state.save': ({ bot, json }) => states.save(bot, json),
      index: words.grow,
      erase: eraser(db, words),
      prune: (asked) => {
        const mayHaveMore = [
          threads.prune(asked.now),
          trim({ now: asked.now, keep: asked.history }),
          prune(asked),
        ]
        return mayHaveMore.includes(true)
      },
    }
    this.#trimKept = kept.trim
    this.#reads = {
      history: history.heard,
      page: pages(db),
      targets: targets(db),
      search: words.search,
      latest: history.latest,
      message: history.get,
      delivery: deliveries.get,
      list: deliveries.list,
      pending: deliveries.pending,
      kept: kept.of,
      'kept.recipients': kept.recipients,
      state: states.load,
      records: records.all,
      accounts: accounts.all,
      account: accounts.get,
      token: accounts.token,
      certificate: accounts.certificate,
    }
  }

  run({ lines, writes, reads }: Batch): BatchDone {
    const jobs = [...lines, ...writes]
    const results = jobs.length === 0 ? [] : this.#commit(jobs)
    const failed = new Map<number, Failed>()
    results.slice(0, lines.length).forEach((result, i) => result.ok || failed.set(i, result))
    return {
      lines: failed,
      writes: results.slice(lines.length),
      reads: reads.map((job) => attempt(() => perform(this.#reads, job))),
    }
  }

  #commit(jobs: readonly WriteJob[]): readonly Result[] {
    const done = attempt(() => this.#transaction(jobs))
    if (done.ok) return done.value
    // A job that can never work must not take the others along: each gets a transaction of its own.
    if (done.reason === 'job' && jobs.length > 1) return jobs.flatMap((job) => this.#commit([job]))
    return jobs.map(() => done)
  }

  // What was said in a row goes in together, before whatever follows it.
  #perform(jobs: readonly WriteJob[]): readonly Result[] {
    const said: HistoryValues[] = []
    const results = jobs.map((job): Result => {
      if (job[0] === 'remember') {
        said.push(job[1])
        return { ok: true, value: undefined }
      }
      this.#history.add(said.splice(0))
      return { ok: true, value: perform(this.#writes, job) }
    })
    this.#history.add(said)
    return results
  }

  #transaction(jobs: readonly WriteJob[]): readonly Result[] {
    this.#expectInPlace()
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const results = this.#perform(jobs)
      this.#trimKept()
      this.#db.exec('COMMIT')
      return results
    } catch (error) {
      // SQLite has rolled back by itself when the disk is full.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      this.#bodies.forget()
      throw error
    }
  }
}

/** What answers another says so in its tags. */
function tagged(values: HistoryValues, first: string | undefined): HistoryValues {
  return first === undefined ? values : withTags(values, JSON.stringify(Object.fromEntries(replyTags(first))))
}

function perform<T, K extends keyof T>(table: Table<T>, job: Job<T, K>): Output<T, K> {
  return table[job[0]](job[1])
}

function attempt<T>(run: () => T): { ok: true; value: T } | Failed {
  try {
    return { ok: true, value: run() }
  } catch (error) {
    return { ok: false, ...failureOf(error) }
  }
}
