/** Where a window can be sent. */

export const targets = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'google',
  'ai-sdk',
  'text-tagged',
  'text-numbered',
  'messages',
] as const

/** The request format that a window is written in. */
export type Target = (typeof targets)[number]

/** Servers that speak a target's API by rules of their own. */
export const profileNames = [
  'deepseek',
  'moonshot',
  'mistral',
  'qwen',
  'dashscope',
  'strict',
  'vllm',
  'llama.cpp',
  'ollama',
  'lmstudio',
  'groq',
  'copilot',
  'openrouter',
  'bedrock',
] as const

/** A server whose rules differ from the API it speaks. */
export type ProfileName = (typeof profileNames)[number]

/** A rule of a provider that a request breaks. */
export interface Violation {
  /** Stable name of the written-down rule, such as `tool.result.missing`. */
  readonly rule: string
  /** Path into the request, as in `messages[2].content[0]`. */
  readonly path: string
  readonly message: string
  /** The part of the provider's own refusal that stays the same. */
  readonly wording?: string
  /** The row of `docs/rules.md`. */
  readonly code?: string
}
