/** What must not compile against the packed package. */
import { assemble, type HistoryError, type Issue, type Overrides } from 'throughline'
import { messageStore } from 'throughline/ai-sdk'
import { openHistory } from 'throughline/engine'
import { memoryStore } from 'throughline/store'

// @ts-expect-error tokens are a number, `model` or null
export const tokens: Overrides = { fit: { tokens: 'lots' } }
// @ts-expect-error a policy has no such field
export const field: Overrides = { fit: { budget: 4_000 } }
// @ts-expect-error no such preset
export const preset = assemble([], 'blanced')
// @ts-expect-error no such target
export const target = assemble([], 'balanced', { target: 'openai' })
// @ts-expect-error no such preset
export const opened = openHistory({ store: memoryStore(), policy: 'blanced' })
export const input = async () => {
  const made = await (await openHistory({ store: memoryStore() })).window({ target: 'anthropic' })
  // @ts-expect-error what is rendered for Anthropic has no `input`
  return made.ok ? made.rendered.input : undefined
}
// @ts-expect-error a number is no message
export const message = async () => (await openHistory({ store: memoryStore() })).append(42)
// @ts-expect-error no such code
export const thrown = (error: HistoryError) => error.code === 'not-found'
// @ts-expect-error no such code
export const told = (issue: Issue) => issue.code === 'fit.bugdet'
export const part = () =>
  // @ts-expect-error a part has a type
  messageStore({ store: memoryStore() }).append('c', { role: 'user', parts: [{ text: 'Hello' }] })
