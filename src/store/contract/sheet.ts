/** What is worked out of the words of many entries, packed, for whoever has to look at all of them. */
export interface Sheet {
  /** The `seq` of the first of its entries, and of the last. */
  readonly first: number
  readonly last: number
  readonly bytes: Uint8Array
}

/** A sheet to keep. */
export interface NewSheet extends Sheet {
  /** So many of its entries had lost their words when it was made. */
  readonly bare: number
}
