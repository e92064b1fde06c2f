/** Thinking as each generation of Claude wants it back. */
import { sameModel } from '../message/model-name.js'
import { isWholeBase64 } from '../message/text.js'
import { alwaysThinks, refusesChoice as refuses, thinksUnasked } from '../profile/claude.js'
import { prefixHash } from '../profile/prefix.js'
import type { AnthropicReport } from './anthropic.js'
import type { Fields, Json } from './json.js'
import type { Scope } from './scope.js'
import { isFields, isFilled, isList, type List } from './shape.js'

export const isOf = (block: Json | undefined, type: string): boolean => isFields(block) && block.type === type

export const isThinking = (block: Json | undefined): block is Fields =>
  isOf(block, 'thinking') || isOf(block, 'redacted_thinking')

export const blocksOf = (message: Json | undefined): readonly Json[] =>
  isFields(message) && isList(message.content) ? message.content : []

export function judgeThinking(list: List, scope: Scope, report: AnthropicReport): void {
  judgeProofs(list, scope, report)
  const last = list.values.findLastIndex((message) => isFields(message) && message.role === 'assistant')
  if (last === -1) return
  const path = `${list.path}[${last}].content`
  const blocks = blocksOf(list.values[last])
  const mode = isFields(list.body.thinking) ? list.body.thinking.type : undefined
  const { thinks } = scope.claude ?? {}
  const open = blocksOf(list.values[last + 1]).some((block) => isOf(block, 'tool_result'))
  if (open && mode === 'enabled' && (thinks === 'manual' || thinks === 'either') && !isThinking(blocks[0]))
    report('thinking.expected', `${path}[0]`, 'the message of an open tool loop must begin with its thinking')
  if (isOff(list.body, scope) && blocks.some(isThinking))
    report('thinking.disabled', path, 'thinking is off, and the last assistant message holds some')
  if (scope.profiles.includes('deepseek')) judgeReturned(list, report)
}

/** A part of a request does not say whether thinking is on. */
function isOff(body: Fields, { claude }: Scope): boolean {
  if (isFields(body.thinking)) return body.thinking.type === 'disabled'
  return body.max_tokens !== undefined && claude !== undefined && !thinksUnasked(claude)
}

function judgeProofs(list: List, scope: Scope, report: AnthropicReport): void {
  const { issued, claude, model } = scope
  list.values.forEach((message, i) => {
    blocksOf(message).forEach((block, j) => {
      if (isThinking(block))
        judgeProof(block, `${list.path}[${i}].content[${j}]`, () =>
          prefixHash({ ...list.body, messages: list.values }, i),
        )
    })
  })

  function judgeProof(block: Fields, path: string, before: () => string) {
    const proof = block.signature ?? block.data
    if (!isFilled(proof)) return
    if (!isWholeBase64(proof)) return report('thinking.signature', path, 'the signature is not base64')
    if (!issued) return
    const known = issued(proof)
    if (!known) report('thinking.signature', path, 'the provider never issued this signature')
    else if (known.text !== undefined && block.type === 'thinking' && known.text !== block.thinking)
      report('thinking.modified', path, 'the thinking is not what the provider wrote')
    else if (claude?.thinks === 'bound' && known.prefix !== undefined && known.prefix !== before())
      report('thinking.bound', path, 'what stands before the block is not what it was written after')
    else if (known.model !== undefined && !sameModel(known.model, model))
      report('thinking.unreadable', path, `the block was written by ${known.model}`)
  }
}

function judgeReturned(list: List, report: AnthropicReport): void {
  list.values.forEach((message, i) => {
    const blocks = blocksOf(message)
    if (!blocks.some((block) => isOf(block, 'tool_use')) || blocks.some(isThinking)) return
    report('deepseek.thinking', `${list.path}[${i}].content`, 'a message with calls must bring its thinking back')
  })
}

/** How the answer is asked for. */
export function judgeAsking(body: Fields, scope: Scope, report: AnthropicReport): void {
  const { claude, profiles } = scope
  const mode = isFields(body.thinking) ? body.thinking.type : undefined
  const choice = isFields(body.tool_choice) ? body.tool_choice.type : undefined
  const forced = choice === 'any' || choice === 'tool'
  const thinks = mode === 'enabled' || (mode === 'adaptive' && profiles.includes('bedrock'))
  if (claude && forced && refuses(claude)) report('choice.forced', 'tool_choice', 'this model takes no forced choice')
  else if (forced && thinks) report('choice.thinking', 'tool_choice', 'a forced choice and thinking do not go together')
  const isDefault = claude !== undefined && thinksUnasked(claude)
  const edits = isFields(body.context_management) ? body.context_management.edits : undefined
  if (
    isList(edits) &&
    edits.some((edit) => isOf(edit, 'clear_thinking_20251015')) &&
    (mode ? mode === 'disabled' : !isDefault)
  )
    report('edits.thinking', 'context_management.edits', 'the edit needs thinking')
  if (!claude) return
  const early = claude.thinks === 'never' || claude.thinks === 'manual'
  const late = claude.thinks === 'adaptive' || claude.thinks === 'bound'
  const wrong =
    (mode === 'enabled' && late) || (mode === 'adaptive' && early) || (mode === 'disabled' && alwaysThinks(claude))
  if (wrong) report('thinking.mode', 'thinking.type', `this model does not take ${JSON.stringify(mode)}`)
  for (const [key, usual] of sampling)
    if (late && body[key] !== undefined && body[key] !== null && body[key] !== usual)
      report('thinking.mode', key, `this model takes no ${key} but ${usual}`)
}

/** What may be said of sampling where it cannot be chosen: what it is anyway. */
const sampling = [
  ['temperature', 1],
  ['top_p', 1],
  ['top_k', -1],
] as const
