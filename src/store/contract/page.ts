/** A list, page by page. */

export interface PageQuery {
  readonly limit: number
  /** As the last page gave it. */
  readonly cursor?: string
}

/** Some of a list, and the cursor of what follows; null at the end. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly cursor: string | null
}
