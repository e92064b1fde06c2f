/** Where the proof of a requirement lives. */
export type Room = 'core' | 'store' | 'engine' | 'service' | 'tasks' | 'web' | 'recall' | 'dialects'

/**
 * R required, F from a specification's own list for the future, C a claim to be measured, P from a document beside a
 * specification; a lesson is drawn from what broke elsewhere, a law is a property of every window, a regression is a
 * bug that must not come back, a golden pins exact figures.
 */
type Kind = 'R' | 'F' | 'C' | 'P' | 'lesson' | 'law' | 'regression' | 'golden'

export interface Requirement {
  readonly id: string
  readonly kind: Kind
  readonly room: Room
  readonly says: string
  /** Where we knowingly do otherwise: the number of the contradiction (K) or decision (D), and what we do. */
  readonly deviates?: string
}
