/** What a window renders fits the parameters of each SDK as it is: compiled against the packed package, never run. */
import type Anthropic from '@anthropic-ai/sdk'
import type { GoogleGenAI } from '@google/genai'
import type { generateText, LanguageModel, streamText, UIMessage } from 'ai'
import type { generateText as generateText5, LanguageModel as LanguageModel5 } from 'ai5'
import type { generateText as generateText6, LanguageModel as LanguageModel6 } from 'ai6'
import type OpenAI from 'openai'
import { assemble, HistoryError, type PresetName } from 'throughline'
import { messageStore } from 'throughline/ai-sdk'
import { type History, openHistory } from 'throughline/engine'
import { memoryStore } from 'throughline/store'

interface Clients {
  readonly openai: OpenAI
  readonly anthropic: Anthropic
  readonly google: GoogleGenAI
  readonly generateText: typeof generateText
  readonly streamText: typeof streamText
  readonly generateText6: typeof generateText6
  readonly generateText5: typeof generateText5
  readonly model: LanguageModel
  readonly model6: LanguageModel6
  readonly model5: LanguageModel5
}

export async function windows(history: History, clients: Clients): Promise<void> {
  const { openai, anthropic, google } = clients
  const chat = await history.window({ model: 'gpt-4o', target: 'openai-chat' })
  if (chat.ok) await openai.chat.completions.create({ model: 'gpt-4o', ...chat.rendered })

  const weather: OpenAI.ChatCompletionTool = {
    type: 'function',
    function: { name: 'weather', parameters: { type: 'object', properties: {} } },
  }
  const tools = await history.window({ target: 'openai-chat', tools: [weather] })
  if (tools.ok) await openai.chat.completions.create({ model: 'gpt-4o', ...tools.rendered, stream: true })

  const responses = await history.window({ target: 'openai-responses' })
  if (responses.ok) await openai.responses.create({ model: 'gpt-4o', ...responses.rendered })

  const messages = await history.window({ target: 'anthropic', system: 'Be brief.' })
  if (messages.ok)
    await anthropic.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 1_000, ...messages.rendered })

  const contents = await history.window({ target: 'google' })
  if (contents.ok) {
    const { contents: said, ...config } = contents.rendered
    await google.models.generateContent({ model: 'gemini-2.5-flash', contents: said, config })
  }

  const sdk = await history.window({ target: 'ai-sdk' })
  if (sdk.ok) {
    await clients.generateText({ model: clients.model, ...sdk.rendered })
    clients.streamText({ model: clients.model, ...sdk.rendered })
    await clients.generateText6({ model: clients.model6, ...sdk.rendered })
    await clients.generateText5({ model: clients.model5, ...sdk.rendered })
  }
}

/** The target follows from the policy when a call names none. */
export async function inferred(openai: OpenAI): Promise<string> {
  const history = await openHistory({ store: memoryStore() })
  const made = await history.window()
  if (made.ok) await openai.chat.completions.create({ model: 'gpt-4o', ...made.rendered })
  const loose = assemble([{ role: 'user', content: 'Hello' }])
  if (loose.ok) await openai.chat.completions.create({ model: 'gpt-4o', messages: loose.rendered.messages })
  const tagged = assemble([{ role: 'user', content: 'Hello' }], 'agent-turns')
  const extended = assemble([{ role: 'user', content: 'Hello' }], { extends: 'agent-turns', fit: { turns: 4 } })
  return tagged.ok && extended.ok ? tagged.rendered.trim() + extended.rendered.trim() : ''
}

/** Codes and names of presets are unions: an editor offers them, and what is misspelt is in `refused.ts`. */
export function named(error: unknown): PresetName | null {
  if (!(error instanceof HistoryError)) return null
  if (error.code === 'not_found' || error.issues.some(({ code }) => code === 'fit.budget' || code === 'custom.mine'))
    return 'agent-turns'
  return error.code === 'policy.unknown' ? 'balanced' : null
}

/** The UI messages of the AI SDK go in as they are, and come out as the app's own type. */
export async function chats(messages: UIMessage[]): Promise<UIMessage[]> {
  const store = messageStore({ store: memoryStore() })
  await store.save('c', messages)
  await store.append('c', { role: 'user', parts: [{ type: 'text', text: 'Hello' }] })
  return store.load<UIMessage>('c')
}
