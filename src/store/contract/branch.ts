/** Branches and their heads. */

export interface Branch {
  readonly name: string
  readonly head: string | null
  readonly updatedAt: string
}

/** A branch to point elsewhere, if it still stands where the caller saw it. */
export interface BranchMove {
  readonly name: string
  readonly head: string | null
  readonly expect: string | null
  readonly at: string
}
