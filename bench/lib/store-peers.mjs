// The peers' stores, each read as its own framework reads it before a model call, and kindly: see README.md.
import { readFileSync } from 'node:fs'
import { trimMessages } from '@langchain/core/messages'
import { uuid6 } from '@langchain/langgraph-checkpoint'
import { TokenLimiterProcessor } from '@mastra/core/processors'
import { Memory } from '@mastra/memory'
import { langchainMessage } from './peers.mjs'
import { budget, current, enough, messageAt, pages, timeAt } from './store-data.mjs'

export const versionOf = (name, from = '..') =>
  `${name} ${JSON.parse(readFileSync(new URL(`${from}/node_modules/${name}/package.json`, import.meta.url), 'utf8')).version}`

/** A Mastra store, and its memory domain. */
export function mastraSide(storage, memory) {
  // all of the budget, as ours; by itself it leaves a quarter of it free
  const messageHistory = { maxTokens: budget, atMaxRemoveTokens: 0 }
  const recaller = new Memory({ storage, options: { lastMessages: undefined, messageHistory } })
  const limiter = new TokenLimiterProcessor({ limit: budget, trimMode: 'contiguous' })
  const message = ({ id, length }, index) => {
    const { role: said, content, tool_calls: calls } = messageAt(length, index)
    // calls and results are text of the same size: it has no message for a result alone
    const role = said === 'user' ? said : 'assistant'
    const parts = [{ type: 'text', text: content ?? JSON.stringify(calls) }]
    const at = { threadId: id, resourceId: 'bench', createdAt: timeAt(index) }
    return { id: `${id}-${index}`, ...at, role, content: { format: 2, parts } }
  }
  return {
    async load(conversation) {
      const now = new Date()
      const thread = {
        id: conversation.id,
        resourceId: 'bench',
        title: '',
        metadata: {},
        createdAt: now,
        updatedAt: now,
      }
      await memory.saveThread({ thread })
      for (const page of pages(conversation.length))
        await memory.saveMessages({ messages: page.map((index) => message(conversation, index)) })
    },
    append: (conversation, index) => {
      const messages = [message(conversation, index)]
      return () => memory.saveMessages({ messages })
    },
    window:
      ({ id }) =>
      async () =>
        (await recaller.recall({ threadId: id, resourceId: 'bench' })).messages.length,
    knownWindow: ({ id }) => {
      const query = { threadId: id, perPage: enough, page: 0, includeTotal: false }
      const newest = { ...query, orderBy: { field: 'createdAt', direction: 'DESC' } }
      return async () => {
        const { messages } = await memory.listMessages(newest)
        const prompt = messages.map(({ role, content }) => ({ role, content: content.parts })).reverse()
        prompt.push({ role: 'user', content: [{ type: 'text', text: current.content }] })
        const done = await limiter.processLLMRequest({ prompt })
        return (done?.prompt ?? prompt).length
      }
    },
  }
}

/** A checkpoint holds every message; the newest of a conversation is all that is loaded. */
export function langgraphSide(saver) {
  const held = new Map()
  const at = (id) => ({ configurable: { thread_id: id, checkpoint_ns: '' } })
  let step = 0
  const put = (list, config) => {
    // never the same twice: it would be taken for written already
    const channel_versions = { messages: ++step }
    const facts = { v: 4, id: uuid6(step), ts: new Date().toISOString(), versions_seen: {} }
    const checkpoint = { ...facts, channel_values: { messages: list }, channel_versions }
    return saver.put(config, checkpoint, { source: 'loop', step, parents: {} }, channel_versions)
  }
  const messageOf = (conversation, index) =>
    langchainMessage(messageAt(conversation.length, index), `${conversation.id}-${index}`)
  const listOf = (conversation) => {
    const known = held.get(conversation.id)
    if (known) return known
    const list = Array.from({ length: conversation.length }, (_, index) => messageOf(conversation, index))
    held.set(conversation.id, list)
    return list
  }
  const options = {
    maxTokens: budget,
    strategy: 'last',
    startOn: 'human',
    tokenCounter: (list) => list.reduce((sum, { content }) => sum + Math.ceil(content.length / 4) + 4, 0),
  }
  return {
    load: async (conversation) => {
      await put(listOf(conversation), at(conversation.id))
      if (conversation.length > 20_000) held.delete(conversation.id)
    },
    append: (conversation, index) => {
      const list = listOf(conversation)
      list.push(messageOf(conversation, index))
      return () => put(list, at(conversation.id))
    },
    forget: () => held.clear(),
    window: ({ id }) => {
      const asked = langchainMessage(current)
      return async () => {
        const { checkpoint } = await saver.getTuple(at(id))
        // all of them would take trimMessages minutes
        const newest = checkpoint.channel_values.messages.slice(-enough)
        return (await trimMessages([...newest, asked], options)).length
      }
    },
  }
}
