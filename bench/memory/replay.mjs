// Real logs of agents, turn by turn: no call without its result, the newest message, and the answer that it answers.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHistory } from '../../dist/engine/index.js'
import { counters } from '../../dist/index.js'
import { memoryStore } from '../../dist/store/index.js'
import { lines } from './data.mjs'

const model = 'gpt-4o'
const counter = await counters.exact(model)

export async function replay(folder, limit) {
  const rows = []
  for (const [name, sessions] of Object.entries(logs(join(folder, 'data', 'load')))) {
    const figures = { windows: 0, orphans: 0, newest: 0, before: 0 }
    for (const messages of sessions.slice(0, limit)) await play(messages, figures)
    const share = (count) => ((100 * count) / figures.windows).toFixed(1)
    rows.push([name, figures.windows, figures.orphans, share(figures.newest), share(figures.before)])
  }
  return rows
}

async function play(messages, figures) {
  const store = memoryStore()
  const history = await openHistory({ store, model })
  let answer = null
  let waiting = []
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user' && at >= 2) {
      if (waiting.length > 0) await history.append(waiting)
      waiting = []
      const made = await history.window({
        current: message.content,
        budget: 4_000,
        model,
        counter,
        target: 'openai-chat',
      })
      if (!made.ok) throw new Error(made.error.message)
      figures.windows++
      figures.orphans += orphansIn(made.rendered.messages ?? made.rendered.body?.messages ?? [])
      figures.newest += made.items.at(-1)?.text === message.content || made.items.at(-1)?.fate === 'current' ? 1 : 0
      const ids = new Set([
        ...made.items.map(({ id }) => id),
        ...(made.receipt.recall?.items ?? []).map(({ id }) => id),
      ])
      figures.before += answer === null || ids.has(answer) ? 1 : 0
    }
    const id = `m${at}`
    if (message.role === 'assistant' && message.content?.trim()) answer = id
    waiting.push({ ...message, id })
  }
  await store.close()
}

function orphansIn(messages) {
  const calls = new Set(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)))
  const results = new Set(messages.flatMap(({ tool_call_id }) => tool_call_id ?? []))
  return [...results].some((id) => !calls.has(id)) || [...calls].some((id) => !results.has(id)) ? 1 : 0
}

const logs = (folder) => ({
  'tau-bench': JSON.parse(readFileSync(join(folder, 'tau-bench-gpt-4o-airline.json'), 'utf8')).map(({ traj }) =>
    traj.filter(({ role }) => role !== 'system'),
  ),
  'claude-code': readdirSync(join(folder, 'claude-code-spotter')).map((name) =>
    lines(join(folder, 'claude-code-spotter', name))
      .filter(({ type, isMeta, isSidechain }) => ['user', 'assistant'].includes(type) && !isMeta && !isSidechain)
      .flatMap(({ message }) => fromBlocks(message)),
  ),
  pi: ['pi-before-compaction', 'pi-large-session'].map((name) =>
    lines(join(folder, `${name}.jsonl`)).flatMap(({ message }) => (message ? fromPi(message) : [])),
  ),
})

const textOf = (content) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n')
const call = (id, name, input) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } })

function fromBlocks({ role, content }) {
  if (typeof content === 'string') return [{ role, content }]
  return (content ?? []).flatMap((block) => {
    if (block.type === 'text') return [{ role, content: block.text }]
    if (block.type === 'tool_use')
      return [{ role: 'assistant', content: null, tool_calls: [call(block.id, block.name, block.input)] }]
    return block.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: block.tool_use_id, content: textOf(block.content) }]
      : []
  })
}

function fromPi({ role, content, toolCallId }) {
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }]
  const text = textOf(blocks.filter(({ type }) => type === 'text'))
  if (role === 'toolResult') return [{ role: 'tool', tool_call_id: toolCallId, content: text }]
  if (role !== 'user' && role !== 'assistant') return []
  const calls = blocks.filter(({ type }) => type === 'toolCall').map((one) => call(one.id, one.name, one.arguments))
  if (text.trim() === '' && calls.length === 0) return []
  return [{ role, content: text || null, ...(calls.length > 0 ? { tool_calls: calls } : null) }]
}
