/** Which session of which agent a request belongs to, by what it says of itself. */
import { fieldsOf, isRecord, recordIn } from '../../core/message/fields.js'
import { conversationIn } from '../dialect/named.js'
import type { Asked } from '../kit/door.js'

export interface Session {
  /** Null where only the beginning of its history can tell. */
  readonly conversation: string | null
  /** The conversation that started it, as a subagent. */
  readonly parent: string | null
  /** It asks for something beside the talk: a title, a topic, a summary. */
  readonly isSide: boolean
  /** The task that the agent works on, where a task's runner started it. */
  readonly task: string | null
  /** As in `claude-cli`; null for who does not say. */
  readonly agent: string | null
}

export function sessionOf(headers: Headers, asked: Asked): Session {
  const agent = agentIn(headers)
  const named = conversationIn(headers)
  const [own, parent] = named === null ? idsIn(headers, asked) : [named, null]
  const isAgent = agent !== null || (own !== null && named === null)
  return {
    conversation: own,
    parent,
    isSide: isAgent && isAside(headers, asked),
    task: headers.get('x-throughline-task'),
    agent,
  }
}

type Ids = readonly [own: string | null, parent: string | null]

/** The names that agents have for their sessions. */
function idsIn(headers: Headers, { metadata, prompt_cache_key }: Asked): Ids {
  const claude = headers.get('x-claude-code-session-id') ?? sessionIn(metadata)
  const sub = headers.get('x-claude-code-agent-id')
  if (claude !== null) return sub === null ? [claude, null] : [`${claude}.${sub}`, claude]
  const codex = headers.get('thread-id') ?? headers.get('session-id')
  if (codex !== null) return [codex, headers.get('x-codex-parent-thread-id')]
  const other = headers.get('x-session-id') ?? headers.get('session_id')
  if (other !== null) return [other, headers.get('x-parent-session-id')]
  return [typeof prompt_cache_key === 'string' && prompt_cache_key !== '' ? prompt_cache_key.slice(0, 200) : null, null]
}

/** Claude's clients put JSON into the name of the user. */
function sessionIn(metadata: unknown): string | null {
  const { session_id } = recordIn(String(fieldsOf(metadata).user_id)) ?? {}
  return typeof session_id === 'string' ? session_id : null
}

const agentIn = (headers: Headers): string | null =>
  /^(?:claude-cli|codex\w*|opencode|pi|QwenCode|GeminiCLI)(?=[-/ (])/.exec(headers.get('user-agent') ?? '')?.[0] ?? null

/** Agents bring tools to every turn of the talk, and to nothing else that they ask for in the same shape. */
function isAside(headers: Headers, asked: Asked): boolean {
  const { tools, tool_choice, output_config, response_format, text, generationConfig } = asked
  if (!Array.isArray(tools) || tools.length === 0) return true
  if (isRecord(output_config) && output_config.format !== undefined) return true
  if (isRecord(generationConfig) && generationConfig.responseMimeType === 'application/json') return true
  if (isRecord(tool_choice) && (tool_choice.type === 'tool' || tool_choice.type === 'function')) return true
  if (isRecord(response_format) && response_format.type === 'json_schema') return true
  if (isRecord(text) && isRecord(text.format) && text.format.type === 'json_schema') return true
  return /"request_kind" *: *"compaction"/.test(headers.get('x-codex-turn-metadata') ?? '')
}
