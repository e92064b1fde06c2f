import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deep, runs, seed } from '../runs.js'
import { accounted } from './law/account.js'
import { capped, withinBudget, withinLimits } from './law/budget.js'
import { paired } from './law/calls.js'
import { cleanCuts, wellFormedStrings } from './law/cuts.js'
import { honestMarkers } from './law/gaps.js'
import { legal } from './law/legal.js'
import { newestUser } from './law/newest.js'
import { inOrder, noDuplicates, noPrivilege } from './law/order.js'
import { heeded, pinned } from './law/pins.js'
import type { Law } from './law/read.js'
import { cases, type Good, isGood, named, trialsOf, wishful } from './trial.js'

/** As they are, and with marks, a summary and what is recalled. */
const both = fc.oneof({ weight: 3, arbitrary: cases }, { weight: 2, arbitrary: wishful })

/** The laws that one window must keep. */
const single = {
  'P-01': [withinBudget, withinLimits],
  'P-03': [newestUser],
  'P-04': [inOrder],
  'P-05': [paired],
  'P-06': [wellFormedStrings, cleanCuts],
  'P-07': [legal],
  'P-13': [accounted],
  'P-14': [honestMarkers],
  'P-16': [pinned, heeded],
  'P-17': [noDuplicates],
  'P-22': [noPrivilege],
  'P-26': [capped],
} satisfies Readonly<Record<string, readonly Law[]>>

type Id = keyof typeof single

const broken = (id: Id, trial: Good): string[] =>
  single[id].flatMap((law) => law(trial)).map((what) => `${named(trial)}: ${what}`)

/** One walk over the cases for all these laws: a history is built once and judged by each of them. */
const failed = new Set<Id>()
let swept = false

function sweep(): void {
  if (swept) return
  swept = true
  const ids = Object.keys(single) as Id[]
  fc.assert(
    fc.property(both, (one) => {
      const trials = trialsOf(one).filter(isGood)
      for (const id of ids) if (!failed.has(id) && trials.some((trial) => broken(id, trial).length > 0)) failed.add(id)
    }),
    { numRuns: runs, seed },
  )
}

/** Fails with the smallest case that breaks the law. */
function holds(id: Id): void {
  sweep()
  if (!failed.has(id)) return
  fc.assert(
    fc.property(both, (one) => {
      const found = trialsOf(one)
        .filter(isGood)
        .flatMap((trial) => broken(id, trial))
      expect(found).toEqual([])
    }),
    // a deep run goes to the end of its cases, and its smallest case is worth the wait
    deep
      ? { numRuns: runs, seed }
      : { numRuns: runs, seed, verbose: 1, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true },
  )
}

describe('every window of any history under every preset for every target', () => {
  test('fits its limits, counted anew on the wire [P-01]', () => holds('P-01'))
  test('holds the newest user message whole, or cut with a mark and told [P-03]', () => holds('P-03'))
  test('says what was said, in that order [P-04]', () => holds('P-04'))
  test('has one result for each call and one call for each result, its own [P-05]', () => holds('P-05'))
  test('is well formed, and no cut splits a character [P-06]', () => holds('P-06'))
  test('is legal for its provider [P-07]', () => holds('P-07'))
  test('is accounted for, message by message and token by token [P-13]', () => holds('P-13'))
  test('has a marker exactly where fit left something out [P-14]', () => holds('P-14'))
  test('holds what is pinned [P-16]', () => holds('P-16'))
  test('holds nothing twice and the current message once [P-17]', () => holds('P-17'))
  test('gives no one a higher voice [P-22]', () => holds('P-22'))
  test('keeps the caps in their own unit, marks included [P-26]', () => holds('P-26'))
})
