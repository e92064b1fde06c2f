/** One write of a commit as statements: they do their part, or give no row; then the reason is looked for. */
import type { Committed } from '../contract/commit.js'
import { refusal } from '../shared/refuse.js'
import type { Call, Result, Row } from './batch.js'
import type { Driver, More } from './driver.js'
import { writeIn } from './find.js'
import type { Statement } from './sql/statement.js'

export type Key = readonly [workspace: string, conversation: string]
export type StepOutcome = Committed['outcomes'][number]

export interface Work {
  /** To be answered before there are statements to send. */
  readonly question?: Call
  /** `answer` is the row of the question. */
  readonly plan: (answer?: Row) => WritePlan
  /** What it came to when it was done before. */
  readonly before?: (ask: More) => Promise<StepOutcome>
  /** Throws the reason why it was not done. */
  readonly why?: (ask: More) => Promise<unknown>
}

export interface WritePlan {
  readonly calls: readonly Call[]
  /** Undefined when it was not done. */
  readonly outcome: (results: readonly Result[]) => StepOutcome | undefined
}

export const work = (call: Call, outcome: WritePlan['outcome'], why?: Work['why']): Work => ({
  plan: () => ({ calls: [call], outcome }),
  ...(why && { why }),
})

/** The first row, as it is read; without one it was not done. */
export const rowAs =
  (read: (row: Row) => StepOutcome): WritePlan['outcome'] =>
  ([done]) =>
    done?.rows[0] ? read(done.rows[0]) : undefined

/** A transaction with one work in it. */
export function only(driver: Driver, locking: Statement, key: Key, one: Work): Promise<StepOutcome> {
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
  | { readonly ok: true; readonly outcomes: readonly StepOutcome[] }
  | { readonly ok: false; readonly done: number }

/** Gives statements to send and takes their results: all in one message, unless one of them has a question. */
export function* performAll(works: readonly Work[]): Generator<readonly Call[], Performed, readonly Result[]> {
  const outcomes: StepOutcome[] = []
  let sent: WritePlan[] = []
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

export async function performed(works: readonly Work[], ask: More): Promise<Performed> {
  const talk = performAll(works)
  let said = talk.next()
  while (!said.done) said = talk.next(await ask(...said.value))
  return said.value
}

function settle(sent: readonly WritePlan[], results: readonly Result[], outcomes: StepOutcome[]): boolean {
  let at = 0
  for (const { calls, outcome } of sent) {
    const one = outcome(results.slice(at, at + calls.length))
    if (one === undefined) return false
    outcomes.push(one)
    at += calls.length
  }
  return true
}
