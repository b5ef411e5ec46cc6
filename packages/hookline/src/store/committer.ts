// Runs a batch: its writes in one transaction, then its reads.
import type { DatabaseSync } from 'node:sqlite'
import { crashPoint } from '../process/crashpoint.ts'
import type { OpenDatabase } from './database.ts'
import { failureOf } from './failure.ts'
import type { Batch, BatchDone, Failed, Job, Output, Result, Table, WriteJob } from './operations.ts'
import { type Tables, tablesOf } from './tables.ts'
import type { HistoryValues } from './values.ts'

export class Committer {
  readonly #db: DatabaseSync
  readonly #expectInPlace: () => void
  readonly #tables: Tables

  constructor({ db, expectInPlace }: Pick<OpenDatabase, 'db' | 'expectInPlace'>) {
    this.#db = db
    this.#expectInPlace = expectInPlace
    this.#tables = tablesOf(db)
  }

  run({ lines, writes, reads }: Batch): BatchDone {
    const jobs = [...lines, ...writes]
    const results = jobs.length === 0 ? [] : this.#commit(jobs)
    const failed = new Map<number, Failed>()
    for (const [i, result] of results.slice(0, lines.length).entries()) if (!result.ok) failed.set(i, result)
    return {
      lines: failed,
      writes: results.slice(lines.length),
      reads: reads.map((job) => attempt(() => perform(this.#tables.reads, job))),
    }
  }

  #commit(jobs: readonly WriteJob[]): readonly Result[] {
    const done = attempt(() => this.#transaction(jobs))
    if (done.ok) return done.value
    // A job that can never work must not take the others along: each gets a transaction of its own.
    if (done.reason === 'job' && jobs.length > 1) return jobs.flatMap((job) => this.#commit([job]))
    return jobs.map(() => done)
  }

  #transaction(jobs: readonly WriteJob[]): readonly Result[] {
    this.#expectInPlace()
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const results = this.#perform(jobs)
      this.#tables.beforeCommit()
      crashPoint('committing')
      this.#db.exec('COMMIT')
      crashPoint('committed')
      return results
    } catch (error) {
      // SQLite has rolled back by itself when the disk is full.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      this.#tables.afterRollback()
      throw error
    }
  }

  // Consecutive messages are inserted together, before whatever follows them.
  #perform(jobs: readonly WriteJob[]): readonly Result[] {
    const said: HistoryValues[] = []
    const results = jobs.map((job): Result => {
      if (job[0] === 'remember') {
        said.push(job[1])
        return { ok: true, value: undefined }
      }
      this.#tables.history.add(said.splice(0))
      return { ok: true, value: perform(this.#tables.writes, job) }
    })
    this.#tables.history.add(said)
    return results
  }
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
