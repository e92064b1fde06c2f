/**
 * How much each sign counts. Learnt by logistic regression over questions whose evidence people had marked, and checked on
 * conversations that were left out; see docs/decisions/0015.
 */
import type { Hint } from './gate.js'
import type { Sign } from './signs.js'

/** For a question about something that was said at any time. */
export const past: Readonly<Partial<Record<Sign, number>>> = {
  always: -7.74,
  best: 3.18,
  match: -0.91,
  cover: 1.67,
  around: 1.11,
  before: -0.52,
  answers: 0.96,
  after: 0.27,
  beyond: 0.32,
  sitting: 0.3,
  sittingBest: 1.42,
  near: -8.51,
  nearBest: 7.16,
  nearBefore: -0.93,
  nearAfter: 0.29,
  nearSitting: 2.87,
  apart: 2.56,
  user: 2.21,
  mineUser: 0.09,
  mineOther: 0.9,
  yoursOther: 1.01,
  named: 2.36,
  unnamed: -0.6,
  long: -0.37,
  manyLong: 0.25,
  short: -0.74,
  asks: -0.27,
  self: 0.53,
  opens: 0.57,
  age: 0.23,
  time: 0.57,
  terms: 0.44,
  size: -0.91,
}

/** For a message that goes on with what was just said. */
export const follow: Readonly<Partial<Record<Sign, number>>> = {
  always: -12.61,
  best: 1.2,
  match: -0.81,
  cover: -0.41,
  around: 0.93,
  before: -0.51,
  answers: 0.17,
  after: -0.48,
  beyond: -0.24,
  sitting: -0.26,
  sittingBest: -0.03,
  near: 1.31,
  nearBest: -0.34,
  nearBefore: -0.98,
  nearAfter: 0.88,
  nearSitting: -1.09,
  apart: -0.85,
  user: -0.62,
  long: 0.51,
  short: 0.08,
  asks: 0.14,
  self: 0.28,
  here: 10.96,
  fresh: 1.21,
  echo: 1.08,
  terms: -0.2,
}

/** Which of the two it is; leaning to the past, because the newest turns are in the window anyway. */
export const leaning: Readonly<Record<Hint, number>> = {
  always: 3.59,
  vague: -3.7,
  points: 2.39,
  terms: -7.26,
  hereBest: 4.8,
  hereCover: -1.68,
  cover: -4.54,
  hereNear: 1.46,
  near: 4.18,
  hereNearBest: 3.54,
  yours: 1.38,
}
