/**
 * The signs, and how much each counts: for a question about anything said before, and for a message that goes on with the talk.
 * Learnt over questions whose evidence people had marked, and checked on others; see docs/decisions/0015 and 0024.
 */
export const weights = {
  always: [-13.59, -12.61],
  /** The words of the question: against the best, against all that could be said, and which share of them. */
  best: [1.16, 1.2],
  match: [0.32, -0.81],
  cover: [-6.96, -0.41],
  around: [0.95, 0.93],
  /** Of the cards beside it. */
  before: [-0.34, -0.51],
  answers: [0.7, 0.17],
  after: [0.43, -0.48],
  beyond: [0.44, -0.24],
  sitting: [-0.77, -0.26],
  sittingBest: [1.89, -0.03],
  /** The meaning, by the vectors. */
  near: [-8.37, 1.31],
  nearBest: [5.59, -0.34],
  nearBefore: [0.8, -0.98],
  nearAfter: [-0.36, 0.88],
  nearSitting: [1.62, -1.09],
  apart: [2.56, -0.85],
  /** Who speaks. */
  user: [7.2, -0.62],
  mineUser: [-1.02, 0],
  mineOther: [0.99, 0],
  yoursOther: [3.36, 0],
  toldOther: [-3, 0],
  named: [1.54, 0],
  unnamed: [-0.86, 0],
  /** How it is said. */
  long: [-0.01, 0.51],
  manyLong: [0.16, 0],
  short: [-0.43, 0.08],
  asks: [-0.33, 0.14],
  self: [0.38, 0.28],
  opens: [0.23, 0],
  /** When. */
  age: [0.22, 0],
  time: [2.22, 0],
  /** What the conversation is about just now, and how much the question needs that. */
  here: [0, 10.96],
  fresh: [0, 1.21],
  echo: [0, 1.08],
  vague: [0, 0],
  points: [0, 0],
  /** How hard it is to find anything. */
  terms: [-0.08, -0.2],
  size: [-0.11, 0],
  /** How many of the words, and how much of them in other words. */
  hits: [0.88, 0],
  like: [7.48, 0],
  phrase: [1.22, 0],
  peak: [0.73, 0],
  /** What it is. */
  hangs: [-0.11, 0],
  tells: [0.59, 0],
  figures: [0.76, 0],
  begins: [0.84, 0],
  userLong: [-0.74, 0],
} as const satisfies Readonly<Record<string, readonly [past: number, follow: number]>>

export type Sign = keyof typeof weights
/** A number for each sign, in their order. */
export type Signs = Float64Array
export const signs = Object.keys(weights) as readonly Sign[]
export const place = Object.fromEntries(signs.map((sign, at) => [sign, at])) as Readonly<Record<Sign, number>>
