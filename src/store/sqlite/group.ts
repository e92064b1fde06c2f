/** One writer per process. Writes asked for at the same time share a transaction, and with it the wait for the disk. */
import { HistoryError } from '../../core/message/issue.js'
import { refusal } from '../shared/refuse.js'
import type { Database } from './driver.js'
import { failureOf, isBusy } from './failure.js'
import { checkStill } from './migrate.js'
import * as sql from './statements.js'

export interface CommitGroup {
  /**
   * `work` may run more than once, each time from the same state; the promise waits for the commit that counts. `after` runs
   * with that commit, before anything else reads or writes.
   */
  write<T>(work: () => T, after?: (value: T) => void, format?: FormatCheck): Promise<T>
  /** Runs on one state of the file, whatever other processes write meanwhile. */
  read<T>(work: () => T): Promise<T>
  /** For a read of one statement, which sees one state by itself. */
  look<T>(work: () => T): Promise<T>
  /** When everything asked for so far is done; nothing is taken after it. */
  end(): Promise<void>
}

/** Who makes sure that the file is not of a newer format by now: the group, or the first statement of the work itself. */
export type FormatCheck = 'group' | 'self'

interface Job {
  readonly format: FormatCheck
  readonly work: () => unknown
  readonly after: (value: unknown) => void
  readonly settle: (outcome: Outcome) => void
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/** So many at once, so that the first does not wait for the last. */
const most = 500

export function group(db: Database, patience: number): CommitGroup {
  const queue: Job[] = []
  let running: Promise<void> | null = null
  let isOpen = true
  let isProved = false
  /** So many groups to come give each job a way back, because one was refused lately. */
  let wary = 0

  const checkOpen = (): void => {
    if (!isOpen) throw refusal('unavailable', 'the store is closed')
  }

  /** The driver may have been built to lower it behind our back with the first write. */
  const prove = (): void => {
    if (isProved) return
    if (Number(db.get(sql.synchronous)?.synchronous) !== 2)
      throw refusal('unavailable', 'SQLite does not wait for the disk: synchronous is not FULL')
    isProved = true
  }

  const transact = (jobs: readonly Job[], each: (job: Job) => Outcome): Outcome[] => {
    db.run(sql.begin)
    try {
      if (jobs.some(({ format }) => format === 'group')) checkStill(db)
      const outcomes = jobs.map(each)
      db.run(sql.commit)
      for (const [i, outcome] of outcomes.entries()) if (outcome.ok) jobs[i]?.after(outcome.value)
      if (outcomes.some(({ ok }) => ok)) prove()
      return outcomes
    } catch (error) {
      undo(db)
      throw error
    }
  }

  const runAll = async (): Promise<void> => {
    // everything that arrives in the same turn of the loop goes together
    await new Promise((wake) => setImmediate(wake))
    while (queue.length > 0) {
      const jobs = queue.splice(0, most)
      const outcomes = await outcomesOf(jobs)
      for (const [i, outcome] of outcomes.entries()) jobs[i]?.settle(outcome)
    }
    running = null
  }

  const outcomesOf = async (jobs: readonly Job[]): Promise<readonly Outcome[]> => {
    const isWary = jobs.length > 1 && wary-- > 0
    try {
      return await patiently(() => transact(jobs, isWary ? (job) => apart(db, job) : alone), patience)
    } catch (error) {
      if (jobs.length === 1) return [{ ok: false, error: failureOf(error) }]
      if (!isWary && HistoryError.is(error)) {
        wary = 16
        return outcomesOf(jobs)
      }
      const outcomes: Outcome[] = []
      // the storage failed under one of them; each gets a transaction of its own
      for (const job of jobs) outcomes.push(...(await outcomesOf([job])))
      return outcomes
    }
  }

  const look = async <T>(work: () => T): Promise<T> => {
    checkOpen()
    try {
      return await patiently(work, patience)
    } catch (error) {
      throw failureOf(error)
    }
  }

  return {
    write: async <T>(
      work: () => T,
      after: (value: T) => void = () => {},
      format: FormatCheck = 'group',
    ): Promise<T> => {
      checkOpen()
      const outcome = await new Promise<Outcome>((settle) => {
        queue.push({ work, after: (value) => after(value as T), settle, format })
        running ??= runAll()
      })
      if (outcome.ok) return outcome.value as T
      throw outcome.error
    },
    read: (work) => look(() => snapshot(db, work)),
    look,
    end: async () => {
      isOpen = false
      await running
    },
  }
}

/** A refusal undoes the whole transaction. A way back for each job copies every page that it changes, and is seldom taken. */
const alone = (job: Job): Outcome => ({ ok: true, value: job.work() })

/** A refusal of one job among others undoes that job only. */
function apart(db: Database, job: Job): Outcome {
  db.run(sql.savepoint)
  try {
    const value = job.work()
    db.run(sql.releaseSavepoint)
    return { ok: true, value }
  } catch (error) {
    if (!HistoryError.is(error)) throw error
    db.run(sql.rollbackSavepoint)
    db.run(sql.releaseSavepoint)
    return { ok: false, error }
  }
}

function snapshot<T>(db: Database, work: () => T): T {
  db.run(sql.beginRead)
  try {
    const value = work()
    db.run(sql.commit)
    return value
  } catch (error) {
    undo(db)
    throw error
  }
}

/** SQLite has undone the transaction by itself after some failures. */
export function undo(db: Database): void {
  try {
    db.exec(sql.rollback)
  } catch {
    // nothing to undo
  }
}

/** Tries again while another process has the lock. */
export async function patiently<T>(work: () => T, seconds: number): Promise<T> {
  const end = performance.now() + seconds * 1_000
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
    }
    await new Promise((wake) => setTimeout(wake, 5 + Math.random() * 20))
  }
}
