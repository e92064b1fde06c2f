import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { cosine } from '../shared/bytes.js'
import { compareScored, createVectors, type Wanted } from './vectors.js'

const everything: Wanted = { conversations: null, spans: null, role: null, since: null, until: null, least: -2 }

/** The first dimensions are the largest, as they are in the vectors of a model. */
const vectorOf = (dimensions: number) =>
  fc
    .array(fc.integer({ min: -127, max: 127 }), { minLength: dimensions, maxLength: dimensions })
    .map((values) => Int8Array.from(values, (value, at) => Math.trunc(value / (1 + at / 2))))

const cases = fc.integer({ min: 1, max: 21 }).chain((dimensions) =>
  fc.record({
    vectors: fc.array(vectorOf(dimensions), { maxLength: 30 }),
    asked: vectorOf(dimensions),
    least: fc.constantFrom(-2, 0, 0.25, 0.9),
    limit: fc.integer({ min: 1, max: 5 }),
    below: fc.integer({ min: 1, max: 40 }),
    gone: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
  }),
)

test('the nearest are those that a look at every number of every vector finds, in the same order', () => {
  fc.assert(
    fc.property(cases, ({ vectors, asked, least, limit, below, gone }) => {
      const held = createVectors(asked.length)
      const rows = vectors.map((vector, i) => ({ place: i + 1, conversation: 'c', seq: i + 1, vector }))
      held.add(rows.map((row) => ({ ...row, role: 'user' as const, instant: null })))
      held.drop(gone)
      const says = (vector: Int8Array): boolean => vector.some((value) => value !== 0)
      const near = rows
        .filter(({ place, vector }) => place < below && !gone.includes(place) && says(vector) && says(asked))
        .map(({ vector, ...row }) => ({ ...row, score: cosine(asked, vector) }))
        .filter(({ score }) => score >= least)
        .sort(compareScored)
      const wanted = { ...everything, least }
      const first = held.nearest(asked, wanted, { below, limit })
      expect(first).toEqual(near.slice(0, limit))
      const after = first.at(-1)
      if (after) expect(held.nearest(asked, wanted, { below, limit, after })).toEqual(near.slice(limit, 2 * limit))
    }),
    { numRuns: runs },
  )
})
