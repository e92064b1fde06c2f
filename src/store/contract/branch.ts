/** Branches and their heads. */

export interface Branch {
  readonly name: string
  readonly head: string | null
  readonly updatedAt: string
}

export interface BranchMove {
  readonly name: string
  readonly head: string | null
  readonly expect: string | null
  readonly at: string
}
