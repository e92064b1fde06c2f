// Histories as agents leave them behind, cut to a budget by us and by the peers' own functions, and judged by a judge that
// shares no code with any of them: would the provider take the request?
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assemble } from '../dist/index.js'
import { judge } from '../dist/testing/judge/index.js'
import { dice } from './lib/history.mjs'
import { exact } from './lib/ours.mjs'

const root = new URL('..', import.meta.url)
const budget = 2_000
const model = 'gpt-4o'

/** Turns of an agent: text, calls in parallel, long results. Every text is numbered, so that what is kept can be counted. */
export function historyOf(seed, damaged) {
  const random = dice(seed)
  const pick = (n) => Math.floor(random.next() * n)
  const messages = []
  let text = 0
  const words = (n) => `#${text++} ${'some words of it '.repeat(n)}`
  for (let turn = 0; turn < 12 + pick(20); turn++) {
    messages.push({ role: 'user', content: words(3 + pick(12)) })
    for (let step = 0; step < pick(4); step++) {
      const ids = Array.from({ length: 1 + pick(3) }, (_, i) => `call_${turn}_${step}_${i}`)
      const tool_calls = ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{"q":1}' } }))
      messages.push({ role: 'assistant', content: words(2), tool_calls })
      for (const id of ids) messages.push({ role: 'tool', tool_call_id: id, content: words(10 + pick(40)) })
    }
    messages.push({ role: 'assistant', content: words(4 + pick(20)) })
  }
  messages.push({ role: 'user', content: words(4) })
  return damaged ? damage(messages, pick) : messages
}

/** What stores hold after crashes, retries and edits. */
function damage(messages, pick) {
  const list = messages.slice(0, -1)
  for (let i = 0; i < 2; i++) {
    const at = pick(list.length)
    const kind = pick(5)
    if (kind === 0) list.splice(at, 1)
    else if (kind === 1) list.splice(at, 0, list[at])
    else if (kind === 2) list[at] = { ...list[at], content: '' }
    else if (kind === 3) list.splice(0, at % 3)
    else list.splice(at, 0, { role: 'assistant', content: '  ' })
  }
  return [...list, messages.at(-1)]
}

