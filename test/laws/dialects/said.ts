/** A conversation before any dialect writes it down. */

export interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

export interface Result {
  readonly id: string
  readonly name: string
  readonly output: string
  readonly failed: boolean
}

export interface Thought {
  readonly text: string
  readonly signature: string | null
  readonly id: string
}

export interface Picture {
  readonly kind: 'image' | 'code' | 'pdf'
  readonly text: string
}

export type Said =
  | { readonly kind: 'user'; readonly text: string; readonly files: readonly Picture[]; readonly id?: string }
  | { readonly kind: 'system'; readonly text: string }
  | {
      readonly kind: 'assistant'
      readonly text: string | null
      readonly thought: Thought | null
      readonly calls: readonly Call[]
      readonly model?: string
      readonly id?: string
    }
  | { readonly kind: 'results'; readonly results: readonly Result[] }
