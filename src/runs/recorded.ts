/** What an agent's own session was sent with last, as its newest receipt names it; a window of it is made with the same. */
import { fieldsOf } from '../core/message/fields.js'
import type { ModelTool } from '../models/wire/contract.js'
import type { Store } from '../store/contract/store.js'

interface SentWith {
  readonly system?: string
  readonly tools?: readonly ModelTool[]
}

export async function sentWith(store: Store, workspace: string, conversation: string): Promise<SentWith> {
  const [newest] = (await store.receipts(workspace, conversation, { limit: 1 })).items
  const { system, tools } = fieldsOf(fieldsOf(newest?.body).forwarded)
  const read = async (hash: unknown): Promise<unknown> => {
    const blob = typeof hash === 'string' ? await store.getBlob(workspace, hash) : null
    return blob && JSON.parse(new TextDecoder().decode(blob.bytes))
  }
  const [text, list] = [textsIn(await read(system)).join('\n\n'), toolsIn(await read(tools))]
  return { ...(text !== '' && { system: text }), ...(list.length > 0 && { tools: list }) }
}

/** In any provider's words: a text, blocks, messages, or parts. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  const { text, content, parts } = fieldsOf(value)
  return value ? textsIn(text ?? content ?? parts) : []
}

/** Functions, in any provider's words; what a provider runs itself has no schema to send. */
function toolsIn(value: unknown): readonly ModelTool[] {
  return (Array.isArray(value) ? value : []).flatMap((one): readonly ModelTool[] => {
    const raw = fieldsOf(one)
    if (Array.isArray(raw.functionDeclarations)) return toolsIn(raw.functionDeclarations)
    const { name, description, ...rest } = fieldsOf(raw.function ?? raw)
    const parameters = rest.input_schema ?? rest.parameters ?? rest.parametersJsonSchema
    if (typeof name !== 'string' || !parameters) return []
    return [{ name, ...(typeof description === 'string' && { description }), parameters: fieldsOf(parameters) }]
  })
}