/** Each takes a history of Chat Completions and gives back a request as the judge takes it. */
async function contenders() {
  const here = createRequire(import.meta.url)
  const clients = createRequire(join(root.pathname, 'test/clients/package.json'))
  const load = (name, from = here) => import(pathToFileURL(from.resolve(name)).href)
  const version = (name, from = here) => {
    const paths = from.resolve.paths(name).map((path) => join(path, name, 'package.json'))
    for (const path of paths)
      try {
        return `${name} ${JSON.parse(readFileSync(path, 'utf8')).version}`
      } catch {}
    return name
  }
  const { AIMessage, HumanMessage, ToolMessage, trimMessages } = await load('@langchain/core/messages')
  const { createMemory } = await load('@llamaindex/core/memory')
  const { TokenLimiterProcessor } = await load('@mastra/core/processors')
  const { pruneMessages, convertToModelMessages } = await load('ai')
  const { MemorySession } = await load('@openai/agents', clients)
  const chat = (messages) => ({ provider: 'openai-chat', body: { model, messages } })
  const responses = (input) => ({ provider: 'openai-responses', body: { model, input } })

  return [
    {
      name: 'Throughline assemble',
      how: "`assemble({ messages }, 'balanced', { budget, model })`",
      version: 'this tree',
      cut: (messages) => made(messages, 'openai-chat', {}),
    },
    {
      name: 'LangChain trimMessages',
      how: "`strategy: 'last', startOn: 'human'`, exact counter",
      version: version('@langchain/core'),
      async cut(messages) {
        const lc = messages.map(({ role, content, tool_calls = [], tool_call_id }) => {
          if (role === 'user') return new HumanMessage({ content })
          if (role === 'tool') return new ToolMessage({ content, tool_call_id })
          const calls = tool_calls.map(({ id, function: f }) => ({
            id,
            name: f.name,
            args: JSON.parse(f.arguments),
            type: 'tool_call',
          }))
          return new AIMessage({ content, tool_calls: calls })
        })
        const tokenCounter = (list) =>
          list.reduce((sum, one) => sum + 4 + exact.count(`${one.content}${JSON.stringify(one.tool_calls ?? [])}`), 0)
        const kept = await trimMessages(lc, { maxTokens: budget, strategy: 'last', startOn: 'human', tokenCounter })
        return chat(
          kept.map((one) => messages[lc.indexOf(one)] ?? messages.find(({ content }) => content === one.content)),
        )
      },
    },
    {
      name: 'AI SDK pruneMessages',
      how: "`toolCalls: 'before-last-2-messages', emptyMessages: 'remove'`",
      version: version('ai'),
      cut: async (messages) =>
        chat(
          fromModel(
            pruneMessages({
              messages: toModel(messages),
              toolCalls: 'before-last-2-messages',
              emptyMessages: 'remove',
            }),
          ),
        ),
    },
    {
      name: 'AI SDK convertToModelMessages',
      how: '`convertToModelMessages(uiMessages.slice(-20))`',
      version: version('ai'),
      async cut(messages) {
        const ui = messages
          .filter(({ role }) => role !== 'tool')
          .map((message, id) => uiOf(message, messages, String(id)))
        return chat(fromModel(await convertToModelMessages(ui.slice(-20))))
      },
    },
    {
      name: 'Mastra TokenLimiter',
      how: "`new TokenLimiterProcessor({ limit, trimMode: 'contiguous' })`",
      version: version('@mastra/core'),
      async cut(messages) {
        const limiter = new TokenLimiterProcessor({ limit: budget, trimMode: 'contiguous' })
        const { prompt } = await limiter.processLLMRequest({ prompt: toModel(messages) })
        return chat(fromModel(prompt))
      },
    },
    {
      name: 'LlamaIndex Memory',
      how: '`createMemory(messages, { tokenLimit }).getLLM()`',
      version: version('@llamaindex/core'),
      async cut(messages) {
        const list = messages.map(({ role, content, tool_calls, tool_call_id }) => ({
          role: role === 'tool' ? 'user' : role,
          content,
          ...(tool_calls && {
            options: {
              toolCall: tool_calls.map(({ id, function: f }) => ({ id, name: f.name, input: JSON.parse(f.arguments) })),
            },
          }),
          ...(role === 'tool' && { options: { toolResult: { id: tool_call_id, result: content, isError: false } } }),
        }))
        const kept = await createMemory(list, { tokenLimit: budget, shortTermTokenLimitRatio: 1 }).getLLM()
        return chat(
          kept.map(({ role, content, options }) => {
            if (options?.toolResult)
              return { role: 'tool', tool_call_id: options.toolResult.id, content: options.toolResult.result }
            const calls = options?.toolCall?.map(({ id, name, input }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(input) },
            }))
            return { role, content, ...(calls && { tool_calls: calls }) }
          }),
        )
      },
    },
    {
      name: 'OpenAI Agents session',
      how: '`session.getItems(30)`',
      version: version('@openai/agents', clients),
      async cut(messages) {
        const session = new MemorySession()
        await session.addItems(messages.flatMap(agentItems))
        return responses((await session.getItems(30)).map(responseItem))
      },
    },
  ]
}

function made(messages, target, more) {
  const result = assemble({ messages }, 'balanced', { target, model, budget, counter: exact, ...more })
  if (!result.ok) throw new Error(result.error.message)
  return { provider: target, body: { model, ...result.rendered } }
}

function toModel(messages) {
  return messages.map(({ role, content, tool_calls = [], tool_call_id }) => {
    if (role === 'user') return { role, content: [{ type: 'text', text: content }] }
    if (role === 'tool')
      return {
        role,
        content: [
          { type: 'tool-result', toolCallId: tool_call_id, toolName: 'look', output: { type: 'text', value: content } },
        ],
      }
    const calls = tool_calls.map(({ id, function: f }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: f.name,
      input: JSON.parse(f.arguments),
    }))
    return { role, content: [{ type: 'text', text: content }, ...calls] }
  })
}

function fromModel(messages) {
  return messages.flatMap(({ role, content }) => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    if (role === 'tool')
      return parts.map((part) => ({ role, tool_call_id: part.toolCallId, content: String(part.output?.value ?? '') }))
    const calls = parts.flatMap((part) =>
      part.type === 'tool-call'
        ? [
            {
              id: part.toolCallId,
              type: 'function',
              function: { name: part.toolName, arguments: JSON.stringify(part.input) },
            },
          ]
        : [],
    )
    return [
      { role, content: text === '' && calls.length > 0 ? null : text, ...(calls.length > 0 && { tool_calls: calls }) },
    ]
  })
}

