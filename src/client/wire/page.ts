/** A page of anything. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
}

export interface Paging {
  readonly limit?: number
  readonly cursor?: string
}
