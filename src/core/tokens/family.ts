/** A tokenizer family: models of one family split text alike. */
export const families = [
  'o200k',
  'cl100k',
  'claude',
  'gemini',
  'llama',
  'mistral',
  'qwen',
  'deepseek',
  'unknown',
] as const

export type Family = (typeof families)[number]

export const isFamily = (value: string): value is Family => (families as readonly string[]).includes(value)
