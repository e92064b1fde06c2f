/** One write of a commit as statements: they do their part, or give no row; then the reason is looked for. */
import type { Committed } from '../contract/commit.js'
import { refusal } from '../shared/refuse.js'
import type { Call, Result, Row } from './batch.js'
import type { Ask, Driver } from './driver.js'
import { writeIn } from './find.js'
import type { Statement } from './sql/statement.js'

export type Key = readonly [workspace: string, conversation: string]
export type Outcome = Committed['outcomes'][number]

export interface Work {
  /** To be answered before there are statements to send. */
  readonly question?: Call
  /** `answer` is the row of the question. */
  readonly plan: (answer?: Row) => Plan
  /** What it came to when it was done before. */
  readonly before?: (ask: Ask) => Promise<Outcome>
  /** Throws the reason why it was not done. */
  readonly why?: (ask: Ask) => Promise<unknown>
}

export interface Plan {
  readonly calls: readonly Call[]
  /** Undefined when it was not done. */
  readonly outcome: (results: readonly Result[]) => Outcome | undefined
}

export const work = (call: Call, outcome: Plan['outcome'], why?: Work['why']): Work => ({
  plan: () => ({ calls: [call], outcome }),
  ...(why && { why }),
})

/** The first row, as it is read; without one it was not done. */
export const rowAs =
  (read: (row: Row) => Outcome): Plan['outcome'] =>
  ([done]) =>
    done?.rows[0] ? read(done.rows[0]) : undefined

/** A transaction with one work in it. */
export function only(driver: Driver, locking: Statement, key: Key, one: Work): Promise<Outcome> {
  const { calls, outcome } = one.plan()
  return writeIn(driver, ...key, locking, calls, async ([, ...results], ask) => {
    const answer = outcome(results)
    if (answer !== undefined) return { calls: [], answer }
    await one.why?.(ask)
    throw refusal('unavailable', 'something changed at this very moment; the same call can be made again')
  })
}

/** What the work came to, or how many of the first ones were done. */
export type Performed =
  | { readonly ok: true; readonly outcomes: readonly Outcome[] }
  | { readonly ok: false; readonly done: number }

/** Gives statements to send and takes their results: all in one message, unless one of them has a question. */
export function* perform(works: readonly Work[]): Generator<readonly Call[], Performed, readonly Result[]> {
  const outcomes: Outcome[] = []
  let sent: Plan[] = []
  for (const { question, plan } of works) {
    if (!question) {
      sent.push(plan())
      continue
    }
    const results = yield [...sent.flatMap(({ calls }) => calls), question]
    if (!settle(sent, results, outcomes)) return { ok: false, done: outcomes.length }
    sent = [plan(results.at(-1)?.rows[0])]
  }
  const results = yield sent.flatMap(({ calls }) => calls)
  return settle(sent, results, outcomes) ? { ok: true, outcomes } : { ok: false, done: outcomes.length }
}

export async function performed(works: readonly Work[], ask: Ask): Promise<Performed> {
  const talk = perform(works)
  let said = talk.next()
  while (!said.done) said = talk.next(await ask(...said.value))
  return said.value
}

function settle(sent: readonly Plan[], results: readonly Result[], outcomes: Outcome[]): boolean {
  let at = 0
  for (const { calls, outcome } of sent) {
    const one = outcome(results.slice(at, at + calls.length))
    if (one === undefined) return false
    outcomes.push(one)
    at += calls.length
  }
  return true
}
