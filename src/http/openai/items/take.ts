/** Items that a client sends, as the log keeps them: what is said is said, what is not understood is kept as it is. */
import { decode } from '../../../core/message/dialects/decode.js'
import type { Annotated } from '../../../engine/window/entries.js'
import type { Body } from '../../../store/contract/entry.js'
import { canonical } from '../../../store/shared/gate.js'
import { unpacked } from '../../dialect/packed.js'
import { refuse } from '../../dialect/refuse.js'
import type { Item } from './item.js'
import { itemLabel, outputTextPart, shownItems } from './show.js'

export interface TakenItems {
  readonly messages: readonly Annotated[]
  /** What system and developer messages say, for the run that follows. */
  readonly system: readonly string[]
}

/** `known`: there is a conversation that a reference can mean. */
export function takeItems(items: readonly unknown[], field: string, newId: () => string, known = true): TakenItems {
  const messages: Annotated[] = []
  const system: string[] = []
  items.flatMap(unpacked).forEach((raw, i) => {
    const at = `${field}[${i}]`
    const item = normal(raw, at)
    // what it refers to is in the conversation already
    if (item.type === 'item_reference' && known) return
    if (item.type === 'item_reference') throw refuse(at, 'refers to an item of no conversation')
    if (isOfficial(item)) system.push(textIn(item.content))
    messages.push(annotated(item, at, newId()))
  })
  return { messages, system }
}

/** Who speaks for the operator is told to the model beside the conversation, not in it. */
export const isOfficial = ({ type, role }: Item): boolean =>
  type === 'message' && (role === 'system' || role === 'developer')

export function textIn(content: unknown): string {
  const parts = Array.isArray(content) ? content : []
  return parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
}

/** Reasoning is known to its provider by its id, the others to their other half. */
const knownById: ReadonlySet<string> = new Set(['reasoning', 'mcp_approval_request', 'local_shell_call_output'])

function annotated(item: Item, at: string, id: string): Annotated {
  const note: Annotated = { kind: 'note', label: itemLabel, data: item, id }
  const spoken = item.type !== 'message' || item.role === 'user' || item.role === 'assistant'
  if (!spoken || item.type === 'compaction') return note
  const { id: _, ...bare } = item
  const message = knownById.has(item.type) ? item : bare
  const read = decode(message)
  if (read.ok && read.parts.length + read.results.length > 0) {
    const isWhole = canonical(shownItems(bodyOf(read))) === canonical([item])
    return { kind: 'said', id, message, ...(isWhole ? null : { meta: { item } }) }
  }
  if (item.type === 'message') throw refuse(at, read.ok ? 'says nothing' : read.reason)
  return note
}

function bodyOf({ role, parts, results }: ReturnType<typeof decode> & { ok: true }): Body {
  const [first] = results
  if (!first || parts.length > 0) return { kind: 'message', role, parts, status: 'complete' }
  return { kind: 'result', callId: first.callId ?? '', state: first.state, output: first.output }
}

/** A message in full, whichever short form it came in; others as they are. Ids of ours are given anew. */
function normal(raw: unknown, at: string): Item {
  const item = raw as Record<string, unknown>
  const { type = 'role' in item ? 'message' : undefined } = item
  if (typeof type !== 'string') throw refuse(`${at}.type`, 'is missing')
  if (type === 'message') return message(item, at)
  if (type !== 'function_call' && type !== 'function_call_output') return { ...item, type }
  const { id: _, ...rest } = item
  return { ...rest, type, status: item.status ?? 'completed' }
}

function message({ id: _, ...item }: Record<string, unknown>, at: string): Item {
  const { role, content } = item
  if (typeof role !== 'string') throw refuse(`${at}.role`, 'is missing')
  if (typeof content !== 'string' && !Array.isArray(content))
    throw refuse(`${at}.content`, 'must be a string or a list')
  const text = role === 'assistant' ? outputTextPart : (text: string) => ({ type: 'input_text', text })
  const list = typeof content === 'string' ? [text(content)] : content
  if (list.some((part) => typeof part !== 'object' || part === null))
    throw refuse(`${at}.content`, 'must be a list of objects')
  return { ...item, type: 'message', role, content: list, status: item.status ?? 'completed' }
}
