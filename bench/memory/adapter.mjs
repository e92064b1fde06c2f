// The product behind the interface that the scorers take: one conversation in a store, the default policy, nothing else.
import { openHistory } from '../../dist/engine/index.js'
import { counters } from '../../dist/index.js'
import { memoryStore } from '../../dist/store/index.js'
import { instantOf } from './dates.mjs'
import { priceOf } from './score.mjs'
import { write } from './write.mjs'

const model = 'gpt-4o'
const counter = await counters.exact(model)
const day = 86_400_000

/** `turns` are `{ id, session, date, speaker, role, text }`, oldest first. */
export default async function open(turns) {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'memory', model })
  await write(history, messagesOf(turns))
  return asking(store, history)
}

export function asking(store, history, options = {}) {
  return {
    async assemble(query, budget, { now } = {}) {
      const made = await history.window({
        ...options,
        current: query,
        // the scorers count what is brought along, not the question
        budget: budget + counter.count(query) + 4,
        model,
        counter,
        ...(now ? { now: new Date(instantOf(now)).toISOString() } : null),
      })
      if (!made.ok) throw new Error(made.error.message)
      const items = made.items.filter(({ fate }) => fate !== 'current')
      const messages = items.flatMap((item) => shown(item, made.receipt))
      // apart they may cost a few tokens more than the window does
      const isDearer = priceOf(messages) > budget
      return { messages: isDearer ? items.map(({ id, text }) => ({ id: nameOf(id), text })) : messages, made }
    },
    close: () => store.close(),
  }
}

/**
 * What is recalled is one item. What it quotes of one day is shown as a message of its own, with the id that the receipt
 * tells for the first of them, so that the scorers see what is from elsewhere.
 */
function shown({ id, mark, text }, { recall }) {
  if (mark !== 'recall') return [{ id: nameOf(id), text }]
  const [heading, ...days] = text.split(/\n(?=\(\d{4}-\d\d-\d\d\)$)/m)
  let quoted = 0
  return [
    { text: heading },
    ...days.map((day) => {
      const first = recall.items[quoted]
      quoted += day.match(/^\d+ (?:user|assistant|tool|system): /gm).length
      return { id: nameOf(first.id), text: day }
    }),
  ]
}

const nameOf = (id) => (id?.startsWith('t') ? id : undefined)

/** Where no date is given, sessions are a day apart. */
export function messagesOf(turns, all = turns) {
  const sessions = [...new Set(all.map(({ session }) => session))]
  return turns.flatMap(({ id, session, date, speaker, role, text }, at) => {
    if (text.trim() === '') return []
    const time = date ? instantOf(date) : Date.UTC(2024, 0, 1) + sessions.indexOf(session) * day
    const timestamp = new Date(time + (at % 1_000)).toISOString()
    if (role === 'tool') return toolOf(id, text, timestamp)
    return [{ id, role, content: text, timestamp, ...(speaker === role ? null : { name: speaker }) }]
  })
}

const toolOf = (id, text, timestamp) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call-${id}`, type: 'function', function: { name: 'tool', arguments: '{}' } }],
    timestamp,
  },
  { role: 'tool', tool_call_id: `call-${id}`, content: text, timestamp },
]
