import {
  alwaysThinks,
  claude,
  isBound,
  messagesOf,
  openTurn,
  type Placed,
  placed,
  refusesForce,
  within,
} from './claude.js'
import { blocks, itemsOf, prefixHash, signatureOf } from './ledger.js'
import { fields, type JudgeRule, rows, type Scope, string } from './scope.js'

const mode = (scope: Scope) => string(fields(scope.body.thinking).type)
/** From version 5 on a request without the field thinks. */
const thinksUnasked = (scope: Scope) => within(scope, 5)
const isThinking = (type: unknown) => type === 'thinking' || type === 'redacted_thinking'
const thoughts = (scope: Scope): readonly Placed[] => placed(scope).filter(({ block }) => isThinking(block.type))
const forced = (scope: Scope) => ['any', 'tool'].includes(string(fields(scope.body.tool_choice).type))
const entryOf = (scope: Scope, signature: string) => scope.issued?.find((entry) => entry.signature === signature)
/** Signed blocks and calls in order: what may not change in the latest reply. */
const outline = (content: readonly Readonly<Record<string, unknown>>[]) =>
  content.flatMap((block) =>
    isThinking(block.type) ? [signatureOf(block)] : block.type === 'tool_use' ? [string(block.id)] : [],
  )
const wrongMode = (type: string) =>
  `"thinking.type.${type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
/** Sampling from 4.7 on: only the defaults may be sent. */
const defaults: Readonly<Record<string, number>> = { temperature: 1, top_p: 1, top_k: -1 }

export const claudeThinking: readonly JudgeRule[] = [
  {
    id: 'A-01',
    *find(scope) {
      const { prefix_mismatch_behavior: behavior } = fields(fields(scope.body.thinking).block_binding)
      if (!isBound(scope) || scope.issued === undefined || behavior === 'drop_block') return
      const before: string[] = []
      for (const { path, block, message } of thoughts(scope)) {
        const signature = signatureOf(block)
        const entry = entryOf(scope, signature)
        const tail = before.length === 0 ? [] : (entry?.before.slice(-before.length) ?? [])
        before.push(signature)
        if (entry === undefined) continue
        const same = entry.prefix === prefixHash(scope.body, messagesOf(scope).slice(0, message))
        if (same && tail.join() === before.slice(0, -1).join()) continue
        const said = 'Invalid `signature` in `thinking` block. The block is bound to a different conversation'
        yield [path, `${path}: ${said}`]
      }
    },
  },
  {
    id: 'A-03',
    *find(scope) {
      const last = openTurn(scope)
      if (mode(scope) !== 'enabled' || !within(scope, 3.7, 4.6) || last === undefined) return
      const content = blocks(messagesOf(scope)[last]?.content)
      if (content.length === 0 || isThinking(content[0]?.type)) return
      if (last < messagesOf(scope).length - 1 && !content.some(({ type }) => type === 'tool_use')) return
      const path = `messages.${last}.content.0.type`
      const said = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${string(content[0]?.type)}\`.`
      yield [
        path,
        `${path}: ${said} When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block`,
      ]
    },
  },
  {
    id: 'A-04',
    *find(scope) {
      const last = messagesOf(scope).findLastIndex(({ role }) => role === 'assistant')
      if (scope.issued === undefined || last < 0) return
      const content = blocks(messagesOf(scope)[last]?.content)
      const said = '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.'
      const refusal = [
        `messages.${last}`,
        `messages.${last}: ${said} These blocks must remain as they were in the original response.`,
      ] as const
      for (const block of content.filter(({ type }) => isThinking(type))) {
        const entry = entryOf(scope, signatureOf(block))
        if (entry === undefined) continue
        const original = itemsOf(entry).find((piece) => signatureOf(piece) === signatureOf(block))
        const kept = outline(content)
        const own = outline(itemsOf(entry).filter((piece) => isThinking(piece.type) || kept.includes(string(piece.id))))
        const start = kept.indexOf(own[0] ?? '')
        const whole = start >= 0 && own.every((key, at) => kept[start + at] === key)
        if (original?.thinking === block.thinking && whole) continue
        yield refusal
        return
      }
    },
  },
  {
    id: 'A-05',
    *find(scope) {
      const off = mode(scope) === 'disabled' || (mode(scope) === '' && !thinksUnasked(scope))
      const last = openTurn(scope)
      if (!off || last === undefined || claude(scope) === undefined) return
      const at = blocks(messagesOf(scope)[last]?.content).findIndex(({ type }) => isThinking(type))
      if (at < 0) return
      const path = `messages.${last}.content.${at}`
      const said = 'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.'
      yield [path, `${path}: ${said} To use thinking blocks, enable \`thinking\` in your request.`]
    },
  },
  {
    id: 'A-06',
    *find(scope) {
      for (const { path, block } of thoughts(scope)) {
        const signature = signatureOf(block)
        if (!signature) continue
        const readable = /^[A-Za-z0-9+/]+={0,2}$/.test(signature) && signature.length % 4 === 0
        if (readable && (scope.issued === undefined || entryOf(scope, signature))) continue
        yield [path, `${path}: Invalid \`signature\` in \`thinking\` block`]
      }
    },
  },
  {
    id: 'A-07',
    *find(scope) {
      for (const { path, block } of thoughts(scope)) {
        if (block.type !== 'thinking' || string(block.signature)) continue
        yield [path, `${path}.thinking.signature: Field required`]
      }
    },
  },
  {
    id: 'A-08',
    *find(scope) {
      const on = mode(scope) === 'enabled' || (mode(scope) === 'adaptive' && scope.host === 'bedrock')
      if (!on || !forced(scope) || refusesForce(scope)) return
      yield ['tool_choice', 'Thinking may not be enabled when tool_choice forces tool use.']
    },
  },
  {
    id: 'A-09',
    *find(scope) {
      if (!refusesForce(scope) || !forced(scope)) return
      yield ['tool_choice', 'tool_choice: type "tool" and "any" are not supported for this model']
    },
  },
  {
    id: 'A-10',
    *find(scope) {
      const type = mode(scope)
      if (type === 'enabled' && within(scope, 4.7)) yield ['thinking', wrongMode(type)]
      if (type === 'disabled' && alwaysThinks(scope)) yield ['thinking', wrongMode(type)]
      if (type === 'adaptive' && within(scope, 0.1, 4.5)) {
        yield [
          'thinking',
          "thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'",
        ]
      }
      for (const [key, value] of within(scope, 4.7) ? Object.entries(defaults) : []) {
        const given = scope.body[key]
        if (given !== undefined && given !== value) yield [key, `\`${key}\` is deprecated for this model.`]
      }
    },
  },
  {
    // the condition is documented, the wording is not
    id: 'A-10-effort',
    *find(scope) {
      const effort = string(fields(scope.body.output_config).effort)
      if (mode(scope) !== 'disabled' || !within(scope, 5) || alwaysThinks(scope)) return
      if (effort === 'xhigh' || effort === 'max')
        yield ['thinking', `"thinking.type.disabled" is not supported with effort "${effort}"`]
    },
  },
  {
    id: 'A-budget',
    *find({ body }) {
      const { type, budget_tokens } = fields(body.thinking)
      const path = 'thinking.enabled.budget_tokens'
      if (type !== 'enabled') return
      if (typeof budget_tokens !== 'number') yield [path, `${path}: Field required`]
      else if (budget_tokens < 1024) yield [path, `${path}: Input should be greater than or equal to 1024`]
      else if (Number(body.max_tokens) <= budget_tokens) {
        yield ['max_tokens', '`max_tokens` must be greater than `thinking.budget_tokens`.']
      }
      if (body.temperature !== undefined && body.temperature !== 1) {
        yield ['temperature', '`temperature` may only be set to 1 when thinking is enabled.']
      }
    },
  },
  {
    id: 'A-26',
    *find(scope) {
      const edits = rows(fields(scope.body.context_management).edits)
      if (!edits.some(({ type }) => type === 'clear_thinking_20251015')) return
      if (['enabled', 'adaptive'].includes(mode(scope)) || thinksUnasked(scope)) return
      yield ['context_management', '`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive']
    },
  },
]