const uiOf = ({ role, content, tool_calls = [] }, messages, id) => ({
  id,
  role,
  parts: [
    { type: 'text', text: content },
    ...tool_calls.map((call) => {
      const answer = messages.find((one) => one.tool_call_id === call.id)
      const shared = {
        type: 'dynamic-tool',
        toolName: 'look',
        toolCallId: call.id,
        input: JSON.parse(call.function.arguments),
      }
      return answer
        ? { ...shared, state: 'output-available', output: answer.content }
        : { ...shared, state: 'input-available' }
    }),
  ],
})

function agentItems({ role, content, tool_calls = [], tool_call_id }) {
  if (role === 'user') return [{ type: 'message', role, content }]
  if (role === 'tool')
    return [
      {
        type: 'function_call_result',
        callId: tool_call_id,
        name: 'look',
        status: 'completed',
        output: { type: 'text', text: content },
      },
    ]
  return [
    { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text: content }] },
    ...tool_calls.map(({ id, function: f }) => ({
      type: 'function_call',
      callId: id,
      name: f.name,
      arguments: f.arguments,
      status: 'completed',
    })),
  ]
}

function responseItem(item) {
  if (item.type === 'function_call')
    return { type: item.type, call_id: item.callId, name: item.name, arguments: item.arguments }
  if (item.type === 'function_call_result')
    return { type: 'function_call_output', call_id: item.callId, output: item.output.text }
  return { type: 'message', role: item.role, content: item.content }
}

const tagsOf = (value) => new Set(JSON.stringify(value).match(/#\d+ /g) ?? [])

async function tried({ cut }, count, damaged) {
  let refused = 0
  let kept = 0
  let newest = 0
  const reasons = new Map()
  for (let seed = 1; seed <= count; seed++) {
    const messages = historyOf(seed, damaged)
    const request = await attempt(cut, messages)
    const found = request.error ? [{ message: `threw: ${request.error.message}` }] : judge(request)
    if (found.length > 0) refused++
    if (found[0]) reasons.set(found[0].message.slice(0, 90), (reasons.get(found[0].message.slice(0, 90)) ?? 0) + 1)
    const sent = tagsOf(request.body ?? '')
    kept += sent.size / tagsOf(messages).size
    if (sent.has([...tagsOf(messages.at(-1))][0])) newest++
  }
  const reason = [...reasons].sort((one, other) => other[1] - one[1])[0]?.[0] ?? ''
  return { refused, kept: kept / count, newest, reason }
}

async function attempt(cut, messages) {
  try {
    return await cut(messages)
  } catch (error) {
    return { error }
  }
}

export async function torture({ count = 200 } = {}) {
  const rows = []
  for (const contender of await contenders()) {
    const whole = await tried(contender, count, false)
    const damaged = await tried(contender, count, true)
    rows.push({ ...contender, whole, damaged })
  }
  return { count, rows }
}

const percent = (share) => `${(100 * share).toFixed(0)} %`

export function pageOf({ count, rows }) {
  const row = ({ name, version, how, whole, damaged }) =>
    `| ${name} | ${version} | ${how} | ${whole.refused} | ${damaged.refused} | ${percent(whole.kept)} | ${whole.newest} | ${(damaged.reason || whole.reason).replaceAll('|', '\\|')} |`
  return [
    '# Torture',
    '',
    `Written by \`npm run torture\`: ${count} histories of agents that a provider takes as they are, and ${count} as stores hold them after crashes and`,
    `retries (a message lost, doubled or emptied, the beginning gone). Each is cut to ${budget} tokens, or as the function's documentation does it,`,
    'and what comes out is judged by `throughline/testing`, whose judge is written from the providers’ documents and shares no code',
    'with `check`. Kept: the share of the texts of the history that the request still holds.',
    '',
    '| function | version | use | refused, sound histories | refused, damaged | kept | newest message held | most frequent reason |',
    '| --- | --- | --- | ---: | ---: | ---: | ---: | --- |',
    ...rows.map(row),
    '',
  ].join('\n')
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const result = await torture({ count: Number(process.argv[2] ?? 200) })
  const page = pageOf(result)
  writeFileSync(new URL('docs/torture.md', root), page)
  process.stdout.write(page)
  const ours = result.rows[0]
  if (ours.whole.refused + ours.damaged.refused > 0) process.exitCode = 1
}
