/** A conversation with pictures that no provider takes as they are, and its window for Claude. */
import { check } from '../../core/rules/check.js'
import { memoryStore } from '../../store/memory/store.js'
import { judge } from '../../testing/judge/index.js'
import { openHistory } from '../history.js'

interface Shown {
  readonly type: string
  readonly text?: string
  readonly source?: { readonly media_type: string; readonly data: string }
}

/** The blocks of the user's message, once both judges have nothing against the request. */
export async function shownToClaude(pictures: readonly string[], mediaType: string): Promise<readonly Shown[]> {
  const history = await openHistory({ store: memoryStore() })
  const files = pictures.map((base64) => ({ type: 'file', mediaType, source: { kind: 'data', base64 } }))
  await history.append({ role: 'user', parts: [{ type: 'text', text: 'What is this?' }, ...files] })
  await history.append({ role: 'assistant', content: 'A picture.' })
  const model = 'claude-sonnet-4-5'
  const made = await history.window({ current: 'And now?', model, target: 'anthropic' })
  if (!made.ok) throw new Error(made.error.message)
  const body = { model, max_tokens: 100, ...made.rendered }
  const refused = [...check('anthropic', body, { model }), ...judge({ provider: 'anthropic', model, body })]
  if (refused.length > 0) throw new Error(JSON.stringify(refused))
  return body.messages[0]?.content as readonly Shown[]
}
