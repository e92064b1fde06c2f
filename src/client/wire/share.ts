/** Links for others. */
export interface NewShare {
  readonly branch?: string
  readonly mode?: 'snapshot' | 'live'
  /** Seconds. */
  readonly expires_in?: number
  readonly title?: string
  readonly authors?: boolean
}

export interface Share {
  readonly id: string
  readonly branch: string
  readonly mode: 'snapshot' | 'live'
  readonly title: string | null
  readonly authors: boolean
  readonly created_at: string
  readonly expires_at: string
}
