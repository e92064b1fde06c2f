/** Counts the tokens of a text. Pure: the same text always has the same count. */
export interface Counter {
  /** Shown in the receipt: `o200k_base`, `claude by cl100k x1.265`, `estimate:claude`, `chars/4`. */
  readonly name: string
  /** True when the count is the tokenizer's own; false for an estimate. */
  readonly exact: boolean
  readonly count: (text: string) => number
}
