/** What a scripted provider says, before it takes the form of a wire. */

export interface Answer {
  readonly think?: string
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  readonly finish?: 'stop' | 'length' | 'filter'
  /** The text that ended it, where the wire tells it. */
  readonly stop?: string
  readonly usage?: { readonly input: number; readonly output: number }
  /** What proves the thought, where each answer needs a proof of its own. */
  readonly proof?: Proof
}

export interface Proof {
  readonly signature: string
  readonly id: string
  readonly sealed: string
}

export type Wire = 'anthropic' | 'openai-chat' | 'openai-responses' | 'google' | 'ollama'

export const wireNames: readonly Wire[] = ['anthropic', 'openai-chat', 'openai-responses', 'google', 'ollama']

/** What proves a thought, where the wire has such a thing. */
export const proof: Proof = { signature: 'c2lnbmF0dXJl', id: 'rs_0001', sealed: 'gAAAAsealed' }

/** Pieces of some characters each; the pieces joined are the text. */
export function pieces(text: string, size = 5): string[] {
  const chars = [...text]
  return Array.from({ length: Math.ceil(chars.length / size) }, (_, at) =>
    chars.slice(at * size, (at + 1) * size).join(''),
  )
}
