// What most libraries do, and what a search engine does.

import { termsOf, wordsOf } from '../../dist/recall/words.js'
import { tokensIn } from './score.mjs'

const shown = ({ speaker, text }) => `${speaker}: ${text}`

/** The newest turns that fit. */
async function recency(turns) {
  return {
    async assemble(_, budget) {
      const messages = []
      let left = budget
      for (const turn of turns.toReversed()) {
        const cost = tokensIn(shown(turn)) + 4
        if (cost > left) break
        messages.unshift({ id: turn.id, text: shown(turn) })
        left -= cost
      }
      return { messages }
    },
  }
}

/** The turns that match best, each by itself. */
async function bm25(turns) {
  const cards = turns.map((turn) => termsOf(wordsOf(shown(turn))))
  const usual = cards.reduce((sum, { length }) => sum + length, 0) / cards.length
  const having = new Map()
  for (const card of cards) for (const term of new Set(card)) having.set(term, (having.get(term) ?? 0) + 1)
  const prices = turns.map((turn) => tokensIn(shown(turn)) + 4)
  return {
    async assemble(query, budget) {
      const asked = new Set(termsOf(wordsOf(query)))
      const scores = cards.map((card) => {
        let sum = 0
        for (const term of asked) {
          const times = card.filter((one) => one === term).length
          if (times === 0) continue
          const rare = Math.log(1 + (cards.length - having.get(term) + 0.5) / (having.get(term) + 0.5))
          sum += (rare * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * card.length) / usual))
        }
        return sum
      })
      const taken = []
      let left = budget
      for (const at of [...scores.keys()].sort((one, other) => scores[other] - scores[one] || other - one)) {
        if (prices[at] > left) continue
        taken.push(at)
        left -= prices[at]
      }
      return {
        messages: taken.sort((one, other) => one - other).map((at) => ({ id: turns[at].id, text: shown(turns[at]) })),
      }
    },
  }
}

export const baselines = { recency, bm25 }
