// Each peer as its documentation has it, given everything that can be prepared outside of the clock: messages in its
// own shape, and counts that are free after the first time wherever it takes a counter.
import { readFileSync } from 'node:fs'
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, trimMessages } from '@langchain/core/messages'
import { Settings } from '@llamaindex/core/global'
import { createMemory } from '@llamaindex/core/memory'
import { TokenLimiterProcessor } from '@mastra/core/processors'
import { pruneMessages } from 'ai'

const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version

/** Tokens of a text, counted once in the life of the memo. The key is the text itself, whose hash V8 keeps. */
export function memoised(count) {
  const known = new Map()
  return (text) => remember(known, text, count)
}

function remember(known, key, make) {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make(key)
  known.set(key, made)
  return made
}

/**
 * A peer is `{ name, how, open }`; `open` takes a history (system prompt apart) and returns `{ build, add }`:
 * `build` makes the window, `add` appends a message.
 */
export const peers = {
  langchain: {
    name: 'LangChain trimMessages, memoised counter',
    version: `@langchain/core ${versionOf('@langchain/core')}`,
    open({ system, messages, budget, count }) {
      const tokens = memoised(count)
      const list = [new SystemMessage(system), ...messages.map(langchainMessage)]
      const options = langchainOptions(budget, tokens)
      return { build: () => trimMessages(list, options), add: (message) => list.push(langchainMessage(message)) }
    },
    /** Every call weighs what is left after each message that goes: time in the square of the length. */
    order: 2,
  },
  mastra: {
    name: 'Mastra TokenLimiter, contiguous',
    version: `@mastra/core ${versionOf('@mastra/core')}`,
    open({ system, messages, budget }) {
      const limiter = new TokenLimiterProcessor({ limit: budget, trimMode: 'contiguous' })
      return mastra(limiter, system, messages)
    },
    order: 1,
  },
  mastraMemoised: {
    name: '  the same, its counts memoised by a patch',
    scale: true,
    open({ system, messages, budget }) {
      const limiter = new TokenLimiterProcessor({ limit: budget, trimMode: 'contiguous' })
      const known = new WeakMap()
      const count = limiter.countPromptMessageTokens.bind(limiter)
      limiter.countPromptMessageTokens = (message) => remember(known, message, count)
      return mastra(limiter, system, messages)
    },
    order: 1,
  },
  llamaindex: {
    name: 'LlamaIndex Memory',
    version: `@llamaindex/core ${versionOf('@llamaindex/core')}`,
    open: (given) => llamaindex(given),
    order: 1,
  },
  llamaindexMemoised: {
    name: '  the same, memoised tokenizer',
    open: (given) => llamaindex(given, memoTokenizer(Settings.tokenizer)),
    order: 1,
  },
  aisdk: {
    name: 'AI SDK pruneMessages (no budget)',
    version: `ai ${versionOf('ai')}`,
    scale: true,
    open({ system, messages }) {
      const list = [{ role: 'system', content: system }, ...messages.map(promptMessage)]
      return {
        build: () =>
          pruneMessages({
            messages: list,
            reasoning: 'all',
            toolCalls: 'before-last-message',
            emptyMessages: 'remove',
          }),
        add: (message) => list.push(promptMessage(message)),
      }
    },
    order: 1,
  },
}

/** The counter that LangChain is given: what a message says, and four tokens for each. */
export function langchainOptions(maxTokens, tokens) {
  const calls = new Map()
  const callTokens = (call) => remember(calls, call.id, () => tokens(JSON.stringify(call)))
  const tokenCounter = (list) => {
    let sum = 0
    for (const message of list) {
      sum += tokens(message.content) + 4
      if (message.tool_calls?.length) for (const call of message.tool_calls) sum += callTokens(call)
    }
    return sum
  }
  return { maxTokens, strategy: 'last', startOn: 'human', includeSystem: true, tokenCounter }
}

export function langchainMessage({ role, content, tool_calls, tool_call_id }, id) {
  const named = typeof id === 'string' ? { id } : {}
  if (role === 'user') return new HumanMessage({ content, ...named })
  if (role === 'tool') return new ToolMessage({ content, tool_call_id, ...named })
  const calls = tool_calls?.map((call) => ({
    id: call.id,
    name: call.function.name,
    args: JSON.parse(call.function.arguments),
    type: 'tool_call',
  }))
  return new AIMessage({ content: content ?? '', ...(calls ? { tool_calls: calls } : {}), ...named })
}

/** At the prompt stage, where Mastra itself runs it before a model call; it does not remember counts. */
function mastra(limiter, system, messages) {
  const prompt = [{ role: 'system', content: system }, ...messages.map(promptMessage)]
  return {
    build: () => limiter.processLLMRequest({ prompt }),
    add: (message) => prompt.push(promptMessage(message)),
  }
}

/** As the AI SDK writes a prompt, which Mastra does too. */
function promptMessage({ role, content, tool_calls: calls = [], tool_call_id: toolCallId }) {
  if (role === 'tool')
    return {
      role,
      content: [{ type: 'tool-result', toolCallId, toolName: 'search', output: { type: 'text', value: content } }],
    }
  const called = calls.map(({ id, function: { name, arguments: given } }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: JSON.parse(given),
  }))
  return { role, content: [...(content ? [{ type: 'text', text: content }] : []), ...called] }
}

/** LlamaIndex gets calls and results as text: it counts no others. */
const plainMessage = ({ role, content, tool_calls: calls }) => ({
  role: role === 'tool' ? 'user' : role,
  content: content ?? JSON.stringify(calls),
})

/** Without memory blocks all of the limit is for the messages; the system prompt is the caller's and taken off. */
function llamaindex({ system, messages, budget, count }, tokenizer = Settings.tokenizer) {
  const memory = createMemory(messages.map(plainMessage), {
    tokenLimit: budget - count(system) - 4,
    shortTermTokenLimitRatio: 1,
  })
  const plain = Settings.tokenizer
  return {
    build: () => {
      Settings.tokenizer = tokenizer
      return memory.getLLM().finally(() => {
        Settings.tokenizer = plain
      })
    },
    add: (message) => memory.add(plainMessage(message)),
  }
}

/** It counts joined texts, so that is what can be remembered; the memo begins anew before it fills the machine. */
function memoTokenizer(tokenizer) {
  const known = new Map()
  return {
    ...tokenizer,
    encode(text) {
      if (known.size > 5_000) known.clear()
      return remember(known, text, tokenizer.encode)
    },
  }
}
