/** ShareGPT: lists of `{ from, value }`, with a system prompt, tools, or a chosen and a rejected answer beside them. */
import { digest } from '../../store/shared/runtime.js'
import type { Format, Imported, ImportedNode, Reading, Says } from '../kit/contract.js'
import { eachValue } from '../kit/each.js'
import { asId, isRaw, type Raw, raw, raws, str, without } from '../kit/shape.js'

const isTurn = (value: unknown): boolean => isRaw(value) && typeof value.from === 'string' && 'value' in value

export const sharegpt: Format = {
  name: 'sharegpt',
  claims: (value) => isRaw(value) && raws(value.conversations).some(isTurn),
  read: (file): AsyncGenerator<Reading> =>
    eachValue(file, (value, place) =>
      isRaw(value) && raws(value.conversations).some(isTurn)
        ? conversation(value, raws(value.conversations))
        : { type: 'skipped', reason: 'an item without turns', place },
    ),
}

const roles: Readonly<Record<string, 'user' | 'assistant' | 'system'>> = {
  ...{ human: 'user', user: 'user', system: 'system', gpt: 'assistant', assistant: 'assistant' },
  ...{ chatgpt: 'assistant', bing: 'assistant', bard: 'assistant', model: 'assistant' },
}

function conversation(given: Raw, turns: readonly Raw[]): Imported {
  const nodes: ImportedNode[] = []
  let parent: string | null = null
  let call: string | null = null
  const add = (id: string, turn: Raw, after: string | null): string => {
    const from = String(turn.from)
    const says = saysOf(from, str(turn.value) ?? '', id, call)
    if (from === 'function_call') call = id
    else if (from === 'observation' || from === 'tool') call = null
    nodes.push({ id, parent: after, says, rest: without(turn, 'from', 'value') })
    return id
  }
  const system = str(given.system)
  if (system) parent = add('system', { from: 'system', value: system }, null)
  for (const [i, turn] of turns.entries()) parent = add(`turn ${i + 1}`, turn, parent)
  const asked = parent
  if (isTurn(given.chosen)) parent = add('chosen', raw(given.chosen), asked)
  if (isTurn(given.rejected)) add('rejected', raw(given.rejected), asked)
  // ids are numbers of a data set: only with the first words they name one conversation
  const id = [asId(given.id) ?? 'item', digest(JSON.stringify(turns[0] ?? null)).slice(0, 8)].join('-')
  return {
    type: 'tree',
    format: 'sharegpt',
    id,
    head: parent,
    nodes,
    rest: without(given, 'conversations', 'system', 'chosen', 'rejected'),
    warnings: [],
    skipped: [],
  }
}

function saysOf(from: string, value: string, id: string, call: string | null): Says {
  if (from === 'function_call') {
    const { name, args } = callIn(value)
    return { kind: 'message', message: { role: 'assistant', parts: [{ type: 'call', id, name, input: args }] } }
  }
  if (from === 'observation' || from === 'tool') {
    const result = { type: 'result', state: 'ok', output: [{ type: 'text', text: value }] }
    return { kind: 'message', message: { role: 'assistant', parts: [{ ...result, ...(call && { callId: call }) }] } }
  }
  return {
    kind: 'message',
    message: { role: roles[from] ?? 'user', content: value, ...(roles[from] ? {} : { name: from }) },
  }
}

function callIn(value: string): { readonly name: string; readonly args: unknown } {
  try {
    const call = raw(JSON.parse(value))
    if (str(call.name)) return { name: String(call.name), args: call.arguments ?? {} }
  } catch {
    // not JSON: kept as it is
  }
  return { name: 'tool', args: { _raw: value } }
}
