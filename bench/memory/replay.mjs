// Real logs of agents, turn by turn: no call without its result, the newest message, and the answer that it answers.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHistory } from '../../dist/engine/index.js'
import { counters } from '../../dist/index.js'
import { memoryStore } from '../../dist/store/index.js'
import { lines } from './data.mjs'
import { write } from './write.mjs'

const model = 'gpt-4o'
const counter = await counters.exact(model)

export async function replay(folder, limit) {
  const rows = []
  for (const [name, sessions] of Object.entries(logs(join(folder, 'data', 'load')))) {
    const figures = { windows: 0, refused: 0, orphans: 0, newest: 0, before: 0 }
    for (const messages of sessions.slice(0, limit)) await play(messages, figures)
    const share = (count) => ((100 * count) / figures.windows).toFixed(1)
    rows.push([name, figures.windows, figures.refused, figures.orphans, share(figures.newest), share(figures.before)])
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
      await write(history, waiting)
      waiting = []
      const made = await history.window({
        current: message.content,
        budget: 4_000,
        model,
        counter,
        target: 'openai-chat',
      })
      figures.refused += made.ok ? 0 : 1
      figures.windows += made.ok ? 1 : 0
      if (made.ok) judge(made, answer, figures)
    }
    const id = `m${at}`
    if (message.role === 'assistant' && message.content?.trim()) answer = id
    waiting.push({ ...message, id })
  }
  await store.close()
}

function judge({ rendered, items, receipt }, answer, figures) {
  const ids = new Set([...items, ...(receipt.recall?.items ?? [])].map(({ id }) => id))
  figures.orphans += orphansIn(rendered.messages)
  figures.newest += items.at(-1)?.fate === 'current' ? 1 : 0
  figures.before += answer === null || ids.has(answer) ? 1 : 0
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
