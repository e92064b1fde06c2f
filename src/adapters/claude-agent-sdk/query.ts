/** A query of the Claude Agent SDK that knows the conversation, and whose tool uses and results are kept in it. */
import { HistoryError } from '../../core/message/issue.js'
import type { History } from '../../engine/history.js'

/** What is read of the SDK's messages; they are handed on as they are. */
export interface SdkMessage {
  readonly type: string
  readonly message?: unknown
  /** Not null for what a subagent says: that is its own conversation. */
  readonly parent_tool_use_id?: string | null
}

/** The SDK's `query`. */
export type Query<M extends SdkMessage, O extends object> = (asked: {
  readonly prompt: string
  readonly options?: O
}) => AsyncIterable<M>

/** The conversation, the prompt, and the SDK's own options. */
export interface AgentQueryOptions<M extends SdkMessage, O extends object> {
  /** As `openHistory` opens it. */
  readonly conversation: History
  readonly prompt: string
  /** The SDK's own. `resume` and `continue` are left out: the conversation is in the prompt. */
  readonly options?: O
  /** The SDK's `query`; left out, that of `@anthropic-ai/claude-agent-sdk`. */
  readonly query?: Query<M, O>
  /** Told when the history could not be read: the prompt goes alone then. */
  readonly warn?: (error: unknown) => void
}

/**
 * Fetches the history, folds and cuts it as specification 3 says, wraps it in `<conversation_history>`, runs the SDK's
 * `query`, hands its messages on, and keeps what was said and what the tools did.
 *
 * @example
 * ```ts
 * for await (const message of createAgentQuery({ conversation, prompt: 'How is history integrated?', options: { cwd } }))
 *   if (message.type === 'result') console.log(message)
 * ```
 */
export async function* createAgentQuery<M extends SdkMessage = SdkMessage, O extends object = object>({
  conversation,
  prompt,
  options,
  query,
  warn = () => {},
}: AgentQueryOptions<M, O>): AsyncGenerator<M, void, undefined> {
  const run = query ?? (await usualQuery<M, O>())
  const whole = await promptOf(conversation, prompt).catch((error: unknown) => {
    warn(error)
    return prompt
  })
  await conversation.append(prompt)
  const kept = keeper(conversation)
  try {
    for await (const message of run({ prompt: whole, ...(options && { options: fresh(options) }) })) {
      await kept.take(message)
      yield message
    }
  } finally {
    await kept.flush()
  }
}

async function promptOf(conversation: History, prompt: string): Promise<string> {
  const made = await conversation.window({ policy: 'agent-turns', target: 'text-tagged', current: prompt })
  if (!made.ok) throw new HistoryError(made.error.code, [made.error])
  return made.rendered
}

/** Without what would bring the SDK's own memory of a session. */
function fresh<O extends object>(options: O): O {
  const rest = { ...options }
  for (const name of ['resume', 'resumeSessionAt', 'continue', 'forkSession']) Reflect.deleteProperty(rest, name)
  return rest
}

async function usualQuery<M extends SdkMessage, O extends object>(): Promise<Query<M, O>> {
  // an optional peer: whoever uses this door has it
  const name = '@anthropic-ai/claude-agent-sdk'
  const sdk = (await import(name)) as { readonly query: Query<M, O> }
  return sdk.query
}

interface Said {
  readonly id?: string
  readonly content?: unknown
}

/** The SDK tells an answer block by block; the log has it as one message, so that its calls stay together. */
function keeper(conversation: History) {
  let id: string | undefined
  let blocks: unknown[] = []
  const flush = async (): Promise<void> => {
    const content = blocks
    blocks = []
    if (content.length > 0) await conversation.append({ role: 'assistant', content })
  }
  return {
    flush,
    async take({ type, message, parent_tool_use_id = null }: SdkMessage): Promise<void> {
      if (parent_tool_use_id !== null || typeof message !== 'object' || message === null) return
      const said = message as Said
      const content = Array.isArray(said.content) ? said.content : []
      if (type === 'assistant') {
        if (said.id !== id) await flush()
        id = said.id
        blocks.push(...content.filter(isTold))
      }
      if (type !== 'user') return
      const results = content.filter((block) => typeOf(block) === 'tool_result')
      if (results.length === 0) return
      await flush()
      await conversation.append({ role: 'user', content: results })
    },
  }
}

const typeOf = (block: unknown): unknown =>
  typeof block === 'object' && block !== null && 'type' in block ? block.type : undefined

/** Reasoning is for the model that reasoned. */
const isTold = (block: unknown): boolean => {
  const type = typeOf(block)
  return type === 'tool_use' || (type === 'text' && String((block as { readonly text?: unknown }).text).trim() !== '')
}
