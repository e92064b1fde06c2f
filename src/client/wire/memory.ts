/** What is known beyond one conversation. */
/** `profile`: who someone is; `semantic`: something that is so; `episodic`: what happened; `derived`: what follows from it. */
export type MemoryKind = 'profile' | 'semantic' | 'episodic' | 'derived'

/** Something that is known beyond one conversation. */
export interface Memory {
  readonly id: string
  readonly kind: MemoryKind
  readonly text: string
  readonly source: { readonly conversation_id: string; readonly message_id: string } | null
  readonly author: string
  readonly created_at: string
  readonly updated_at: string
  readonly revision: number
}

export interface NewMemory {
  readonly kind: MemoryKind
  readonly text: string
  /** Where it comes from, with `message_id`. */
  readonly conversation_id?: string
  readonly message_id?: string
}

export interface MemoryPatch {
  readonly kind?: MemoryKind
  readonly text?: string
  /** The revision you saw. */
  readonly expect?: number
}
