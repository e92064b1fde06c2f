// Throughline as a caller would hold it: one memo per conversation, a native digest, the whole pipeline each time.
import { hash } from 'node:crypto'
import { assemble, counters, createMemo } from '../../dist/index.js'

export const digest = (text) => hash('sha256', text)
export const exact = await counters.exact('gpt-4o')
export const estimate = counters.forModel('gpt-4o')

const open =
  (counter, fixed = {}) =>
  ({ system, messages, budget, memo = createMemo() }) => {
    const list = [...messages]
    const options = { model: 'gpt-4o', budget, target: 'openai-chat', counter, digest, memo, ...fixed }
    const build = () => {
      const made = assemble({ messages: list, system }, 'balanced', options)
      if (!made.ok) throw new Error(`assemble refused: ${made.error.message}`)
      return made
    }
    return { build, add: (message) => list.push(message), list }
  }

/** Row by row; `tools` rows get a history of tool calls. */
export const ours = {
  exact: { name: 'Throughline, exact counts (o200k)', open: open(exact) },
  estimate: { name: 'Throughline, estimated counts', open: open(estimate) },
  tools: { name: '  exact, a history full of tools', open: open(exact), tools: true },
}

/** Without a memory of earlier calls. */
export const cold = {
  exact: { name: 'Throughline, exact counts', open: open(exact, { memo: undefined }) },
  exactWindow: {
    name: "  account: 'window'",
    open: open(exact, { memo: undefined, account: 'window' }),
  },
  estimate: { name: 'Throughline, estimated counts', open: open(estimate, { memo: undefined }) },
  estimateWindow: {
    name: "  account: 'window'",
    open: open(estimate, { memo: undefined, account: 'window' }),
  },
}
