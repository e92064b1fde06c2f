/** A message as a reader sees it: a tool call and its result are one part. */

export type Role = 'system' | 'user' | 'assistant'

/** Words, as they were said. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** Reasoning. It belongs to the model it came from and is replayed to that model only. */
export interface ThinkPart {
  readonly type: 'think'
  readonly text: string
  /** The provider's proof that the text is its own; replayed byte for byte. */
  readonly signature?: string
  /** Reasoning the provider gave only in sealed form (redacted or encrypted). */
  readonly sealed?: string
  /** The provider's id of this reasoning item. */
  readonly id?: string
  /** The hash of the request that it was written after, for models that bind reasoning to it. */
  readonly prefix?: string
  /** A hash of the account it was given to, for providers that take it back from that account only. */
  readonly issuer?: string
}

/** Where the content of a file is: its text, its bytes, an address, or the id of a blob in the store. */
export type FileSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'ref'; readonly id: string }

/** A picture, a document or a piece of code, with its words or a way to its bytes. */
export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  readonly name?: string
  /** The programming or diagram language of a text source. */
  readonly language?: string
  readonly source: FileSource
}

/** What became of a tool call. `pending` in a history means that its result never arrived. */
export type Outcome =
  | { readonly state: 'pending' }
  | { readonly state: 'ok'; readonly output: readonly OutputPart[] }
  | { readonly state: 'error'; readonly output: readonly OutputPart[] }

/** What a tool may return. */
export type OutputPart = TextPart | FilePart

/** A tool call and what came of it: call and result are one part, so that neither can be lost without the other. */
export interface CallPart {
  readonly type: 'call'
  readonly id: string
  readonly name: string
  /** The arguments, as a JSON value. */
  readonly input: unknown
  readonly outcome: Outcome
  /** The id of the message that brought its result. */
  readonly from?: string
}

/** One piece of a message. */
export type Part = TextPart | ThinkPart | FilePart | CallPart

/** One message in the form that all dialects become: a role and its parts. */
export interface Item {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly id?: string
  /** Who speaks, when the role does not say it: `orchestrator` is an author on role assistant. */
  readonly author?: string
  /** When it was said, as given; never used for order. */
  readonly at?: string
  /** The model that wrote it. */
  readonly model?: string
  readonly pinned?: boolean
  /**
   * Set on items that no one said: a gap stands where something is missing, a cue makes the order of roles legal, a
   * summary stands for what it covers, and what is recalled is quoted.
   */
  readonly mark?: 'gap' | 'cue' | 'summary' | 'recall'
  /** The text was shortened. */
  readonly clipped?: boolean
}

export const text = (value: string): TextPart => ({ type: 'text', text: value })
