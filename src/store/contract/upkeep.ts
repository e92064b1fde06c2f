/** What removing and verifying tell. */

/** What was removed, and where. */
export interface Removal {
  readonly conversation: string
  readonly entry: string | null
  readonly removed: Readonly<Record<string, number>>
}

/** Whether every hash and link of a log holds, and what does not. */
export type Verification =
  | { readonly ok: true; readonly entries: number }
  | {
      readonly ok: false
      readonly entries: number
      readonly faults: readonly { readonly seq: number; readonly fault: string }[]
    }
