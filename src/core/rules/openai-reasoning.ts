/** Reasoning items, and what has to stand beside them. */
import type { Fields, Json } from './json.js'
import type { ResponsesReport } from './openai-responses.js'
import type { Scope } from './scope.js'
import { isFields, isFilled, isList, isOptional, type List } from './shape.js'

const keys = new Set(['type', 'id', 'summary', 'content', 'encrypted_content'])

export function judgeReasoned(list: List, scope: Scope, report: ResponsesReport): void {
  const items = list.values.map((item) => (isFields(item) ? item : {}))
  items.forEach((item, i) => {
    const path = `${list.path}[${i}]`
    if (item.type === 'reasoning') judgeItem(item, path, list.body, scope, report)
    if (item.type === 'item_reference' && list.body.store === false)
      report('reasoning.unstored', path, 'nothing is stored that could be referred to')
  })
  if (reasons(scope.model, list.body)) judgeFollowers(items, list, report)
  if (scope.profiles.includes('deepseek')) judgeApart(items, list.path, report)
  judgeChange(list, items, scope, report)
}

function judgeItem(item: Fields, path: string, body: Fields, scope: Scope, report: ResponsesReport) {
  const { profiles, issued } = scope
  if (profiles.includes('copilot')) return report('copilot.reasoning', path, 'the server takes no reasoning items')
  const filled = isList(item.content) && item.content.length > 0
  if (profiles.includes('llama.cpp')) {
    if (!filled) report('llamacpp.reasoning', path, 'the item has no content')
    return
  }
  if (filled) report('reasoning.content', `${path}.content`, 'the content must be empty')
  for (const key of Object.keys(item))
    if (!keys.has(key)) report('reasoning.extra', `${path}.${key}`, 'only answers have this key')
  const sealed = item.encrypted_content
  if (body.store === false && !isFilled(sealed))
    report('reasoning.unstored', path, 'the item is not stored and brings no encrypted content')
  if (isFilled(sealed) && issued && !issued(sealed))
    report('reasoning.foreign', path, 'the encrypted content was never issued here')
}

/** Models that always think, unless they are told not to. */
function reasons(model = '', body: Fields): boolean {
  const effort = isFields(body.reasoning) ? body.reasoning.effort : undefined
  if (effort === 'none' || effort === 'minimal') return false
  if (!isOptional(body.previous_response_id) || !isOptional(body.conversation)) return false
  return /(?:^|\/)(?:o[1-9]|gpt-[5-9])/i.test(model) && !/chat/i.test(model)
}

function judgeFollowers(items: readonly Fields[], list: List, report: ResponsesReport): void {
  let thought = false
  items.forEach((item, i) => {
    const path = `${list.path}[${i}]`
    if (item.type === 'reasoning') thought = true
    if (item.role === 'user') thought = false
    if (item.type === 'function_call' && isFilled(item.id) && !thought)
      report('reasoning.call', path, 'the call has an item id and no reasoning before it')
    if (item.role !== 'assistant' || !isFilled(item.id)) return
    const parted = items[i - 1]?.type === 'function_call'
    if (!thought || parted) report('reasoning.message', path, 'the message has an item id and no reasoning before it')
  })
}

function judgeApart(items: readonly Fields[], path: string, report: ResponsesReport): void {
  items.forEach((item, i) => {
    if (item.type !== 'function_call') return
    const next = items[i + 1]
    if (next?.type === 'function_call_output' && next.call_id === item.call_id) return
    report('deepseek.apart', `${path}[${i}]`, 'the output must come right behind the call')
  })
}

function judgeChange(list: List, items: readonly Fields[], { before }: Scope, report: ResponsesReport): void {
  const last = items.findLastIndex((item) => item.type === 'reasoning')
  if (!isFields(before) || last === -1) return
  const same = (one: Json | undefined, other: Json | undefined): boolean =>
    JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
  const old = isList(before.input) ? before.input : []
  const key = ['instructions', 'tools', 'text'].find((name) => !same(before[name], list.body[name]))
  const changed = old.findIndex((item, i) => i < last && !same(item, list.values[i]))
  if (key || changed !== -1) report('reasoning.changed', key ?? `${list.path}[${changed}]`, 'it was another before')
}
