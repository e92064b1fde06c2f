import { caching } from './anthropic-cache.js'
import { anthropicMedia } from './anthropic-media.js'
import { anthropicShape } from './anthropic-shape.js'
import { messagesOf, nested, type Placed, placed, within } from './claude.js'
import { blocks, turns } from './ledger.js'
import { repeated } from './schema.js'
import { type Fields, fields, type JudgeRule, rows, type Scope, string } from './scope.js'

const isAssistant = ({ role }: Fields) => role === 'assistant'
const idsOf = (content: readonly Fields[], type: string, key: string) =>
  content.filter((block) => block.type === type).map((block) => string(block[key]))
const isServerResult = (type: string) => /_tool_result$/.test(type)
const openEnd = (content: readonly Fields[]) =>
  /^(server_tool_use|mcp_tool_use)$|_tool_result$/.test(string(content.at(-1)?.type))

/** Server tool calls and results within one joined turn. */
const serverTurns = (scope: Scope) => {
  const joined = turns(messagesOf(scope))
  return joined.map((turn, index) => ({ ...turn, path: `messages.${index}`, last: index === joined.length - 1 }))
}

export const anthropic: readonly JudgeRule[] = [
  ...anthropicShape,
  ...anthropicMedia,
  ...caching,
  {
    id: 'A-roles',
    *find(scope) {
      for (const [index, { role }] of messagesOf(scope).entries()) {
        if (role === 'user' || role === 'assistant' || role === 'system') continue
        yield [`messages.${index}.role`, `messages.${index}.role: Input should be 'user' or 'assistant'`]
      }
    },
  },
  {
    id: 'A-12',
    *find(scope) {
      const messages = messagesOf(scope)
      for (const [index, { role, content }] of messages.entries()) {
        if (role !== 'system') continue
        const path = `messages.${index}`
        const next = messages[index + 1]?.role
        if (!within(scope, 4.8)) yield [path, `${path}: role 'system' is not supported on this model`]
        else if (messages[index - 1]?.role !== 'user' || !(next === undefined || next === 'assistant')) {
          yield [path, `${path}: a 'system' message must precede an 'assistant' message or end the array`]
        } else if (blocks(content).some(({ type }) => !/^(text|tool_addition|tool_removal)$/.test(string(type)))) {
          yield [path, `${path}: 'system' messages may only contain text`]
        }
      }
    },
  },
  {
    id: 'A-first',
    *find(scope) {
      const first = messagesOf(scope)[0]
      if (first && isAssistant(first)) yield ['messages.0', 'messages: first message must use the "user" role']
    },
  },
  {
    id: 'A-11',
    *find(scope) {
      const last = messagesOf(scope).at(-1)
      if (!last || !isAssistant(last) || !within(scope, 4.6) || openEnd(blocks(last.content))) return
      if (blocks(last.content).some(({ type }) => type === 'tool_use')) return
      const message =
        'This model does not support assistant message prefill. The conversation must end with a user message.'
      yield [`messages.${messagesOf(scope).length - 1}`, message]
    },
  },
  {
    id: 'A-trailing',
    *find(scope) {
      const last = messagesOf(scope).at(-1)
      const end = last && isAssistant(last) ? string(blocks(last.content).at(-1)?.text) : ''
      if (end !== end.trimEnd() && end.trim()) {
        yield ['messages', 'messages: final assistant content cannot end with trailing whitespace']
      }
    },
  },
  {
    id: 'A-empty',
    *find(scope) {
      const messages = messagesOf(scope)
      for (const [index, message] of messages.entries()) {
        const { content } = message
        if (index === messages.length - 1 && isAssistant(message)) continue
        if (content !== '' && !(Array.isArray(content) && content.length === 0)) continue
        const said = 'all messages must have non-empty content except for the optional final assistant message'
        yield [`messages.${index}`, `messages.${index}: ${said}`]
      }
    },
  },
  {
    id: 'A-blank',
    *find(scope) {
      for (const { block, path } of nested(scope)) {
        if (block.type !== 'text' || typeof block.text !== 'string') continue
        if (block.text === '') yield [path, 'messages: text content blocks must be non-empty']
        else if (!block.text.trim()) yield [path, 'messages: text content blocks must contain non-whitespace text']
      }
      for (const [at, { text }] of rows(scope.body.system).entries()) {
        if (text === '') yield [`system.${at}`, 'system: text content blocks must be non-empty']
      }
    },
  },
  {
    id: 'A-unanswered',
    *find(scope) {
      const joined = turns(messagesOf(scope).filter(({ role }) => role !== 'system'))
      for (const [index, { role, content }] of joined.entries()) {
        if (role !== 'assistant') continue
        const next = joined[index + 1]?.content ?? []
        const leading = next.slice(0, next.findLastIndex(({ type }) => type === 'tool_result') + 1)
        // a text block in front of a result hides the results behind it
        const until = leading.findIndex(({ type }) => type !== 'tool_result')
        const answered = new Set(idsOf(until < 0 ? leading : leading.slice(0, until), 'tool_result', 'tool_use_id'))
        const open = idsOf(content, 'tool_use', 'id').filter((id) => !answered.has(id))
        if (open.length === 0) continue
        const said = `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}.`
        const rest = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
        yield [`messages.${index}`, `messages.${index}: ${said} ${rest}`]
      }
    },
  },
  {
    id: 'A-orphan',
    *find(scope) {
      const joined = turns(messagesOf(scope).filter(({ role }) => role !== 'system'))
      for (const [index, { role, content }] of joined.entries()) {
        if (role !== 'user') continue
        const called = new Set(idsOf(joined[index - 1]?.content ?? [], 'tool_use', 'id'))
        for (const id of idsOf(content, 'tool_result', 'tool_use_id').filter((id) => !called.has(id))) {
          const said = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}.`
          const rest = 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
          yield [`messages.${index}`, `messages.${index}.content.0: ${said} ${rest}`]
        }
      }
    },
  },
  {
    id: 'A-twice-answered',
    *find(scope) {
      for (const [index, { content }] of turns(messagesOf(scope)).entries()) {
        const id = repeated(idsOf(content, 'tool_result', 'tool_use_id'))
        if (id === undefined) continue
        const said = 'each tool_use must have a single result. Found multiple `tool_result` blocks with id'
        yield [`messages.${index}`, `messages.${index}: ${said}: ${id}`]
      }
    },
  },
  {
    id: 'A-unique',
    *find(scope) {
      const id = repeated(
        placed(scope)
          .filter(({ block }) => /^(tool_use|server_tool_use|mcp_tool_use)$/.test(string(block.type)))
          .map(({ block }) => string(block.id)),
      )
      if (id !== undefined) yield ['messages', 'messages: `tool_use` ids must be unique']
    },
  },
  {
    id: 'A-13',
    *find(scope) {
      for (const { content, path } of serverTurns(scope)) {
        for (const [at, block] of content.entries()) {
          const type = string(block.type)
          if (!isServerResult(type)) continue
          const call = type === 'mcp_tool_result' ? 'mcp_tool_use' : 'server_tool_use'
          const id = string(block.tool_use_id)
          if (idsOf(content.slice(0, at), call, 'id').includes(id)) continue
          const said = `unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}.`
          const rest = `Each \`${type}\` block must have a corresponding \`${call}\` block before it.`
          yield [`${path}.content.${at}`, `${path}.content.${at}: ${said} ${rest}`]
        }
      }
    },
  },
  {
    id: 'A-15',
    *find(scope) {
      for (const { role, content, path, last } of serverTurns(scope)) {
        if (role !== 'assistant' || last) continue
        const answered = new Set(
          content.filter((b) => isServerResult(string(b.type))).map((b) => string(b.tool_use_id)),
        )
        for (const { type, id, name } of content) {
          if ((type !== 'server_tool_use' && type !== 'mcp_tool_use') || answered.has(string(id))) continue
          const said = `\`${string(name)}\` tool use with id \`${string(id)}\` was found without a corresponding`
          yield [path, `${path}: ${said} \`${string(name)}_tool_result\` block`]
        }
      }
    },
  },
  {
    id: 'A-16',
    *find(scope) {
      for (const { block, path } of placed(scope)) {
        if (block.type !== 'tool_result' || block.is_error !== true) continue
        if (blocks(block.content).every(({ type }) => type === 'text')) continue
        yield [path, `${path}.tool_result: all content must be type 'text' if 'is_error' is true`]
      }
    },
  },
  {
    id: 'A-23',
    *find(scope) {
      const known = new Set(rows(scope.body.tools).map(({ name }) => string(name)))
      for (const { block, path } of [...nested(scope), ...found(scope)]) {
        if (block.type !== 'tool_reference' || known.has(string(block.tool_name))) continue
        yield [path, `Tool reference '${string(block.tool_name)}' not found in available tools`]
      }
    },
  },
  {
    id: 'A-22',
    status: 413,
    type: 'request_too_large',
    *find(scope) {
      if (Buffer.byteLength(JSON.stringify(scope.body)) <= 32 * 1024 * 1024) return
      yield ['', 'Request exceeds the maximum size']
    },
  },
  {
    id: 'D-02',
    *find(scope) {
      if (scope.host !== 'deepseek' || fields(scope.body.thinking).type === 'disabled') return
      for (const [index, { role, content }] of turns(messagesOf(scope)).entries()) {
        const types = blocks(content).map(({ type }) => type)
        if (role !== 'assistant' || !types.includes('tool_use') || types.includes('thinking')) continue
        const said = 'The `content[].thinking` in the thinking mode must be passed back to the API.'
        yield [`messages.${index}`, said]
      }
    },
  },
]

/** The references that a tool search returned. */
function found(scope: Scope): readonly Placed[] {
  return placed(scope).flatMap((outer) =>
    outer.block.type === 'tool_search_tool_result'
      ? rows(fields(outer.block.content).tool_references).map((block) => ({ ...outer, block }))
      : [],
  )
}
